"""A few values of every ClickHouse type, and what they are in Spark."""

from __future__ import annotations

import datetime
from decimal import Decimal
from typing import Any

UTC = datetime.UTC
DAY = datetime.date


def instant(*parts: int) -> datetime.datetime:
    return datetime.datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type]


# ClickHouse type, Spark type, values as ClickHouse writes them, values as Spark has them.
MAPPING: list[tuple[str, str, list[str], list[Any]]] = [
    ("Bool", "boolean", ["true", "false"], [True, False]),
    ("Int8", "tinyint", ["-128", "127"], [-128, 127]),
    ("Int16", "smallint", ["-32768"], [-32768]),
    ("Int32", "int", ["-2147483648"], [-(2**31)]),
    ("Int64", "bigint", ["-9223372036854775808"], [-(2**63)]),
    ("UInt8", "smallint", ["0", "255"], [0, 255]),
    ("UInt16", "int", ["65535"], [65535]),
    ("UInt32", "bigint", ["4294967295"], [2**32 - 1]),
    ("UInt64", "decimal(20,0)", ["18446744073709551615"], [Decimal(2**64 - 1)]),
    ("Int128", "string", [f"'{-(2**127)}'"], [str(-(2**127))]),
    ("UInt128", "string", [f"'{2**128 - 1}'"], [str(2**128 - 1)]),
    ("Int256", "string", [f"'{-(2**255)}'"], [str(-(2**255))]),
    ("UInt256", "string", [f"'{2**256 - 1}'"], [str(2**256 - 1)]),
    ("Float32", "float", ["1.5", "-inf"], [1.5, float("-inf")]),
    ("Float64", "double", ["0.1", "1e308"], [0.1, 1e308]),
    ("BFloat16", "float", ["1.5"], [1.5]),
    ("Decimal(9, 2)", "decimal(9,2)", ["'-1234567.89'"], [Decimal("-1234567.89")]),
    ("Decimal(38, 10)", "decimal(38,10)", ["'1.0000000001'"], [Decimal("1.0000000001")]),
    ("String", "string", ["'Köln \\' , )'", "''"], ["Köln ' , )", ""]),
    ("FixedString(3)", "binary", ["'a'", "'\\xff\\0b'"], [b"a\0\0", b"\xff\0b"]),
    ("Array(FixedString(2))", "array<binary>", ["['a']"], [[b"a\0"]]),
    ("Nullable(FixedString(2))", "binary", ["'a'", "NULL"], [b"a\0", None]),
    ("Date", "date", ["'1970-01-01'", "'2149-06-06'"], [DAY(1970, 1, 1), DAY(2149, 6, 6)]),
    ("Date32", "date", ["'1900-01-01'", "'2299-12-31'"], [DAY(1900, 1, 1), DAY(2299, 12, 31)]),
    (
        "DateTime",
        "timestamp",
        ["0", "4294967295"],
        [instant(1970, 1, 1), instant(2106, 2, 7, 6, 28, 15)],
    ),
    ("DateTime('Asia/Tokyo')", "timestamp", ["'2020-01-01 09:00:00'"], [instant(2020, 1, 1)]),
    (
        "DateTime64(3, 'UTC')",
        "timestamp",
        ["'1900-01-01 00:00:00.001'"],
        [instant(1900, 1, 1, 0, 0, 0, 1000)],
    ),
    (
        "DateTime64(6, 'UTC')",
        "timestamp",
        ["'2299-12-31 23:59:59.999999'"],
        [instant(2299, 12, 31, 23, 59, 59, 999999)],
    ),
    (
        "DateTime64(9, 'UTC')",
        "decimal(20,9)",
        ["'1901-01-01 00:00:00.123456789'"],
        [Decimal("-2177452799.876543211")],
    ),
    ("Time", "string", ["'-12:13:14'"], ["-12:13:14"]),
    ("Time64(3)", "string", ["'100:00:00.001'"], ["100:00:00.001"]),
    (
        "UUID",
        "string",
        ["'61f0c404-5cb3-11e7-907b-a6006ad3dba0'"],
        ["61f0c404-5cb3-11e7-907b-a6006ad3dba0"],
    ),
    ("IPv4", "string", ["'127.0.0.1'"], ["127.0.0.1"]),
    ("IPv6", "string", ["'2001:db8::1'"], ["2001:db8::1"]),
    ("Enum8('a' = -1, 'b, (' = 2)", "string", ["'b, ('"], ["b, ("]),
    ("Enum16('x' = 1000)", "string", ["'x'"], ["x"]),
    ("LowCardinality(String)", "string", ["'a'"], ["a"]),
    ("LowCardinality(Nullable(String))", "string", ["NULL", "'a'"], [None, "a"]),
    ("Nullable(UInt64)", "decimal(20,0)", ["NULL", "1"], [None, Decimal(1)]),
    ("Nullable(DateTime)", "timestamp", ["NULL"], [None]),
    ("Array(UInt8)", "array<smallint>", ["[1, 255]", "[]"], [[1, 255], []]),
    ("Array(Nullable(String))", "array<string>", ["['a', NULL]"], [["a", None]]),
    (
        "Array(Array(UUID))",
        "array<array<string>>",
        ["[[], [toUUID('61f0c404-5cb3-11e7-907b-a6006ad3dba0')]]"],
        [[[], ["61f0c404-5cb3-11e7-907b-a6006ad3dba0"]]],
    ),
    (
        "Map(String, UInt32)",
        "map<string,bigint>",
        ["map('a', 1, 'b', 2)", "map()"],
        [[("a", 1), ("b", 2)], []],
    ),
    (
        "Map(UInt8, Array(DateTime('UTC')))",
        "map<smallint,array<timestamp>>",
        ["map(1, [0])"],
        [[(1, [instant(1970, 1, 1)])]],
    ),
    (
        "Tuple(a UInt8, `b c` Nullable(String))",
        "struct<a:smallint,b c:string>",
        ["(1, NULL)"],
        [{"a": 1, "b c": None}],
    ),
    (
        "Tuple(`a, (\\`b` UInt8, c Enum8('x`, y' = 1))",
        "struct<a, (`b:smallint,c:string>",
        ["(1, 'x`, y')"],
        [{"a, (`b": 1, "c": "x`, y"}],
    ),
    (
        "Tuple(UInt64, String)",
        "struct<_1:decimal(20,0),_2:string>",
        ["(1, 'x')"],
        [{"_1": Decimal(1), "_2": "x"}],
    ),
    (
        "Nested(k UInt8, v Array(String))",
        "array<struct<k:smallint,v:array<string>>>",
        ["[(1, ['x'])]"],
        [[{"k": 1, "v": ["x"]}]],
    ),
    ("Point", "struct<_1:double,_2:double>", ["(1, 2)"], [{"_1": 1.0, "_2": 2.0}]),
    (
        "Polygon",
        "array<array<struct<_1:double,_2:double>>>",
        ["[[(1, 2)]]"],
        [[[{"_1": 1.0, "_2": 2.0}]]],
    ),
    ("SimpleAggregateFunction(sum, UInt64)", "decimal(20,0)", ["7"], [Decimal(7)]),
]
REFUSED = [
    "Decimal(76, 3)",
    "JSON",
    "Dynamic",
    "Variant(String, UInt8)",
    "Geometry",
    "AggregateFunction(sum, UInt64)",
    "IntervalDay",
    "Nullable(Nothing)",
    "QBit(Float32, 8)",
    "Array(Decimal(50, 2))",
    "Map(String, Dynamic)",
    "Tuple(a UInt8, b JSON)",
    "Nullable(Tuple(a UInt8))",
    "Tuple()",
    "Map(Array(UInt8), String)",
    "Map(Tuple(UInt8), String)",
    "Map(LowCardinality(Nullable(String)), String)",
    "Nullable(Nullable(UInt8))",
    "NoSuchType",
]
