"""The checks of scenarios on parts notice what is wrong: names, lines of system.parts, indexes, readers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from scenarios.table_parts.formats.indexes import has_entries
from scenarios.table_parts.life.names import misnamed
from scenarios.table_parts.merges.readers import Watch, numbers
from steps.table_parts.part_life import PartRecord

PART = PartRecord("1_2_3_4", 1, 1, "1", 2, 3, 4, 5, "Wide", "/parts/1_2_3_4/")


def test_a_part_may_be_named_by_its_components() -> None:
    assert misnamed({"part": PART}) == []
    assert len(misnamed({"part": PART}, suffix="_{version}")) == 1


@pytest.mark.parametrize(
    "wrong",
    [
        {"partition_id": "9"},
        {"min_block": 9},
        {"max_block": 9},
        {"level": 9},
        {"path": "/parts/9/"},
    ],
    ids=str,
)
def test_a_wrong_name_is_noticed(wrong: dict[str, Any]) -> None:
    assert len(misnamed({"part": replace(PART, **wrong)})) == 1


@pytest.fixture
def inserted(tmp_path: Path) -> PartRecord:
    """A part of one row as the server lists it, with its files."""
    folder = tmp_path / "1_1_1_0"
    folder.mkdir()
    (folder / "count.txt").write_text("1")
    (folder / "data.cmrk4").touch()
    return PartRecord("1_1_1_0", 1, 1, "1", 1, 1, 0, 1, "Compact", f"{folder}/")


def test_a_line_that_agrees_with_its_part_has_no_contradictions(inserted: PartRecord) -> None:
    assert inserted.contradictions() == []


@pytest.mark.parametrize(
    "wrong",
    [{"level": 9}, {"active": 2}, {"kind": "Wide"}, {"rows": 2}, {"path": "/other/"}],
    ids=str,
)
def test_a_line_that_contradicts_its_part_is_noticed(
    inserted: PartRecord, wrong: dict[str, Any]
) -> None:
    assert len(replace(inserted, **wrong).contradictions()) == 1


@pytest.mark.parametrize("entries", [[1, 2], [1, 2, 3, 4], [1, 2, 9], []])
def test_an_index_with_other_entries_is_noticed(tmp_path: Path, entries: list[int]) -> None:
    file = tmp_path / "primary.idx"
    file.write_bytes(b"".join(entry.to_bytes(8, "little") for entry in [1, 2, 3]))
    assert has_entries(file, [1, 2, 3])
    assert not has_entries(file, entries)


SOURCES = [f"0_{number}_{number}_0" for number in (1, 2, 3)]
MERGED = ["0_1_3_1"]


def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """The view of readers on a table with one partition."""
    monkeypatch.setattr("scenarios.table_parts.merges.readers.PARTITIONS", 1)
    return Watch(None, {"0": SOURCES})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("rows", "is_right"),
    [
        ([(0, SOURCES, numbers(0))], True),
        ([(0, MERGED, numbers(0))], True),
        ([], False),
        ([(0, [*MERGED, *SOURCES], numbers(0))], False),
        ([(0, MERGED, [*numbers(0), 0])], False),
    ],
    ids=["sources", "merged", "no partition", "sources beside the merged part", "a row twice"],
)
def test_wrong_reads_are_noticed(
    monkeypatch: pytest.MonkeyPatch, rows: list[Any], is_right: bool
) -> None:
    seen = watch(monkeypatch)
    seen.judge_rows(rows)
    assert (seen.wrong == []) is is_right


@pytest.mark.parametrize(
    ("change", "is_right"),
    [
        (lambda merged: [merged], True),
        (lambda merged: [], False),
        (lambda merged: [merged, replace(merged, name=SOURCES[0], level=0, max_block=1)], False),
    ],
    ids=["merged", "no part", "a source beside the merged part"],
)
def test_wrong_active_parts_are_noticed(
    monkeypatch: pytest.MonkeyPatch, change: Any, is_right: bool
) -> None:
    seen = watch(monkeypatch)
    seen.judge_parts(change(PartRecord(MERGED[0], 1, 3, "0", 1, 3, 1, 1, "Wide", "/")))
    assert (seen.wrong == []) is is_right
