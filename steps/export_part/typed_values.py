"""Types of columns by family: values in SQL, and what a reader that gets them exactly returns."""

from __future__ import annotations

from typing import Any

from helpers.cluster.client.recording import literal
from helpers.scenario.context import this
from steps.export_part.exports import Lake
from steps.tables import Table

# Type → values in SQL, values in the notation of steps.export_part.readers.
Typed = dict[str, tuple[list[str], list[Any]]]


def _whole(*kinds: str) -> Typed:
    found: Typed = {}
    for kind in kinds:
        bits = int(kind.partition("Int")[2])
        low, high = (
            (0, 2**bits - 1) if kind.startswith("U") else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
        )
        found[kind] = ([f"to{kind}('{low}')", f"to{kind}('{high}')"], [low, high])
    return found


FLOATS = (["nan", "-0.", "0.", "inf", "1.5"], ["nan", "-0.0", "0.0", "inf", "1.5"])
FAMILIES: dict[str, Typed] = {  # 7 variants
    "integers": _whole(*(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64))),
    "large integers": _whole("Int128", "UInt128", "Int256", "UInt256"),
    "decimals and floats": {
        "Float32": FLOATS,
        "Float64": FLOATS,
        "Decimal(9, 2)": (["-1.25", "0.5"], ["-1.25", "0.50"]),
        "Decimal(38, 5)": (["toDecimal128('-1.5', 5)"], ["-1.50000"]),
        "Decimal(76, 10)": (["toDecimal256('-1.5', 10)"], ["-1.5000000000"]),
        "Bool": (["true", "false"], [True, False]),
    },
    "texts": {
        "String": (["''", "'ö'", "'a\\0'"], ["", "ö", "a\0"]),
        "FixedString(3)": (["'abc'", "'a'"], ["abc", "a\0\0"]),
        "LowCardinality(String)": (["'a'", "''"], ["a", ""]),
        "LowCardinality(Nullable(String))": (["'a'", "NULL", "''"], ["a", None, ""]),
        "Enum8('a' = 1, 'b' = -5)": (["'a'", "'b'"], ["a", "b"]),
        "Enum16('a' = 1000)": (["'a'"], ["a"]),
    },
    "addresses": {
        "UUID": (
            ["'00000000-0000-0000-0000-000000000001'"],
            ["00000000-0000-0000-0000-000000000001"],
        ),
        "IPv4": (["'127.0.0.1'"], ["127.0.0.1"]),
        "IPv6": (["'::1'"], ["::1"]),
    },
    "days and times": {
        "Date": (["'1970-01-01'", "'2149-06-06'"], ["1970-01-01", "2149-06-06"]),
        "Date32": (["'1900-01-01'", "'2299-12-31'"], ["1900-01-01", "2299-12-31"]),
        "DateTime('Asia/Kathmandu')": (["'2026-01-01 00:00:00'"], ["2025-12-31 18:15:00"]),
        "DateTime64(6, 'UTC')": (["'2026-01-01 00:00:00.123456'"], ["2026-01-01 00:00:00.123456"]),
        "DateTime64(9, 'Asia/Kathmandu')": (
            ["'2026-01-01 00:00:00.123456789'"],
            ["2025-12-31 18:15:00.123456789"],
        ),
    },
    "compound values": {
        "Nullable(UInt64)": (["NULL", "1"], [None, 1]),
        "Array(Array(Nullable(UInt8)))": (["[[1, NULL], []]", "[]"], [[[1, None], []], []]),
        "Array(Nullable(String))": (["[NULL, '']"], [[None, ""]]),
        "Map(String, UInt64)": (["map('a', 1)", "map()"], [{"a": 1}, {}]),
        "Tuple(a UInt8, b String)": (["(1, 'x')"], [{"a": 1, "b": "x"}]),
        "Array(Tuple(x UInt8, y String))": (["[(1, 'x')]", "[]"], [[{"x": 1, "y": "x"}], []]),
        "Array(IPv4)": (["['1.2.3.4']"], [["1.2.3.4"]]),
        "Point": (["(1., 2.)"], [{"1": "1.0", "2": "2.0"}]),
        "Polygon": (["[[(1., 2.)]]"], [[[{"1": "1.0", "2": "2.0"}]]]),
        "JSON": (['\'{"a": 1, "b": {"c": [1]}}\''], ['{"a":1,"b":{"c":[1]}}']),
        "JSON(a UInt8)": (['\'{"a": 1, "b": 2}\''], ['{"a":1,"b":2}']),
        "SimpleAggregateFunction(sum, UInt64)": (["1"], [1]),
    },
}
# Types that ClickHouse does not write as Parquet.
REFUSED = (  # 7 variants
    "BFloat16",
    "Time",
    "Time64(6)",
    "Dynamic",
    "Variant(UInt64, String)",
    "AggregateFunction(sum, UInt64)",
    "IntervalDay",
)


def part_of_type(lake: Lake, kind: str, values: list[str]) -> tuple[Table, str, list[Any]]:
    """A table with a column v of this type, its only part, and the values as ClickHouse's text."""
    settings = {"enable_time_time64_type": 1}
    table = Table(lake.node, this().database, this().unique("typed"))
    lake.node.query(
        f"CREATE TABLE {table} (n UInt8, v {kind}) ENGINE = MergeTree ORDER BY n", settings=settings
    )
    rows = ", ".join(f"({number}, {value})" for number, value in enumerate(values))
    lake.node.query(f"INSERT INTO {table} VALUES {rows}")
    (part,) = lake.node.column(
        f"SELECT name FROM system.parts WHERE database = {literal(table.database)} "
        f"AND table = {literal(table.name)} AND active"
    )
    texts = []
    if "DEFAULT" not in values:
        texts = lake.node.column(f"SELECT toString(v) FROM {table} ORDER BY n")
    return table, part, texts
