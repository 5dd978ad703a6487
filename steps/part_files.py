"""The folder of a part: its files and what they say."""

from __future__ import annotations

import hashlib
import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from steps.tables import Table

_COLUMN = re.compile(r"^`(.+)` (.+)$", re.MULTILINE)


@dataclass(frozen=True)
class FileState:
    """What would show that somebody has written to a file or put another one in its place."""

    size: int
    inode: int
    modified: int
    content: str


def files_of(folder: Path) -> dict[str, FileState]:
    """All files of a part, by name."""
    found = {}
    for file in sorted(folder.iterdir()):
        status = file.stat()
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        found[file.name] = FileState(status.st_size, status.st_ino, status.st_mtime_ns, content)
    assert found, f"the fixture is empty: {folder} has no files"
    return found


def changes(before: dict[str, FileState], after: dict[str, FileState]) -> list[str]:
    """The names of the files that were added, removed or touched."""
    return sorted(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )


def listed_columns(folder: Path) -> dict[str, str]:
    """The names and types that columns.txt lists."""
    return dict(_COLUMN.findall((folder / "columns.txt").read_text(encoding="utf-8")))


def numbers_in(file: Path, width: int = 8) -> list[int]:
    """A file of plain unsigned numbers, so many bytes each."""
    content = file.read_bytes()
    assert len(content) % width == 0, f"{file.name} has {len(content)} bytes, not {width} a number"
    return [
        int.from_bytes(content[start : start + width], "little")
        for start in range(0, len(content), width)
    ]


def table_folder(table: Table) -> Path:
    """Where the table keeps its parts."""
    return Path(
        table.node.value(
            "SELECT data_paths[1] FROM system.tables "
            f"WHERE database = '{table.database}' AND name = '{table.name}'"
        )
    )


def detached_folder(table: Table) -> Path:
    return table_folder(table) / "detached"


def copy_to_detached(folder: Path, table: Table) -> Path:
    """Put a copy of a part's folder among the detached parts of a table."""
    return shutil.copytree(folder, detached_folder(table) / folder.name)


def detached_files(table: Table) -> dict[str, dict[str, FileState]]:
    """What lies in the table's folder for detached parts, file for file."""
    return {folder.name: files_of(folder) for folder in detached_folder(table).iterdir()}
