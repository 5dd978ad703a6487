"""Sabotages of table parts: statements that do something else, or nothing."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant

RQ = "RQ.SRS-102.ClickHouse.TableParts"
CHANGE = re.compile(r"ALTER TABLE \S+ (UPDATE|DELETE|MATERIALIZE|MODIFY|RENAME|DROP COLUMN)")
MERGE = re.compile(r"OPTIMIZE TABLE (?P<table>\S+) .*FINAL")


def rq(*names: str) -> list[str]:
    """The requirements of these names."""
    return [f"{RQ}.{name}" for name in names]


@mutant(violates=[RQ, f"{RQ}.Insert.NewPart", f"{RQ}.Insert.PartPer*", f"{RQ}.Insert.Sorted"])
def parts_insert_twice(statement: InterceptedStatement) -> Answer:
    """INSERT inserts its rows two times."""
    if not statement.sql.startswith("INSERT"):
        return statement.execute()
    statement.execute()
    return statement.respond(statement.execute())


@mutant(
    violates=rq(
        "Name.MergeLevel",
        "Merge.SameRows",
        "Merge.SourcesInactive",
        "Merge.WithinPartition",
        "Immutable",
        "Active.*",
    )
)
def parts_are_not_merged(statement: InterceptedStatement) -> Answer:
    """OPTIMIZE answers and merges nothing."""
    return statement.acknowledge() if MERGE.match(statement.sql) else statement.execute()


@mutant(violates=[RQ, f"{RQ}.Merge.SameRows", f"{RQ}.Active.Read"])
def parts_lose_a_row_in_a_merge(statement: InterceptedStatement) -> Answer:
    """A merge loses the first row."""
    answer, merge = statement.execute(), MERGE.match(statement.sql)
    if merge:
        table = merge["table"]
        statement.inject(
            f"ALTER TABLE {table} DELETE WHERE i = (SELECT min(i) FROM {table}) SETTINGS mutations_sync = 2"
        )
    return answer


@mutant(
    violates=[
        RQ,
        *rq("Mutation.*", "Immutable", "Active.Read", "Inactive.Removal"),
        *rq("Travel.PendingChanges", "Travel.ModifiedTTL", "Move.ChangedTTL"),
        *rq("Indexes.PendingChanges", "Freeze.PendingProjection", "Update.Acknowledged"),
    ]
)
def parts_are_not_mutated(statement: InterceptedStatement) -> Answer:
    """Mutations answer and change nothing."""
    return statement.acknowledge() if CHANGE.match(statement.sql) else statement.execute()


@mutant(violates=[f"{RQ}.Detached.Command", f"{RQ}.Detached.Attach", f"{RQ}.Detached.Kept"])
def parts_are_not_detached(statement: InterceptedStatement) -> Answer:
    """DETACH answers and detaches nothing."""
    return statement.acknowledge() if " DETACH PART" in statement.sql else statement.execute()


@mutant(
    violates=rq(
        *("Detached.Attach", "Detached.Kept", "SelfContained.*Attach*"),
        *("SelfContained.OtherTable", "Travel.ChangedWhileDetached", "Update.Snapshots"),
    )
)
def parts_are_not_attached(statement: InterceptedStatement) -> Answer:
    """ATTACH answers and attaches nothing, whatever the part is like."""
    return statement.acknowledge() if " ATTACH PART" in statement.sql else statement.execute()
