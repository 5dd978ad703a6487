"""Partition keys of every type: their values, and how a partition with such a value can be named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from helpers.cluster.client.session import Row
from steps.tables import Table, create_table

LONG = "long" * 100
MOST = "18446744073709551615"


@dataclass(frozen=True)
class Key:
    """A partition key, values of its columns that are a partition each, and names of such partitions.

    `names` gives the expression after PARTITION and the number of the value that it means.
    """

    key: str
    columns: str
    values: tuple[str, ...]
    names: Mapping[str, int]
    settings: Mapping[str, Any] | None = None


KEYS = (  # 22 variants
    Key("k", "k UInt64", ("1", "2", MOST), {"1": 0, "'2'": 1, "tuple(1)": 0}),
    Key("k", "k Int64", ("-1", "1", "-9223372036854775808"), {"-1": 0, "'-1'": 0, "1": 1}),
    Key("k % 3", "k Int64", ("7", "8"), {"1": 0, "2": 1}),
    Key("k", "k String", ("'x'", f"'{LONG}'", "''"), {"'x'": 0, f"'{LONG}'": 1, "''": 2}),
    Key("k", "k LowCardinality(String)", ("'x'", "'y'"), {"'y'": 1}),
    Key("k", "k Date", ("'2024-01-05'", "'2024-02-05'"), {"'2024-02-05'": 1}),
    Key(
        "toYYYYMM(k)",
        "k Date",
        ("'2024-01-05'", "'2024-02-05'"),
        {"202401": 0, "'202402'": 1},
    ),
    Key(
        "k",
        "k DateTime('UTC')",
        ("'2024-01-05 00:00:00'", "'2024-01-05 00:00:01'"),
        {"'2024-01-05 00:00:01'": 1},
    ),
    Key("k", "k Decimal(9, 2)", ("1.5", "2.5"), {"1.5": 0, "'2.5'": 1}),
    Key("k", "k Enum8('x' = 1, 'y' = 2)", ("'x'", "'y'"), {"'x'": 0, "2": 1}),
    Key("k", "k Bool", ("true", "false"), {"true": 0, "0": 1}),
    Key("k", "k IPv4", ("'127.0.0.1'", "'127.0.0.2'"), {"'127.0.0.2'": 1}),
    Key(
        "k",
        "k UUID",
        ("'00000000-0000-0000-0000-000000000001'", "'00000000-0000-0000-0000-000000000002'"),
        {"'00000000-0000-0000-0000-000000000002'": 1},
    ),
    Key(
        "k",
        "k Nullable(UInt8)",
        ("1", "NULL"),
        {"1": 0, "NULL": 1, "tuple(NULL)": 1},
        {"allow_nullable_key": 1},
    ),
    Key(
        "k",
        "k Float64",
        ("1.5", "nan", "inf", "-0.0", "0.0"),
        {"1.5": 0, "nan": 1, "inf": 2, "-0.0": 3, "0.0": 4},
        {"allow_floating_point_partition_key": 1},
    ),
    Key(
        "k",
        "k Nullable(String)",
        ("NULL", "''", "'NULL'"),
        {"NULL": 0, "''": 1, "'NULL'": 2},
        {"allow_nullable_key": 1},
    ),
    Key("k", "k Array(UInt8)", ("[1]", "[2]", "[]"), {"[2]": 1, "[]": 2}),
    Key("k", "k Int256", ("-1", "1"), {"1": 1, "'-1'": 0}),
    Key("k", "k IPv6", ("'::1'", "'::2'"), {"'::2'": 1}),
    Key(
        "(a, b)",
        "a UInt8, b String",
        ("1, 'x'", "1, 'y'", "2, 'x'"),
        {"(1, 'x')": 0, "tuple(1, 'y')": 1, "(2, 'x')": 2},
    ),
    Key(  # an id of a hundred characters: the numbers in it are written out
        "(a, b, c, d, e)",
        ", ".join(f"{name} UInt64" for name in "abcde"),
        (", ".join([MOST] * 5), f"1, {', '.join([MOST] * 4)}"),
        {f"({', '.join([MOST] * 5)})": 0, f"(1, {', '.join([MOST] * 4)})": 1},
    ),
    Key("tuple()", "k UInt8", ("1",), {"tuple()": 0, "()": 0, "ID 'all'": 0}),
)


def keyed_table(name: str, key: Key) -> Table:
    """A table with this key and a row in each of the partitions, which tells whose it is."""
    table = create_table(
        name,
        columns=f"{key.columns}, i UInt64, owner String",
        partition_by=key.key,
        settings=key.settings or {},
    )
    rows = ", ".join(
        f"({value}, {number}, '{table.name}')" for number, value in enumerate(key.values)
    )
    table.node.query(f"INSERT INTO {table} VALUES {rows}")
    return table


def keyed_rows(table: Table) -> list[Row]:
    """The rows in the order of the key's values, as texts: not a number is unequal to itself."""
    return table.node.query(f"SELECT i, toString(tuple(*)) FROM {table} ORDER BY i")


def partition_ids(table: Table) -> list[str]:
    return table.node.column(
        "SELECT DISTINCT partition_id FROM system.parts "
        f"WHERE active AND database = '{table.database}' AND table = '{table.name}'"
    )
