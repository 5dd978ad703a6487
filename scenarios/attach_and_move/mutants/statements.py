"""Sabotages of ATTACH, DETACH and MOVE: statements that do nothing, too much, or are not refused."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from helpers.sensitivity.refusals import accept_refusal

RQ = "RQ.SRS-103.ClickHouse.AttachAndMove"
ATTACH = re.compile(r"ALTER TABLE \S+ ATTACH PART(?!ITION \S+ FROM)")
MOVE = re.compile(r"ALTER TABLE (\S+) MOVE PARTITION (\S+) TO TABLE (\S+)")
STATEMENT = re.compile(r"ALTER TABLE \S+ (ATTACH|DETACH|MOVE|MODIFY SETTING)")


def rq(*names: str) -> list[str]:
    """The requirements of these names."""
    return [f"{RQ}.{name}" for name in names]


@mutant(
    violates=rq(
        *("Attach", "Nothing", "MaskedRows", "Level", "ForeignNames", "ForeignParts", "Disks"),
        *("OtherPartition", "AllOrNothing", "Integrity", "TemporaryTables", "Privileges"),
        "Crash.Attach",
    )
)
def attach_does_nothing(statement: InterceptedStatement) -> Answer:
    """ATTACH PART and ATTACH PARTITION answer and attach nothing."""
    return statement.acknowledge() if ATTACH.match(statement.sql) else statement.execute()


@mutant(
    violates=rq(
        *("MaskedRows", "MoveToTable", "MoveToItself", "MoveRefused", "TemporaryTables"),
        *("Privileges", "Crash.Move"),
    )
)
def move_does_nothing(statement: InterceptedStatement) -> Answer:
    """MOVE PARTITION TO TABLE answers and moves nothing."""
    return statement.acknowledge() if MOVE.match(statement.sql) else statement.execute()


@mutant(violates=rq("MoveToTable", "MoveToItself"))
def moved_rows_stay(statement: InterceptedStatement) -> Answer:
    """MOVE PARTITION TO TABLE copies the rows and leaves them in the source."""
    match = MOVE.match(statement.sql)
    if not match:
        return statement.execute()
    source, partition, destination = match.groups()
    return statement.substitute(
        f"ALTER TABLE {destination} ATTACH PARTITION {partition} FROM {source}"
    )


@mutant(
    violates=rq(
        *("Nothing", "OtherPartition", "MoveRefused", "TemporaryTables", "StoragePolicy"),
        *("Privileges", "AllOrNothing", "DamagedSource"),
    )
)
def refusals_are_swallowed(statement: InterceptedStatement) -> Answer:
    """A statement that has to be refused is answered as if it had succeeded."""
    return accept_refusal(statement, bool(STATEMENT.match(statement.sql)))


@mutant(violates=rq("OpposingMoves", "MoveAndMutation", "Disks"))
def a_row_is_doubled_by_a_move(statement: InterceptedStatement) -> Answer:
    """A row is there twice when its partition has been moved to another disk or attached."""
    answer = statement.execute()
    match = re.match(r"ALTER TABLE (\S+) (MOVE PARTITION \S+ TO DISK|ATTACH PART)", statement.sql)
    if match:
        statement.inject(f"INSERT INTO {match[1]} SELECT * FROM {match[1]} LIMIT 1")
    return answer
