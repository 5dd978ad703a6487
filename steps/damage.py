"""Ways to damage a file of a part."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from helpers.cluster.client.interception import action
from helpers.scenario.step import step


def _one_bit_changed(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


DAMAGES: Mapping[str, Callable[[bytes], bytes | None]] = {  # 5 variants
    "changed": _one_bit_changed,
    "garbled": lambda content: bytes(byte ^ 0x55 for byte in content),
    "truncated": lambda content: content[: len(content) // 2],
    "emptied": lambda content: b"",
    "removed": lambda content: None,
}


def content_of(file: Path) -> bytes | None:
    """What a file holds, or None where there is none."""
    return file.read_bytes() if file.exists() else None


@step("I leave the file {file} {how}")
@action
def damage(file: Path, how: str) -> None:
    """Put a damaged file in the place of a sound one.

    It is a new one: parts of several tables can share a file, and only the one that is meant may be
    hurt.
    """
    sound = file.read_bytes()
    damaged = DAMAGES[how](sound)
    assert damaged != sound, f"{file} is not damaged by being {how}"
    file.unlink()
    if damaged is not None:
        file.write_bytes(damaged)


@contextmanager
def damaged(files: Sequence[Path], how: str) -> Iterator[None]:
    """The files are damaged until the block ends; then they are what they were."""
    sound = {file: file.read_bytes() for file in files}
    for file in files:
        damage(file, how)
    try:
        yield
    finally:
        for file, content in sound.items():
            file.write_bytes(content)
