"""A fingerprint of rows that ClickHouse and Spark compute alike, each where the rows are.

Every value is brought into a canonical form (by the type it travels as, see pipelines.clickhouse.types) and
hashed with xxHash64; the hashes of a row are chained, so that columns cannot change places; row
hashes are summed, so that the order of rows does not matter and every copy of a row counts. A
negative zero counts as zero, and all values that are not a number as the same one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f
from pyspark.sql.types import ArrayType, DataType, MapType, StructType

from pipelines.clickhouse.rows import ClickHouseRows
from pipelines.clickhouse.types import map_type, quoted, split_element, split_type
from pipelines.spark.errors import clear_errors

BUCKETS = 1024
# Spark's hash starts from 42, ClickHouse's from 0: hashing this number first makes the one the other.
FROM_ZERO = -365884300664092260
LOW = 2**32 - 1
WHOLE = ("Bool", "Int8", "Int16", "Int32", "Int64")
LONGEST_DECIMAL = 18
# Each column nests four levels deeper, and servers refuse a thousand.
MOST_CHAINED = 200
Hash = TypeVar("Hash")


@dataclass(frozen=True)
class Fingerprint:
    """How many rows, and the sums of both halves of their hashes; sums of sets are sums of these."""

    rows: int = 0
    low: int = 0
    high: int = 0

    def __add__(self, other: Fingerprint) -> Fingerprint:
        return Fingerprint(self.rows + other.rows, self.low + other.low, self.high + other.high)

    def __sub__(self, other: Fingerprint) -> Fingerprint:
        return Fingerprint(self.rows - other.rows, self.low - other.low, self.high - other.high)


def of_clickhouse(actual: ClickHouseRows) -> Fingerprint:
    """The fingerprint of rows in ClickHouse."""
    row = hash_sql(actual.types)
    return Fingerprint(*map(int, actual.select(sums_sql(row))[0]))


def of_frame(frame: DataFrame, types: Mapping[str, str]) -> Fingerprint:
    """The fingerprint of a DataFrame, whose columns have these types in ClickHouse."""
    with clear_errors():
        row = hash_column(frame, types)
        # An empty frame has no sums.
        return Fingerprint(
            *(number or 0 for number in frame.select(*_sums_column(row)).first() or ())
        )


def by_group(frame: DataFrame, types: Mapping[str, str], group: str) -> dict[object, Fingerprint]:
    """The fingerprints of the rows of a DataFrame that have the same value in a column."""
    with clear_errors():
        sums = _sums_column(hash_column(frame, types))
        rows = frame.groupBy(frame[quoted_for_spark(group)]).agg(*sums).collect()
    return {value: Fingerprint(*map(int, numbers)) for value, *numbers in rows}


def buckets_of_clickhouse(actual: ClickHouseRows, key: Mapping[str, str]) -> dict[int, Fingerprint]:
    """The fingerprints of rows in ClickHouse by what remains of their key's hash."""
    bucket = bucket_sql(key)
    rows = actual.select(f"{bucket}, {sums_sql(hash_sql(actual.types))}", "GROUP BY 1")
    return {int(number): Fingerprint(*map(int, sums)) for number, *sums in rows}


def buckets_of_frame(
    frame: DataFrame, types: Mapping[str, str], key: Mapping[str, str]
) -> dict[int, Fingerprint]:
    """The fingerprints of a DataFrame's rows by what remains of their key's hash."""
    with clear_errors():
        grouped = frame.groupBy(bucket_column(frame, key))
        rows = grouped.agg(*_sums_column(hash_column(frame, types))).collect()
    return {int(number): Fingerprint(*map(int, sums)) for number, *sums in rows}


def hash_sql(types: Mapping[str, str]) -> str:
    """The hash of a row (or of its key) as ClickHouse computes it."""
    values = []
    for name, kind in types.items():
        wire = map_type(name, kind).wire
        if kind == "UInt64":
            # The text that its decimal would have, with less work for the server.
            values.append(f"xxHash64(toString({quoted(name)}))")
            continue
        value = quoted(name) if wire == kind else f"CAST({quoted(name)} AS {wire})"
        values.append(_value_sql(value, wire))
    return _chain_sql(values)


def hash_column(frame: DataFrame, types: Mapping[str, str]) -> Column:
    """The same hash as Spark computes it."""
    values = []
    for name, kind in types.items():
        value = frame[quoted_for_spark(name)]
        values.append(_value_column(value, map_type(name, kind).wire, frame.schema[name].dataType))
    return _chain_column(values)


def bucket_sql(key: Mapping[str, str]) -> str:
    return f"bitAnd({hash_sql(key)}, {BUCKETS - 1})"


def bucket_column(frame: DataFrame, key: Mapping[str, str]) -> Column:
    return hash_column(frame, key).bitwiseAND(f.lit(BUCKETS - 1))


def quoted_for_spark(name: str) -> str:
    """A column's name as Spark reads it, whatever is in it."""
    return f"`{name.replace('`', '``')}`"


def sums_sql(row: str) -> str:
    """The numbers of a fingerprint, of rows with this hash."""
    return f"count(), sum(bitAnd({row} AS _row_hash, {LOW})), sum(bitShiftRight(_row_hash, 32))"


