"""ReplacingMergeTree: creating such tables, inserting duplicates and merging them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from helpers.cluster.client.session import Row
from helpers.scenario.step import step
from helpers.scenario.violations import differing
from steps.replacing_merge_tree.stored_rows import in_order, stored, survivors
from steps.tables import NO_MERGES, Table, create_table

# The columns that go with the parameters of the engine.
COLUMNS_FOR = {
    "": "key UInt64, value String",
    "version": "key UInt64, value String, version UInt64",
    "version, deleted": "key UInt64, value String, version UInt64, deleted UInt8",
}
ABORTED = 236
# Rows are written as they come, duplicates and all.
AS_THEY_COME = {"optimize_on_insert": 0}
CLEANUP = "FINAL CLEANUP"
CLEANUP_SETTING = "allow_experimental_replacing_merge_with_cleanup"
CLEANUP_ALLOWED = {CLEANUP_SETTING: 1}
WIDE = {"min_bytes_for_wide_part": 0}
VERTICAL = {
    **WIDE,
    "vertical_merge_algorithm_min_rows_to_activate": 1,
    "vertical_merge_algorithm_min_columns_to_activate": 1,
}


@step("I create a table of ReplacingMergeTree({parameters})")
def replacing_table(
    parameters: str = "",
    *,
    columns: str = "",
    order_by: str = "key",
    background_merges: bool = False,
    settings: Mapping[str, Any] | None = None,
    **clauses: Any,
) -> Table:
    """An empty table of the engine with these parameters; by default nothing is merged unasked."""
    return create_table(
        "replacing",
        columns=columns or COLUMNS_FOR[parameters],
        engine=f"ReplacingMergeTree({parameters})",
        order_by=order_by,
        settings={**({} if background_merges else NO_MERGES), **(settings or {})},
        **{"partition_by": "", **clauses},
    )


@step("I insert rows into {table}")
def insert_each(
    table: Table, *inserts: Sequence[Row], settings: Mapping[str, Any] | None = None
) -> None:
    """One statement for each of these."""
    for rows in inserts:
        table.node.query(f"INSERT INTO {table} VALUES", data=rows, settings=settings)


@step("I insert rows, with all their duplicates, into {table}")
def insert_all(
    table: Table, *inserts: Sequence[Row], settings: Mapping[str, Any] | None = None
) -> None:
    """The same, and all rows are there afterwards; duplicates within an insert need AS_THEY_COME."""
    before = stored(table)
    insert_each(table, *inserts, settings=settings)
    expected = in_order([*before, *(row for rows in inserts for row in rows)])
    assert stored(table) == expected, f"{table} holds {stored(table)} instead of {expected}"


@step("I merge {table}: {how}")
def merge(table: Table, how: str = "FINAL") -> None:
    """Merge all parts of each partition, or of one: one part is left, of the next level."""
    chosen = re.match(r"PARTITION (\w+)", how)
    where = f" AND partition_id = '{chosen[1]}'" if chosen else ""
    levels = (
        "SELECT partition_id, max(level), count() FROM system.parts WHERE active "
        f"AND database = '{table.database}' AND table = '{table.name}'{where} "
        "GROUP BY partition_id ORDER BY partition_id"
    )
    expected = [(partition, level + 1, 1) for partition, level, _ in table.node.query(levels)]
    optimize(table, how)
    merged = table.node.query(levels)
    # A part that a cleanup has left empty may be removed already.
    emptied = set(expected) - set(merged) if CLEANUP in how else set()
    assert merged == [part for part in expected if part not in emptied], (
        f"OPTIMIZE TABLE {table} {how}: partition, level and number of parts {merged}"
    )
    partitions = sorted(partition for partition, *_ in emptied)
    with_rows = table.node.column(f"SELECT DISTINCT _partition_id FROM {table}") if emptied else []
    assert not {*partitions} & {*with_rows}, f"{partitions} have no parts, {with_rows} have rows"


def optimize(table: Table, how: str) -> None:
    """The statement alone, for those who see by the rows that it was carried out."""
    table.node.query(f"OPTIMIZE TABLE {table} {how}")


def merged_by_column(*tables: Table) -> list[Row]:
    """The names of those of a node's tables that were merged, each with 1 if a merge was vertical."""
    node, names = tables[0].node, ", ".join(f"'{table.name}'" for table in tables)
    node.query("SYSTEM FLUSH LOGS part_log")
    return node.query(
        "SELECT table, max(merge_algorithm = 'Vertical') FROM system.part_log "
        "WHERE event_type = 'MergeParts' AND table_uuid IN (SELECT uuid FROM system.tables "
        f"WHERE database = '{tables[0].database}' AND name IN ({names})) "
        "GROUP BY table ORDER BY table"
    )


def deduplication_violations(
    name: str,
    table: Table,
    *inserts: Sequence[Row],
    expected: Iterable[Row],
    merged: Iterable[Row] | None = None,
    settings: Mapping[str, Any] | None = None,
    merges_stopped: bool = False,
) -> dict[str, object]:
    """Insert each of these into an empty table, read with FINAL, merge and read again.

    Answers that differ from `expected`, by cell; `merged` are the rows after the merge where
    deletion rows are among them. Where merges were stopped by a statement they are started again
    when it is time to merge.
    """
    insert_all(table, *inserts, settings=settings)
    wanted = in_order(expected)
    final = survivors(table)
    if merges_stopped:
        table.node.fails(f"OPTIMIZE TABLE {table} FINAL", code=ABORTED, text="Cancelled merging")
        table.node.query(f"SYSTEM START MERGES {table}")
    merge(table)
    right = wanted if merged is None else in_order(merged)
    return differing(name, {"FINAL": (final, wanted), "merged": (stored(table), right)})
