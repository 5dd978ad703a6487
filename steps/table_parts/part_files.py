"""The folder of a part: its files and what they say."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from helpers.cluster.client.interception import action
from steps.tables import Table


@dataclass(frozen=True)
class FileState:
    """What would show that somebody has written to a file or put another one in its place."""

    size: int
    inode: int
    modified: int
    content: str


def files_of(folder: Path) -> dict[str, FileState]:
    """All files of a part, by name."""
    states = {}
    for file in sorted(folder.iterdir()):
        status = file.stat()
        content = hashlib.sha256(file.read_bytes()).hexdigest()
        states[file.name] = FileState(status.st_size, status.st_ino, status.st_mtime_ns, content)
    assert states, f"the fixture is empty: {folder} has no files"
    return states


def changes(before: dict[str, FileState], after: dict[str, FileState]) -> list[str]:
    """The names of the files that were added, removed or touched."""
    return sorted(
        name for name in before.keys() | after.keys() if before.get(name) != after.get(name)
    )


def lost_files(
    before: Mapping[str, dict[str, FileState]], after: Mapping[str, dict[str, FileState]]
) -> list[str]:
    """The files of directories that are gone or were touched; an attempt to attach a part may leave a note
    in addition to them."""
    return [
        f"{folder}/{name}"
        for folder, files in before.items()
        for name, state in files.items()
        if after.get(folder, {}).get(name) != state
    ]


def format_on_disk(folder: Path) -> str | None:
    """The format of a part, by how its files of marks are called; None where it has no such files."""
    try:
        suffixes = {file.suffix for file in folder.iterdir() if "mrk" in file.suffix}
    except FileNotFoundError:
        return None
    if not suffixes:
        return None
    return "Compact" if any(suffix.endswith(("3", "4")) for suffix in suffixes) else "Wide"


def rows_on_disk(folder: Path) -> int | None:
    """How many rows count.txt tells; None where it is not there, or somewhere else (object stores)."""
    try:
        text = (folder / "count.txt").read_text()
    except FileNotFoundError:
        return None
    return int(text) if text.isdigit() else None


def columns_text(columns: Mapping[str, str]) -> str:
    """What columns.txt has to say of these columns and types."""
    lines = [f"`{name}` {type_}\n" for name, type_ in columns.items()]
    return f"columns format version: 1\n{len(lines)} columns:\n{''.join(lines)}"


def numbers_of(content: bytes, width: int = 8) -> list[int]:
    """Plain unsigned numbers, so many bytes each."""
    assert len(content) % width == 0, f"{len(content)} bytes are not {width} a number"
    return [
        int.from_bytes(content[start : start + width], "little")
        for start in range(0, len(content), width)
    ]


def table_folder(table: Table) -> Path:
    """Where the table keeps its parts."""
    path = table.node.value(
        "SELECT data_paths[1] FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}'"
    )
    assert path.endswith("/") and Path(path).is_dir(), f"{table} is in {path}, which is no folder"
    return Path(path)


def detached_folder(table: Table) -> Path:
    return table_folder(table) / "detached"


@action
def copy_to_detached(folder: Path, table: Table) -> Path:
    """Put a copy of a part's folder among the detached parts of a table."""
    return shutil.copytree(folder, detached_folder(table) / folder.name)


def detached_files(table: Table) -> dict[str, dict[str, FileState]]:
    """What lies in the table's folder for detached parts, file for file."""
    return {folder.name: files_of(folder) for folder in detached_folder(table).iterdir()}
