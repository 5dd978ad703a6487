"""Sabotages of table parts: what system tables, CHECK TABLE, reads and files say is not true."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from helpers.cluster.client.queries import OVER_HTTP as HTTP
from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from scenarios.table_parts.mutants.parts import RQ, rq

NAME, ACTIVE, ROWS, MIN_BLOCK, MAX_BLOCK, LEVEL, VERSION, KIND = 0, 1, 2, 4, 5, 6, 7, 8
PATH = 9
COLUMN_READ = "SELECT sum(cityHash64(`"

Line = list[Any]


def parts_shown(
    statement: InterceptedStatement, change: Callable[[list[Line]], list[Line]]
) -> Answer:
    """Another answer of system.parts than the server gave, if it was asked for parts."""
    answer = statement.execute()
    if "FROM system.parts" not in statement.sql or "min_block_number" not in statement.sql:
        return answer
    changed = [tuple(line) for line in change([list(line) for line in answer])]
    return answer if changed == answer else statement.respond(changed)


def with_column(lines: list[Line], column: int, value: Callable[[Line], Any]) -> list[Line]:
    for line in lines:
        line[column] = value(line)
    return lines


def touched(statement: InterceptedStatement, file: str, touch: Callable[[Path], None]) -> Answer:
    """Files of parts are meddled with before somebody looks at the parts."""
    answer = statement.execute()
    if "FROM system.parts" in statement.sql and "min_block_number" in statement.sql:
        for line in answer:
            for path in Path(line[PATH]).glob(file):
                statement.mark_changed()
                touch(path)
    return answer


def no_count(file: Path) -> None:
    file.write_text("0")


def other_range(file: Path) -> None:
    file.write_bytes(b"\xff" + file.read_bytes()[1:])


@mutant(violates=[RQ, f"{RQ}.SelfContained.Metadata"])
def parts_count_a_row_too_many(statement: InterceptedStatement) -> Answer:
    """system.parts counts a row too many."""
    return parts_shown(
        statement, lambda lines: with_column(lines, ROWS, lambda line: line[ROWS] + 1)
    )


@mutant(violates=[f"{RQ}.Name", f"{RQ}.Name.InsertLevel", f"{RQ}.Name.MergeLevel"])
def parts_are_a_level_higher(statement: InterceptedStatement) -> Answer:
    """Every part has a level too many."""
    return parts_shown(
        statement, lambda lines: with_column(lines, LEVEL, lambda line: line[LEVEL] + 1)
    )


@mutant(violates=[f"{RQ}.Mutation.Blocks", f"{RQ}.Name"])
def parts_rise_by_mutations(statement: InterceptedStatement) -> Answer:
    """A mutation raises the level of the part."""
    return parts_shown(
        statement,
        lambda lines: with_column(
            lines, LEVEL, lambda line: line[LEVEL] + (line[VERSION] > line[MAX_BLOCK])
        ),
    )


@mutant(violates=[f"{RQ}.Name", f"{RQ}.Name.BlockNumber", f"{RQ}.Detached.Attach"])
def parts_have_the_first_block(statement: InterceptedStatement) -> Answer:
    """Every part has the block number 1."""

    def first(lines: list[Line]) -> list[Line]:
        return with_column(with_column(lines, MIN_BLOCK, lambda _: 1), MAX_BLOCK, lambda _: 1)

    return parts_shown(statement, first)


@mutant(
    violates=rq(
        "Merge.SourcesInactive", "Mutation.NewPart", "Active.Read", "Inactive.Restart", "Immutable"
    )
)
def parts_stay_active(statement: InterceptedStatement) -> Answer:
    """Superseded parts are still active."""
    return parts_shown(statement, lambda lines: with_column(lines, ACTIVE, lambda _: 1))


@mutant(
    violates=rq(
        "Active.RunningQuery",
        "Inactive.Lifetime",
        "Inactive.Restart",
        "Inactive.Recovery",
        "Merge.SourcesInactive",
    )
)
def parts_vanish_when_superseded(statement: InterceptedStatement) -> Answer:
    """system.parts does not show superseded parts."""
    return parts_shown(statement, lambda lines: [line for line in lines if line[ACTIVE]])


@mutant(violates=[f"{RQ}.Format.*"])
def parts_are_all_wide(statement: InterceptedStatement) -> Answer:
    """Every part is called wide."""
    return parts_shown(statement, lambda lines: with_column(lines, KIND, lambda _: "Wide"))


@mutant(violates=[f"{RQ}.Format.*"])
def parts_are_all_compact(statement: InterceptedStatement) -> Answer:
    """Every part is called compact."""
    return parts_shown(statement, lambda lines: with_column(lines, KIND, lambda _: "Compact"))


@mutant(violates=[f"{RQ}.Format.Wide"])
def parts_share_files(statement: InterceptedStatement) -> Answer:
    """A column that cannot be read takes those behind it with it."""
    if COLUMN_READ + "i`" in statement.sql:  # the first one
        statement.memory["broken"] = False
    if COLUMN_READ not in statement.sql:
        return statement.execute()
    if statement.memory.get("broken"):
        return statement.refuse(40, "Checksum doesn't match")
    try:
        return statement.execute()
    except BaseException:
        statement.memory["broken"] = True
        raise


@mutant(violates=[f"{RQ}.Format.Compact"])
def parts_have_a_column_elsewhere(statement: InterceptedStatement) -> Answer:
    """One column can be read whatever has happened to data.bin."""
    if COLUMN_READ + "word" not in statement.sql or statement.channel is not HTTP:
        return statement.execute()
    return statement.respond(b"1\n")


@mutant(violates=[f"{RQ}.SelfContained.Metadata"])
def parts_count_wrongly_on_disk(statement: InterceptedStatement) -> Answer:
    """count.txt has another number."""
    return touched(statement, "count.txt", no_count)


@mutant(violates=[f"{RQ}.SelfContained.Partition"])
def parts_have_a_wrong_range(statement: InterceptedStatement) -> Answer:
    """The minmax files begin with another value."""
    return touched(
        statement,
        "minmax_*.idx",
        other_range,
    )


@mutant(violates=[f"{RQ}.Immutable", f"{RQ}.Insert.NewPart"])
def parts_are_touched(statement: InterceptedStatement) -> Answer:
    """Files of parts are written to again, with the same content."""
    return touched(statement, "count.txt", lambda file: os.utime(file))


@mutant(violates=[f"{RQ}.SelfContained.Checksums"])
def parts_always_pass(statement: InterceptedStatement) -> Answer:
    """CHECK TABLE finds nothing."""
    return _checked(statement, passes=1)


@mutant(violates=[f"{RQ}.SelfContained.Checksums"])
def parts_never_pass(statement: InterceptedStatement) -> Answer:
    """CHECK TABLE blames sound parts, too."""
    return _checked(statement, passes=0)


@mutant(violates=rq("Detached.*", "Inactive.Recovery", "SelfContained.AttachIncomplete"))
def parts_are_detached_unseen(statement: InterceptedStatement) -> Answer:
    """system.detached_parts is empty."""
    answer = statement.execute()
    return (
        statement.respond([])
        if "FROM system.detached_parts" in statement.sql and answer
        else answer
    )


@mutant(violates=[f"{RQ}.Detached.Broken", f"{RQ}.Detached.Command", f"{RQ}.Inactive.Recovery"])
def parts_are_detached_for_another_reason(statement: InterceptedStatement) -> Answer:
    """Detached parts have another reason."""
    answer = statement.execute()
    if "FROM system.detached_parts" not in statement.sql or not answer:
        return answer
    return statement.respond([(name, "ignored") for name, _ in answer])


@mutant(
    violates=[
        RQ,
        *rq(
            "Active.Read",
            "Detached.*",
            "Inactive.Recovery",
            "Inactive.Restart",
            "Merge.*",
            "SelfContained.OtherTable",
        ),
    ]
)
def parts_hide_a_row(statement: InterceptedStatement) -> Answer:
    """A SELECT of several rows leaves one of them out."""
    answer = statement.execute()
    read = statement.sql.startswith(("SELECT * FROM", "SELECT p, i FROM", "SELECT _part"))
    return statement.respond(answer[:-1]) if read and len(answer) > 1 else answer


def _checked(statement: InterceptedStatement, passes: int) -> Answer:
    """Another answer of CHECK TABLE for every part."""
    answer = statement.execute()
    if not statement.sql.startswith("CHECK TABLE"):
        return answer
    return statement.respond(
        [(line[0], passes, "") if len(line) == 3 else (passes,) for line in answer]
    )
