"""Sabotages of table parts: what system tables, CHECK TABLE, reads and files say is not true."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helpers.mutants import HTTP, Answer, Said, mutant

RQ = "RQ.SRS-102.ClickHouse.TableParts"
NAME, ACTIVE, ROWS, MIN_BLOCK, MAX_BLOCK, LEVEL, VERSION, KIND = 0, 1, 2, 4, 5, 6, 7, 8
PATH = 11
COLUMN_READ = "SELECT sum(cityHash64(`"

Line = list[Any]


def parts_shown(said: Said, change: Callable[[list[Line]], list[Line]]) -> Answer:
    """Another answer of system.parts than the server gave, if it was asked for parts."""
    answer = said.run()
    if "FROM system.parts" not in said.sql or "min_block_number" not in said.sql:
        return answer
    changed = [tuple(line) for line in change([list(line) for line in answer])]
    return answer if changed == answer else said.lie(changed)


def with_column(lines: list[Line], column: int, value: Callable[[Line], Any]) -> list[Line]:
    for line in lines:
        line[column] = value(line)
    return lines


def touched(said: Said, file: str, touch: Callable[[Path], None]) -> Answer:
    """Files of parts are meddled with before somebody looks at the parts."""
    answer = said.run()
    if "FROM system.parts" in said.sql and "min_block_number" in said.sql:
        for line in answer:
            for found in Path(line[PATH]).glob(file):
                said.lied()
                touch(found)
    return answer


def no_count(file: Path) -> None:
    file.write_text("0")


def other_range(file: Path) -> None:
    file.write_bytes(b"\xff" + file.read_bytes()[1:])


@mutant(violates=[RQ, f"{RQ}.SelfContained.Metadata"])
def parts_count_a_row_too_many(said: Said) -> Answer:
    """system.parts counts a row too many."""
    return parts_shown(said, lambda lines: with_column(lines, ROWS, lambda line: line[ROWS] + 1))


@mutant(violates=[f"{RQ}.Name", f"{RQ}.Name.InsertLevel", f"{RQ}.Name.MergeLevel"])
def parts_are_a_level_higher(said: Said) -> Answer:
    """Every part has a level too many."""
    return parts_shown(said, lambda lines: with_column(lines, LEVEL, lambda line: line[LEVEL] + 1))


@mutant(violates=[f"{RQ}.Mutation.Blocks", f"{RQ}.Name"])
def parts_rise_by_mutations(said: Said) -> Answer:
    """A mutation raises the level of the part."""
    return parts_shown(
        said,
        lambda lines: with_column(
            lines, LEVEL, lambda line: line[LEVEL] + (line[VERSION] > line[MAX_BLOCK])
        ),
    )


@mutant(violates=[f"{RQ}.Name", f"{RQ}.Name.BlockNumber", f"{RQ}.Detached.Attach"])
def parts_have_the_first_block(said: Said) -> Answer:
    """Every part has the block number 1."""

    def first(lines: list[Line]) -> list[Line]:
        return with_column(with_column(lines, MIN_BLOCK, lambda _: 1), MAX_BLOCK, lambda _: 1)

    return parts_shown(said, first)


@mutant(
    violates=[
        f"{RQ}.Merge.SourcesInactive",
        f"{RQ}.Mutation.NewPart",
        f"{RQ}.Active.Read",
        f"{RQ}.Inactive.Restart",
        f"{RQ}.Immutable",
    ]
)
def parts_stay_active(said: Said) -> Answer:
    """Superseded parts are still active."""
    return parts_shown(said, lambda lines: with_column(lines, ACTIVE, lambda _: 1))


@mutant(
    violates=[
        f"{RQ}.Active.RunningQuery",
        f"{RQ}.Inactive.Lifetime",
        f"{RQ}.Inactive.Restart",
        f"{RQ}.Inactive.Recovery",
        f"{RQ}.Merge.SourcesInactive",
    ]
)
def parts_vanish_when_superseded(said: Said) -> Answer:
    """system.parts does not show superseded parts."""
    return parts_shown(said, lambda lines: [line for line in lines if line[ACTIVE]])


@mutant(violates=[f"{RQ}.Format.*"])
def parts_are_all_wide(said: Said) -> Answer:
    """Every part is called wide."""
    return parts_shown(said, lambda lines: with_column(lines, KIND, lambda _: "Wide"))


@mutant(violates=[f"{RQ}.Format.*"])
def parts_are_all_compact(said: Said) -> Answer:
    """Every part is called compact."""
    return parts_shown(said, lambda lines: with_column(lines, KIND, lambda _: "Compact"))


@mutant(violates=[f"{RQ}.Format.Wide"])
def parts_share_files(said: Said) -> Answer:
    """A column that cannot be read takes those behind it with it."""
    if said.sql.startswith("SYSTEM DROP"):
        said.memory["broken"] = False
    if COLUMN_READ not in said.sql:
        return said.run()
    if said.memory.get("broken"):
        return said.refuse(40, "Checksum doesn't match")
    try:
        return said.run()
    except BaseException:
        said.memory["broken"] = True
        raise


@mutant(violates=[f"{RQ}.Format.Compact"])
def parts_have_a_column_elsewhere(said: Said) -> Answer:
    """One column can be read whatever has happened to data.bin."""
    if COLUMN_READ + "word" not in said.sql or said.channel is not HTTP:
        return said.run()
    return said.lie(b"1\n")


@mutant(violates=[f"{RQ}.SelfContained.Metadata"])
def parts_count_wrongly_on_disk(said: Said) -> Answer:
    """count.txt has another number."""
    return touched(said, "count.txt", no_count)


@mutant(violates=[f"{RQ}.SelfContained.Partition"])
def parts_have_a_wrong_range(said: Said) -> Answer:
    """The minmax files begin with another value."""
    return touched(
        said,
        "minmax_*.idx",
        other_range,
    )


@mutant(violates=[f"{RQ}.Immutable", f"{RQ}.Insert.NewPart"])
def parts_are_touched(said: Said) -> Answer:
    """Files of parts are written to again, with the same content."""
    return touched(said, "count.txt", lambda file: os.utime(file))


@mutant(violates=[f"{RQ}.SelfContained.Checksums"])
def parts_always_pass(said: Said) -> Answer:
    """CHECK TABLE finds nothing."""
    answer = said.run()
    if not said.sql.startswith("CHECK TABLE"):
        return answer
    return said.lie([(line[0], 1, "") if len(line) == 3 else (1,) for line in answer])


@mutant(violates=[f"{RQ}.SelfContained.Checksums"])
def parts_never_pass(said: Said) -> Answer:
    """CHECK TABLE blames sound parts, too."""
    answer = said.run()
    if not said.sql.startswith("CHECK TABLE"):
        return answer
    return said.lie([(line[0], 0, "") if len(line) == 3 else (0,) for line in answer])


@mutant(
    violates=[
        f"{RQ}.Detached.*",
        f"{RQ}.Inactive.Recovery",
        f"{RQ}.SelfContained.AttachIncomplete",
    ]
)
def parts_are_detached_unseen(said: Said) -> Answer:
    """system.detached_parts is empty."""
    answer = said.run()
    return said.lie([]) if "FROM system.detached_parts" in said.sql and answer else answer


@mutant(violates=[f"{RQ}.Detached.Broken", f"{RQ}.Detached.Command", f"{RQ}.Inactive.Recovery"])
def parts_are_detached_for_another_reason(said: Said) -> Answer:
    """Detached parts have another reason."""
    answer = said.run()
    if "FROM system.detached_parts" not in said.sql or not answer:
        return answer
    return said.lie([(name, "ignored") for name, _ in answer])


@mutant(
    violates=[
        RQ,
        f"{RQ}.Active.Read",
        f"{RQ}.Detached.*",
        f"{RQ}.Inactive.Recovery",
        f"{RQ}.Inactive.Restart",
        f"{RQ}.Merge.*",
        f"{RQ}.SelfContained.OtherTable",
    ],
    tolerated={
        f"{RQ}.Merge.SourcesInactive": "its readers ask for sums, not for rows",
    },
)
def parts_hide_a_row(said: Said) -> Answer:
    """A SELECT of several rows leaves one of them out."""
    answer = said.run()
    read = said.sql.startswith(("SELECT * FROM", "SELECT _part"))
    return said.lie(answer[:-1]) if read and len(answer) > 1 else answer
