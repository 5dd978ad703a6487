"""Types of partition keys: the supported ones with values, and all others."""

from __future__ import annotations

import string

from helpers.cluster.node import Node


def _signed(bits: int) -> tuple[str, ...]:
    return str(-(2 ** (bits - 1))), str(2 ** (bits - 1) - 1), "0", "-7"


def _unsigned(bits: int) -> tuple[str, ...]:
    return "0", str(2**bits - 1), "42"


WIDTHS = (8, 16, 32, 64, 128, 256)  # 6 variants
# The least value, the greatest and others, as they are written in a path.
SUPPORTED: dict[str, tuple[str, ...]] = {  # 19 variants
    **{f"Int{bits}": _signed(bits) for bits in WIDTHS},
    **{f"UInt{bits}": _unsigned(bits) for bits in WIDTHS},
    "String": ("", "a", "North America", "ÄÖ 東京", "007", "NULL", "2024-01-01"),
    "FixedString(1)": ("a", "~"),
    "FixedString(4)": ("abcd", "ab", "a b-"),
    "Date": ("1970-01-01", "2149-06-06", "2024-02-29"),
    "Date32": ("1900-01-01", "2299-12-31", "2024-02-29"),
    "Time": ("-999:59:59", "999:59:59", "00:00:00", "12:34:56"),
    "Time64(0)": ("-999:59:59", "999:59:59", "12:34:56"),
    "Time64(3)": ("-999:59:59.999", "999:59:59.999", "12:34:56.789"),
    "Time64(9)": ("-999:59:59.999999999", "999:59:59.999999999", "12:34:56.123456789"),
    "DateTime": ("2024-02-29 12:34:56", "2001-09-09 01:46:40"),
    "DateTime32": ("2024-02-29 12:34:56",),
    "DateTime('UTC')": ("1970-01-01 00:00:00", "2106-02-07 06:28:15", "2024-02-29 12:34:56"),
    "DateTime('Asia/Tokyo')": ("2024-02-29 12:34:56",),
    "DateTime64(0)": ("2024-02-29 12:34:56",),
    "DateTime64(3, 'UTC')": (
        *("1900-01-01 00:00:00.000", "2299-12-31 23:59:59.999", "2024-02-29 12:34:56.789"),
    ),
    "DateTime64(9, 'UTC')": (
        *("1900-01-01 00:00:00.000000000", "2262-04-11 23:47:16.854775807"),
        "2024-02-29 12:34:56.123456789",
    ),
    "Bool": ("true", "false"),
}

FORBIDDEN = frozenset("{}\\/\"'*?")
CHARACTERS = "".join(
    sorted(set(string.digits + string.ascii_letters + string.punctuation + " ") - FORBIDDEN)
)
# Texts within the limits of length and characters, as SQL.
WITH_LIMITED_VALUES = {  # 4 variants
    "1023 characters": f"'{'x' * 1023}'",
    "a tab": r"'a\tb'",
    "a line break": r"'a\nb'",
    "a zero byte": r"'a\0b'",
}

UNSUPPORTED = (  # 10 variants
    *("Float32", "Float64", "BFloat16", "Decimal(9, 2)", "Decimal(38, 2)", "Decimal(76, 2)"),
    *("Decimal32(2)", "Decimal64(2)", "Decimal128(2)", "Decimal256(2)", "Nothing"),
    *("UUID", "IPv4", "IPv6", "Enum8('a' = 1)", "Enum16('a' = 1)", "Enum('a' = 1)"),
    *("LowCardinality(String)", "Array(UInt8)", "Tuple(UInt8, UInt8)", "Map(String, UInt8)"),
    *("IntervalNanosecond", "IntervalMicrosecond", "IntervalMillisecond", "IntervalSecond"),
    *("IntervalMinute", "IntervalHour", "IntervalDay", "IntervalWeek", "IntervalMonth"),
    *("IntervalQuarter", "IntervalYear", "Point", "MultiPoint", "Ring", "LineString"),
    *("MultiLineString", "Polygon", "MultiPolygon", "Geometry", "QBit(BFloat16, 8)"),
    *("JSON", "Dynamic", "Variant(UInt8, String)", "AggregateFunction(sum, UInt64)"),
    *("SimpleAggregateFunction(max, UInt64)", "SimpleAggregateFunction(anyLast, String)"),
)
# Nullable columns are a requirement of their own, and Nested is short for several columns of arrays.
NOT_ALONE = ("Nullable", "Nested")


def family(kind: str) -> str:
    """The name of a type without its parameters."""
    return kind.partition("(")[0]


def families(node: Node) -> set[str]:
    """Every type that the server knows, by its own list, but for other names of the same."""
    return set(node.column("SELECT name FROM system.data_type_families WHERE alias_to = ''"))


def nullable_types() -> list[str]:
    """Every supported type as a nullable one, and nullable ones of other types."""
    others = ("Float64", "UUID", "Decimal(9, 2)", "Enum8('a' = 1)")
    wrapped = ("LowCardinality(Nullable(String))", "SimpleAggregateFunction(any, Nullable(UInt8))")
    return [*(f"Nullable({kind})" for kind in (*SUPPORTED, *others)), *wrapped]
