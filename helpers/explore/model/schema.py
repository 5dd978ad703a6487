"""What tables are made of: drawn types and settings, shared by the tables of a history, and kinds of tables.

The model knows numbers only. A schema says which literal and which text stand for a number, which keys
are equal in a merge, and which keys `=` never finds.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

UNKNOWN = -1
"""What a value is read as that no number stands for."""
EXPIRED_KEY = 2
"""Rows with this key have a date in the past, which a short TTL removes."""
DEFAULT_VALUE = 7
"""The number that the default of a further column stands for."""
COLUMN, RENAMED = "w", "x"
"""A further column, and the name that RENAME COLUMN gives it."""


@dataclass(frozen=True)
class KeyType:
    """A type of a key. `literals` and `texts` are those of 1, 2 and 3; without them a number is its own."""

    type: str
    literals: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    equal: Mapping[int, int] = field(default_factory=dict)
    """Numbers whose values compare as equal to those of another one."""
    unmatched: frozenset[int] = frozenset()
    """Numbers that `=` never finds: NaN and NULL."""

    def literal(self, number: int) -> str:
        return self.literals[(number - 1) % len(self.literals)] if self.literals else str(number)

    def text(self, number: int) -> str:
        return self.texts[(number - 1) % len(self.texts)] if self.texts else str(number)


def _quoted(type_: str, *values: str) -> KeyType:
    return KeyType(type_, tuple(f"'{value}'" for value in values), values)


KEY_TYPES = {
    "UInt32": KeyType("UInt32"),
    "Int8": KeyType("Int8", ("-128", "0", "127"), ("-128", "0", "127")),
    "Float64": KeyType(
        "Float64", ("-0.0", "nan", "0.0"), ("-0", "nan", "0"), {3: 1}, frozenset({2})
    ),
    "Nullable": KeyType(
        "Nullable(Int32)", ("5", "NULL", "-1"), ("5", "NULL", "-1"), {}, frozenset({2})
    ),
    "Enum": _quoted("Enum8('a' = 1, 'b' = 2, 'c' = -3)", "a", "b", "c"),
    "Date": _quoted("Date", "1970-01-01", "2149-06-06", "2020-02-29"),
    "DateTime64": _quoted(
        "DateTime64(3, 'UTC')",
        "1969-12-31 23:59:59.999",
        "2020-01-01 00:00:00.000",
        "2100-01-01 00:00:00.001",
    ),
    "String": _quoted("String", "one", "", "a b-c%2F"),
    "LowCardinality": _quoted("LowCardinality(String)", "one", "", "three"),
    "Decimal": KeyType("Decimal(18, 2)", ("-1.5", "0", "1.25"), ("-1.5", "0", "1.25")),
    "UUID": _quoted(
        "UUID",
        "00000000-0000-0000-0000-000000000000",
        "61f0c404-5cb3-11e7-907b-a6006ad3dba0",
        "ffffffff-ffff-ffff-ffff-ffffffffffff",
    ),
    "IPv4": _quoted("IPv4", "0.0.0.0", "10.0.0.1", "255.255.255.255"),
    "Tuple": KeyType(
        "Tuple(UInt8, String)",
        ("(1, 'a')", "(1, '')", "(2, 'a')"),
        ("(1,'a')", "(1,'')", "(2,'a')"),
    ),
}
"""Types of the partition key and of the sorting key."""

PARTITION_BY = {"month": ("Date", "toYYYYMM(p)"), "pair": ("UInt32", "(p, toString(p))")}
"""Partition keys that are expressions: the type of the column, and the expression."""
_MONTHS = ("197001", "214906", "202002")


@dataclass(frozen=True)
class ValueType:
    """A type of a further column: the literal and the text of a number are these with {n} filled in."""

    type: str
    literal_form: str = "{n}"
    text_form: str = "{n}"
    codec: str = ""

    def literal(self, number: int) -> str:
        return self._filled(self.literal_form, number)

    def text(self, number: int) -> str:
        return self._filled(self.text_form, number)

    @staticmethod
    def _filled(form: str, number: int) -> str:
        return form.replace("{n}", str(number)).replace(
            "{date}", str(date(2020, 1, 1) + timedelta(number))
        )


VALUE_TYPES = {
    "UInt32": ValueType("UInt32"),
    "Delta": ValueType("Int64", "-{n}", "-{n}", "CODEC(Delta, ZSTD(1))"),
    "String": ValueType("String", "'s{n}'", "s{n}"),
    "Nullable": ValueType("Nullable(UInt16)"),
    "LowCardinality": ValueType("LowCardinality(Nullable(String))", "'s{n}'", "s{n}"),
    "Float32": ValueType("Float32", "{n}.5", "{n}.5", "CODEC(Gorilla, LZ4)"),
    "Decimal": ValueType("Decimal(9, 2)", "{n}.25", "{n}.25", "CODEC(NONE)"),
    "Date": ValueType("Date32", "'{date}'", "{date}", "CODEC(DoubleDelta)"),
    "Array": ValueType("Array(UInt8)", "[{n}, 1]", "[{n},1]"),
    "Map": ValueType("Map(String, UInt8)", "map('k', {n})", "{'k':{n}}"),
    "Tuple": ValueType("Tuple(a UInt8, b String)", "({n}, 't')", "({n},'t')"),
    "JSON": ValueType("JSON", "'{\"a\": {n}}'", '{"a":{n}}'),
}
"""Types of the further column; a default of 0 would hide what is lost, so no number is 0."""

TABLE_KINDS = {
    "plain": "MergeTree",
    "replacing": "ReplacingMergeTree(v)",
    "summing": "SummingMergeTree(v)",
    "aggregating": "AggregatingMergeTree",
    "window": "MergeTree",
    "short-ttl": "MergeTree",
    "long-ttl": "MergeTree",
    "tiered": "MergeTree",
    "s3": "MergeTree",
}
DEFAULT_TABLES = tuple(kind for kind in TABLE_KINDS if kind != "s3")
"""Those that need nothing in addition to a server."""
TTLS = {"short": "d + INTERVAL 1 DAY", "long": "d + INTERVAL 40 YEAR"}
DATES = ("2100-01-01", "2000-01-01")
"""Dates of rows. A short TTL has expired on the second one, a long one on none."""
FRAGMENT = "disks"
"""The configuration (configs/fragments) that a tiered table needs: a policy of two volumes, a disk each."""

_ALWAYS = "max_bytes_to_merge_at_max_space_in_pool = 1, max_number_of_merges_with_ttl_in_pool = 0"
"""Parts are merged only when a statement asks for it."""
_OF_KIND = {
    "aggregating": "allow_dimensions_outside_sorting_key = 1",
    "window": "non_replicated_deduplication_window = 100",
    "tiered": "storage_policy = 'tiered'",
    "s3": "storage_policy = 'explore_s3'",
}
PATCHES = "enable_block_number_column = 1, enable_block_offset_column = 1"
IMPLICIT_INDEXES = "add_minmax_index_for_numeric_columns = 1"
SETTINGS = (
    "min_bytes_for_wide_part = 0",
    "index_granularity = 1",
    "ratio_of_defaults_for_sparse_serialization = 0.1",
    "vertical_merge_algorithm_min_rows_to_activate = 1, "
    "vertical_merge_algorithm_min_columns_to_activate = 1",
    "assign_part_uuids = 1",
    IMPLICIT_INDEXES,
    "replace_long_file_name_to_hash = 1, max_file_name_length = 1",
    "compress_marks = 0, compress_primary_key = 0",
)
"""Settings of tables that a schema may have; none of them changes what a table holds."""
_REBUILD = "deduplicate_merge_projection_mode = 'rebuild', lightweight_mutation_projection_mode = 'rebuild'"


@dataclass(frozen=True)
class Schema:
    """The columns and settings that the tables of a history share; the names are those of the lists above."""

    partition: str = "UInt32"
    key: str = "UInt32"
    further: str = ""
    """The type of the further column, if tables have one from the beginning."""
    patches: bool = False
    """Whether UPDATE writes patch parts; otherwise it is refused."""
    maximum: bool = False
    """Whether v is a SimpleAggregateFunction(max), so that AggregatingMergeTree keeps the highest."""
    settings: tuple[str, ...] = ()

    @property
    def partition_type(self) -> KeyType:
        return KEY_TYPES[PARTITION_BY.get(self.partition, (self.partition,))[0]]

    @property
    def key_type(self) -> KeyType:
        return KEY_TYPES[self.key]

    @property
    def value_type(self) -> ValueType:
        return VALUE_TYPES[self.further or "UInt32"]

    def partition_literal(self, number: int) -> str:
        """The partition in an ALTER TABLE … PARTITION."""
        if self.partition == "month":
            return _MONTHS[(number - 1) % len(_MONTHS)]
        if self.partition == "pair":
            return f"({number}, '{number}')"
        literal = self.partition_type.literal(number)
        # A tuple is the list of the key's columns, of which there is one.
        return f"tuple({literal})" if self.partition == "Tuple" else literal

    @property
    def column(self) -> str:
        """The definition of the further column, without its name."""
        kind = self.value_type
        default = f"DEFAULT {kind.literal(DEFAULT_VALUE)}"
        return f"{kind.type} {default} {kind.codec}".rstrip()

    def create_table(self, database: str, name: str, kind: str) -> str:
        """The SQL that makes a table of a kind."""
        _, expression = PARTITION_BY.get(self.partition, ("", "p"))
        value = "SimpleAggregateFunction(max, UInt32)" if self.maximum else "UInt32"
        columns = [
            f"p {self.partition_type.type}",
            f"i {self.key_type.type}",
            f"v {value}",
            "d Date",
        ]
        if self.further:
            columns.append(f"{COLUMN} {self.column}")
        settings = [_ALWAYS, *filter(None, [_OF_KIND.get(kind)]), *self.settings, _REBUILD]
        settings += [PATCHES] * self.patches
        settings += ["allow_nullable_key = 1"] * ("Nullable" in (self.partition, self.key))
        settings += ["allow_floating_point_partition_key = 1"] * (self.partition == "Float64")
        ttl = f" TTL {TTLS[kind.split('-')[0]]}" if kind.endswith("-ttl") else ""
        return (
            f"CREATE TABLE {database}.{name} ({', '.join(columns)}) ENGINE = {TABLE_KINDS[kind]} "
            f"PARTITION BY {expression} ORDER BY i{ttl} SETTINGS {', '.join(settings)}"
        )


SIMPLE = Schema()
"""The columns and settings of histories that do not say otherwise."""
