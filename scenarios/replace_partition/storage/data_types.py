"""Values of data types whose structure is part of the data."""

import re
from typing import Any

from testflows.asserts import error
from testflows.core import And, Examples, Given, Requirements, Scenario, TestOutline, Then, When

from helpers.cluster.client.session import Row
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_DataTypes,
)
from steps.partitions import replace_partition
from steps.parts import rewrite
from steps.replace_partition.requirement_names import not_tried
from steps.tables import NO_MERGES, Table, column_names, create_table

TYPES = (
    "p UInt64, i UInt64, j JSON, dynamic Dynamic, variant Variant(UInt64, String), "
    "coded LowCardinality(String), m Map(String, UInt64), nested Nested(a UInt64, b String), "
    "maybe Nullable(UInt64), pair Tuple(a UInt64, b String), state AggregateFunction(max, UInt64)"
)
READ_TYPES = (
    "SELECT p, i, toString(j), JSONAllPathsWithTypes(j), toString(dynamic), dynamicType(dynamic), "
    "toString(variant), variantType(variant), coded, m, nested.a, nested.b, maybe, pair, "
    "finalizeAggregation(state) FROM {table} WHERE p = {partition} ORDER BY i"
)


def insert_types(table: Table, *, start: int, path: str) -> None:
    """Rows from this number on; types and paths change from row to row."""
    variant = "Variant(UInt64, String)"
    table.node.query(
        f"INSERT INTO {table} SELECT 1 + number % 2, n, "
        f"toJSONString(map(concat('{path}', toString(n % 3)), map('n', n))), "
        "multiIf(n % 3 = 0, n::Dynamic, n % 3 = 1, concat('text ', toString(n))::Dynamic, [n]::Dynamic), "
        f"multiIf(n % 3 = 0, n::{variant}, n % 3 = 1, concat('text ', toString(n))::{variant}, NULL), "
        "toString(n), map('key', n), [n, 1], ['x', toString(n)], if(n % 3 = 0, NULL, n), "
        "(n, toString(n)), arrayReduce('maxState', [n]) "
        f"FROM (SELECT number, {start} + number AS n FROM numbers(12))"
    )


def typed_rows(table: Table, partition: int) -> list[Row]:
    return table.node.query(READ_TYPES.format(table=table, partition=partition))


def columns(rows: list[Row]) -> list[tuple[Any, ...]]:
    """The values of each column."""
    return list(zip(*rows, strict=True))


@TestOutline(Scenario)
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_DataTypes("1.0"))
@Examples("part_type rows_for_wide", [("Wide", 0), ("Compact", 1_000_000)])
def values_of_every_structure(self, part_type, rows_for_wide):
    """JSON, Dynamic, Variant and the other types read as they did, alone and merged with other rows."""
    with Given("a column of every type that the requirement names"):
        requirement = RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_DataTypes
        assert not_tried(requirement, [TYPES]) == [], error()

    with Given(f"two tables with {part_type.lower()} parts and values of different structure"):
        settings = {**NO_MERGES, "min_bytes_for_wide_part": 0}
        settings["min_rows_for_wide_part"] = rows_for_wide
        source, destination = (
            create_table(name, columns=TYPES, settings=settings)
            for name in ("source", "destination")
        )
        insert_types(source, start=1, path="a")
        insert_types(destination, start=101, path="b")
        node = destination.node
        names = column_names(source)
        unread = [name for name in names if not re.search(rf"\b{name}\b", READ_TYPES)]
        assert len(names) == 12 and unread == [], error()
        types = node.column(
            "SELECT DISTINCT part_type FROM system.parts "
            f"WHERE active AND database = '{source.database}' AND table = '{source.name}'"
        )
        assert types == [part_type], error()
        expected, replaced = typed_rows(source, 1), typed_rows(destination, 1)
        others = typed_rows(destination, 2)
        assert expected and others and expected != replaced, error()
        assert [row[0] for row in replaced] == [1] * len(expected), error()
        # No column but the partition's has the same values in both.
        alike = [
            ours == theirs
            for ours, theirs in zip(columns(expected), columns(replaced), strict=True)
        ]
        assert alike == [True] + [False] * (len(alike) - 1), error()
        assert len({str(row[3]) for row in expected}) == 3, error()
        assert len({row[5] for row in expected}) == 3, error()
        assert len({row[7] for row in expected}) == 3, error()

    with When("I replace a partition"):
        replace_partition(destination, source=source, partition=1)

    with Then("it reads as in the source, value for value and type for type"):
        assert typed_rows(destination, 1) == expected, error()
        assert typed_rows(destination, 2) == others, error()
        assert typed_rows(source, 1) == expected, error()

    with And("after a merge with rows of another structure, too"):
        insert_types(destination, start=201, path="c")
        added = typed_rows(destination, 1)
        assert len(added) > len(expected), error()
        others_paths = [set(row[3]) & set(new[3]) for row in expected for new in added[6:]]
        assert not any(others_paths), error()
        rewrite(destination)
        assert typed_rows(destination, 1) == added, error()
        assert added[: len(expected)] == expected, error()
