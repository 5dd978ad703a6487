"""Snapshots of parts show every change of a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from steps.table_parts.part_files import files_of
from steps.table_parts.part_snapshots import PartState, differences

PART = "1_1_1_0"


def state(folder: Path, hash: str = "hash") -> dict[str, PartState]:
    return {PART: PartState(1, "Wide", hash, files_of(folder))}


@pytest.fixture
def part(tmp_path: Path) -> Path:
    for name in ("count.txt", "columns.txt"):
        (tmp_path / name).write_text("3")
    return tmp_path


def rewrite(part: Path) -> None:
    """The same content in another file of the same name."""
    (part / "new").write_text("3")
    (part / "new").rename(part / "count.txt")


@pytest.mark.parametrize(
    ("change", "file"),
    [
        (lambda part: (part / "count.txt").touch(), "count.txt"),
        (lambda part: (part / "columns.txt").unlink(), "columns.txt"),
        (lambda part: (part / "another.txt").touch(), "another.txt"),
        (lambda part: (part / "count.txt").write_text("4"), "count.txt"),
        (rewrite, "count.txt"),
    ],
    ids=["touched", "gone", "new", "written", "replaced"],
)
def test_a_file_is(part: Path, change: Callable[[Path], object], file: str) -> None:
    before = state(part)
    assert differences(before, state(part)) == []
    change(part)
    assert differences(before, state(part)) == [f"{PART}/{file} has changed"]


def test_a_part_is_gone_or_has_another_hash(part: Path) -> None:
    before = state(part)
    assert differences(before, {}) == [f"{PART} is gone"]
    assert differences(before, state(part, "another")) == [f"{PART} has another hash"]