def _sums_column(row: Column) -> list[Column]:
    low = row.bitwiseAND(f.lit(LOW))
    return [f.count(f.lit(1)), f.sum(low), f.sum(f.shiftrightunsigned(row, 32))]


def _chain_sql(hashes: Sequence[str]) -> str:
    if len(hashes) > MOST_CHAINED:
        return _chain_sql([_chain_sql(group) for group in _groups(hashes)])
    # It starts from how many there are: rows of other columns are other rows, also if all is NULL.
    chained = f"toUInt64({len(hashes)})"
    for value in hashes:
        chained = f"xxHash64(bitXor({chained}, {value}))"
    return chained


def _chain_column(hashes: Sequence[Column]) -> Column:
    if len(hashes) > MOST_CHAINED:
        return _chain_column([_chain_column(group) for group in _groups(hashes)])
    chained = f.lit(len(hashes)).cast("long")
    for value in hashes:
        chained = _hash(chained.bitwiseXOR(value))
    return chained


def _groups(hashes: Sequence[Hash]) -> list[Sequence[Hash]]:
    return [hashes[at : at + MOST_CHAINED] for at in range(0, len(hashes), MOST_CHAINED)]


def _hash(value: Column) -> Column:
    """ClickHouse's xxHash64; 0 for NULL, which leaves Spark's hash as it was."""
    return f.xxhash64(f.lit(FROM_ZERO), value)


def _value_sql(value: str, wire: str, depth: int = 0) -> str:
    name, arguments = split_type(wire)
    item = f"_v{depth}"
    match name:
        case "Nullable":
            return f"ifNull({_value_sql(value, arguments[0], depth)}, 0)"
        case "Array":
            held = _value_sql(item, arguments[0], depth + 1)
            return f"xxHash64({_text_sql(f'arrayMap({item} -> {_signed(held)}, {value})')})"
        case "Map":
            both = [_value_sql(f"{item}{at}", kind, depth + 1) for at, kind in enumerate(arguments)]
            pairs = f"arrayMap(({item}0, {item}1) -> {_signed(_chain_sql(both))}, "
            return (
                f"xxHash64({_text_sql(f'arraySort({pairs}mapKeys({value}), mapValues({value})))')})"
            )
        case "Tuple":
            return _chain_sql(
                [
                    _value_sql(f"tupleElement({value}, {at})", split_element(argument)[1], depth)
                    for at, argument in enumerate(arguments, 1)
                ]
            )
        case "Float32" | "Float64":
            return f"xxHash64(to{name}(if(isNaN({value}), nan, {value} + 0)))"
        case "Decimal" if int(arguments[0]) <= LONGEST_DECIMAL:
            wide = f"toDecimal64({value}, {arguments[1]})"
            return f"xxHash64(reinterpretAsInt64({wide}))"
        case "Decimal":
            return f"xxHash64(toDecimalString({value}, {arguments[1]}))"
        case "Date32":
            return f"xxHash64(toInt32({value}))"
        case "DateTime64":
            return f"xxHash64(toUnixTimestamp64Micro({value}))"
        case _ if name in WHOLE:
            return f"xxHash64(toInt64({value}))"
    return f"xxHash64({value})"


def _signed(hashed: str) -> str:
    return f"reinterpretAsInt64({hashed})"


def _text_sql(numbers: str) -> str:
    return f"arrayStringConcat(arrayMap(_n -> toString(_n), {numbers}), ',')"


def _value_column(value: Column, wire: str, kind: DataType) -> Column:
    name, arguments = split_type(wire)
    match name, kind:
        case "Nullable", _:
            return _value_column(value, arguments[0], kind)
        case "Array", ArrayType():
            held = kind.elementType
            return _hash(_text(f.transform(value, lambda x: _value_column(x, arguments[0], held))))
        case "Map", MapType():
            kinds = (kind.keyType, kind.valueType)

            def pair(entry: Column) -> Column:
                both = (entry.getField("key"), entry.getField("value"))
                return _chain_column(list(map(_value_column, both, arguments, kinds)))

            return _hash(_text(f.array_sort(f.transform(f.map_entries(value), pair))))
        case "Tuple", StructType():
            elements = [
                _value_column(
                    value.getField(field.name), split_element(argument)[1], field.dataType
                )
                for field, argument in zip(kind.fields, arguments, strict=True)
            ]
            return f.when(value.isNull(), f.lit(0).cast("long")).otherwise(_chain_column(elements))
        case "Decimal", _:
            precision, scale = map(int, arguments)
            if precision <= LONGEST_DECIMAL:
                return _hash(value.cast(f"decimal({LONGEST_DECIMAL},{scale})"))
            # A whole number's text is the same whatever it is held in.
            exact = value.cast(f"decimal({precision},{scale})") if scale else value
            return _hash(exact.cast("string"))
        case "DateTime64", _:
            return _hash(value.cast("timestamp"))
        case _ if name in WHOLE:
            return _hash(value.cast("long"))
    return _hash(value)


def _text(hashes: Column) -> Column:
    return f.array_join(hashes.cast("array<string>"), ",")
