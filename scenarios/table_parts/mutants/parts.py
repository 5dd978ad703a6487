"""Sabotages of table parts: statements that do something else, or nothing."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant

RQ = "RQ.SRS-102.ClickHouse.TableParts"
WITH_NUMBERS = re.compile(r"INSERT INTO (?P<table>\S+) SELECT number FROM numbers")
CHANGE = re.compile(r"ALTER TABLE \S+ (UPDATE|DELETE|MATERIALIZE|MODIFY|RENAME|DROP COLUMN)")
LIMIT = re.compile(r"(?P<setting>max_bytes_to_merge_at_max_space_in_pool = )\d{4,}")
MERGE = re.compile(r"OPTIMIZE TABLE (?P<table>\S+) .*FINAL")


def rq(*names: str) -> list[str]:
    """The requirements of these names."""
    return [f"{RQ}.{name}" for name in names]


def created(statement: InterceptedStatement, pattern: str, by: str) -> Answer:
    """A table made otherwise than it was asked for."""
    if not statement.sql.startswith("CREATE TABLE") or not re.search(pattern, statement.sql):
        return statement.execute()
    return statement.substitute(re.sub(pattern, by, statement.sql))


@mutant(violates=[RQ, f"{RQ}.Insert.NewPart", f"{RQ}.Insert.PartPer*", f"{RQ}.Insert.Sorted"])
def parts_insert_twice(statement: InterceptedStatement) -> Answer:
    """INSERT inserts its rows two times."""
    if not statement.sql.startswith("INSERT"):
        return statement.execute()
    statement.execute()
    return statement.respond(statement.execute())


@mutant(violates=[f"{RQ}.Insert.NoRows"])
def parts_insert_of_nothing(statement: InterceptedStatement) -> Answer:
    """INSERT without rows inserts an empty one."""
    match = re.match(
        r"INSERT INTO (\S+) SELECT 1, number, '' FROM numbers\(9\) WHERE", statement.sql
    )
    if match:
        statement.inject(f"INSERT INTO {match[1]} VALUES (0, 0, '')")
    return statement.execute()


@mutant(violates=[f"{RQ}.Insert.Failed"])
def parts_without_constraints(statement: InterceptedStatement) -> Answer:
    """Constraints are not looked at."""
    return created(statement, r", CONSTRAINT above_zero CHECK i > 0", "")


@mutant(violates=[f"{RQ}.Insert.TooManyPartitions"])
def parts_of_any_number_of_partitions(statement: InterceptedStatement) -> Answer:
    """The limit of partitions of a block is not looked at."""
    if not WITH_NUMBERS.match(statement.sql):
        return statement.execute()
    return statement.substitute(f"{statement.sql} SETTINGS max_partitions_per_insert_block = 0")


@mutant(violates=[f"{RQ}.Insert.PartPerBlock"])
def parts_of_large_blocks(statement: InterceptedStatement) -> Answer:
    """Blocks of an INSERT are put together before they become parts."""
    if not WITH_NUMBERS.match(statement.sql):
        return statement.execute()
    return statement.substitute(f"{statement.sql} SETTINGS min_insert_block_size_rows = 1000")


@mutant(violates=[f"{RQ}.Insert.PartPerPartition", f"{RQ}.Merge.WithinPartition"])
def parts_of_two_partitions(statement: InterceptedStatement) -> Answer:
    """Two partitions are stored as one."""
    return created(statement, r"PARTITION BY p\b", "PARTITION BY intDiv(p, 2)")


@mutant(violates=[f"{RQ}.Insert.Sorted", f"{RQ}.Merge.SameRows"])
def parts_in_another_order(statement: InterceptedStatement) -> Answer:
    """Parts are sorted by something else."""
    return created(statement, r"ORDER BY .*(?= SETTINGS)", "ORDER BY cityHash64(i)")


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


@mutant(violates=[f"{RQ}.Merge.Background"])
def parts_are_left_alone(statement: InterceptedStatement) -> Answer:
    """The background merges nothing."""
    return created(
        statement,
        r"SETTINGS (?!max_bytes_to_merge)",
        "SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1, ",
    )


@mutant(violates=[f"{RQ}.Merge.SizeLimit"])
def parts_of_any_size_are_merged(statement: InterceptedStatement) -> Answer:
    """The limit of the size of background merges is not looked at."""
    limited = re.sub(LIMIT, r"\g<setting>1000000", statement.sql)
    return statement.execute() if limited == statement.sql else statement.substitute(limited)


@mutant(violates=[f"{RQ}.Merge.ExpiredRows"])
def parts_keep_expired_rows(statement: InterceptedStatement) -> Answer:
    """Nothing expires."""
    return created(statement, r" TTL time DELETE", "")


@mutant(violates=[RQ, *rq("Mutation.*", "Immutable", "Active.Read", "Inactive.Removal")])
def parts_are_not_mutated(statement: InterceptedStatement) -> Answer:
    """Mutations answer and change nothing."""
    return statement.acknowledge() if CHANGE.match(statement.sql) else statement.execute()


@mutant(violates=[f"{RQ}.Mutation.EmptyPart"])
def parts_without_rows_stay(statement: InterceptedStatement) -> Answer:
    """Empty parts are not removed."""
    return created(statement, r"remove_empty_parts = 1", "remove_empty_parts = 0")


@mutant(violates=[f"{RQ}.Mutation.EmptyPart"])
def parts_without_rows_always_go(statement: InterceptedStatement) -> Answer:
    """Empty parts are removed though the table is to keep them."""
    return created(statement, r"remove_empty_parts = 0", "remove_empty_parts = 1")


@mutant(violates=[f"{RQ}.Inactive.Lifetime"])
def parts_have_no_lifetime(statement: InterceptedStatement) -> Answer:
    """Superseded parts are removed at once."""
    return created(statement, r"old_parts_lifetime = 600", "old_parts_lifetime = 0")


@mutant(violates=[f"{RQ}.Inactive.Removal", f"{RQ}.Inactive.Lifetime"])
def parts_live_for_ever(statement: InterceptedStatement) -> Answer:
    """Superseded parts are not removed."""
    return created(statement, r"old_parts_lifetime = [012]\b", "old_parts_lifetime = 600")


@mutant(violates=[f"{RQ}.Detached.Command", f"{RQ}.Detached.Attach", f"{RQ}.Detached.Kept"])
def parts_are_not_detached(statement: InterceptedStatement) -> Answer:
    """DETACH answers and detaches nothing."""
    return statement.acknowledge() if " DETACH PART" in statement.sql else statement.execute()


@mutant(
    violates=rq(
        "Detached.Attach", "Detached.Kept", "SelfContained.*Attach*", "SelfContained.OtherTable"
    )
)
def parts_are_not_attached(statement: InterceptedStatement) -> Answer:
    """ATTACH answers and attaches nothing, whatever the part is like."""
    return statement.acknowledge() if " ATTACH PART" in statement.sql else statement.execute()
