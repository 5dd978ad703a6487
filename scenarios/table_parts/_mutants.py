"""Sabotages of table parts: statements that do something else, or nothing."""

from __future__ import annotations

import re

from helpers.mutants import Answer, Said, mutant

RQ = "RQ.SRS-102.ClickHouse.TableParts"
WITH_NUMBERS = re.compile(r"INSERT INTO (?P<table>\S+) SELECT number FROM numbers")
CHANGE = re.compile(r"ALTER TABLE \S+ (UPDATE|DELETE|MATERIALIZE|MODIFY|RENAME|DROP COLUMN)")
MERGE = re.compile(r"OPTIMIZE TABLE (?P<table>\S+) .*FINAL")


def created(said: Said, pattern: str, by: str) -> Answer:
    """A table made otherwise than it was asked for."""
    if not said.sql.startswith("CREATE TABLE") or not re.search(pattern, said.sql):
        return said.run()
    return said.lie(said.run(re.sub(pattern, by, said.sql)))


@mutant(violates=[RQ, f"{RQ}.Insert.NewPart", f"{RQ}.Insert.PartPer*", f"{RQ}.Insert.Sorted"])
def parts_insert_twice(said: Said) -> Answer:
    """INSERT inserts its rows two times."""
    if not said.sql.startswith("INSERT"):
        return said.run()
    said.run()
    return said.lie(said.run())


@mutant(violates=[f"{RQ}.Insert.NoRows"])
def parts_insert_of_nothing(said: Said) -> Answer:
    """INSERT without rows inserts an empty one."""
    found = re.match(r"INSERT INTO (\S+) SELECT 1, number, '' FROM numbers\(9\) WHERE", said.sql)
    if found:
        said.also(f"INSERT INTO {found[1]} VALUES (0, 0, '')")
    return said.run()


@mutant(violates=[f"{RQ}.Insert.Failed"])
def parts_without_constraints(said: Said) -> Answer:
    """Constraints are not looked at."""
    return created(said, r", CONSTRAINT above_zero CHECK i > 0", "")


@mutant(violates=[f"{RQ}.Insert.TooManyPartitions"])
def parts_of_any_number_of_partitions(said: Said) -> Answer:
    """The limit of partitions of a block is not looked at."""
    if not WITH_NUMBERS.match(said.sql):
        return said.run()
    return said.lie(said.run(f"{said.sql} SETTINGS max_partitions_per_insert_block = 0"))


@mutant(violates=[f"{RQ}.Insert.PartPerBlock"])
def parts_of_large_blocks(said: Said) -> Answer:
    """Blocks of an INSERT are put together before they become parts."""
    if not WITH_NUMBERS.match(said.sql):
        return said.run()
    return said.lie(said.run(f"{said.sql} SETTINGS min_insert_block_size_rows = 1000"))


@mutant(violates=[f"{RQ}.Insert.PartPerPartition", f"{RQ}.Merge.WithinPartition"])
def parts_of_two_partitions(said: Said) -> Answer:
    """Two partitions are stored as one."""
    return created(said, r"PARTITION BY p\b", "PARTITION BY intDiv(p, 2)")


@mutant(violates=[f"{RQ}.Insert.Sorted", f"{RQ}.Merge.SameRows"])
def parts_in_another_order(said: Said) -> Answer:
    """Parts are sorted by something else."""
    return created(said, r"ORDER BY .*(?= SETTINGS)", "ORDER BY cityHash64(i)")


@mutant(
    violates=[
        f"{RQ}.Name.MergeLevel",
        f"{RQ}.Merge.SameRows",
        f"{RQ}.Merge.SourcesInactive",
        f"{RQ}.Merge.WithinPartition",
        f"{RQ}.Immutable",
        f"{RQ}.Active.*",
    ],
)
def parts_are_not_merged(said: Said) -> Answer:
    """OPTIMIZE answers and merges nothing."""
    return said.done() if MERGE.match(said.sql) else said.run()


@mutant(violates=[RQ, f"{RQ}.Merge.SameRows", f"{RQ}.Active.Read"])
def parts_lose_a_row_in_a_merge(said: Said) -> Answer:
    """A merge loses the first row."""
    answer, found = said.run(), MERGE.match(said.sql)
    if found:
        table = found["table"]
        said.also(f"ALTER TABLE {table} DELETE WHERE i = (SELECT min(i) FROM {table})")
    return answer


@mutant(violates=[f"{RQ}.Merge.Background"])
def parts_are_left_alone(said: Said) -> Answer:
    """The background merges nothing."""
    return created(
        said,
        r"SETTINGS (?!max_bytes_to_merge)",
        "SETTINGS max_bytes_to_merge_at_max_space_in_pool = 1, ",
    )


@mutant(violates=[f"{RQ}.Merge.SizeLimit"])
def parts_of_any_size_are_merged(said: Said) -> Answer:
    """The limit of the size of background merges is not looked at."""
    limit = r"max_bytes_to_merge_at_max_space_in_pool = \d{4,}"
    return created(said, limit, "max_bytes_to_merge_at_max_space_in_pool = 1000000")


@mutant(
    violates=[
        RQ,
        f"{RQ}.Mutation.*",
        f"{RQ}.Immutable",
        f"{RQ}.Active.Read",
        f"{RQ}.Inactive.Removal",
    ]
)
def parts_are_not_mutated(said: Said) -> Answer:
    """Mutations answer and change nothing."""
    return said.done() if CHANGE.match(said.sql) else said.run()


@mutant(violates=[f"{RQ}.Mutation.EmptyPart"])
def parts_without_rows_stay(said: Said) -> Answer:
    """Empty parts are not removed."""
    return created(said, r"remove_empty_parts = 1", "remove_empty_parts = 0")


@mutant(violates=[f"{RQ}.Mutation.EmptyPart"])
def parts_without_rows_always_go(said: Said) -> Answer:
    """Empty parts are removed though the table is to keep them."""
    return created(said, r"remove_empty_parts = 0", "remove_empty_parts = 1")


@mutant(violates=[f"{RQ}.Inactive.Lifetime"])
def parts_have_no_lifetime(said: Said) -> Answer:
    """Superseded parts are removed at once."""
    return created(said, r"old_parts_lifetime = 600", "old_parts_lifetime = 0")


@mutant(violates=[f"{RQ}.Inactive.Removal", f"{RQ}.Inactive.Lifetime"])
def parts_live_for_ever(said: Said) -> Answer:
    """Superseded parts are not removed."""
    return created(said, r"old_parts_lifetime = [012]\b", "old_parts_lifetime = 600")


@mutant(violates=[f"{RQ}.Detached.Command", f"{RQ}.Detached.Attach", f"{RQ}.Detached.Kept"])
def parts_are_not_detached(said: Said) -> Answer:
    """DETACH answers and detaches nothing."""
    return said.done() if " DETACH PART" in said.sql else said.run()


@mutant(
    violates=[
        f"{RQ}.Detached.Attach",
        f"{RQ}.Detached.Kept",
        f"{RQ}.SelfContained.*Attach*",
        f"{RQ}.SelfContained.OtherTable",
    ]
)
def parts_are_not_attached(said: Said) -> Answer:
    """ATTACH answers and attaches nothing, whatever the part is like."""
    return said.done() if " ATTACH PART" in said.sql else said.run()
