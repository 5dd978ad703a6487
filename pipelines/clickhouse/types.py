"""Which Spark type holds a ClickHouse type without loss, and by which cast it travels."""

from __future__ import annotations

import re
from dataclasses import dataclass

from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    MapType,
    ShortType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from pipelines.errors import PipelineError

# Field metadata under this key is the type a column has in ClickHouse.
METADATA = "clickhouse"
WIDEST_DECIMAL = 38
FINEST_TIMESTAMP = 6

# Spark type → the ClickHouse type that holds all of its values and nothing else.
NATURAL: dict[type[DataType], str] = {
    BooleanType: "Bool",
    ByteType: "Int8",
    ShortType: "Int16",
    IntegerType: "Int32",
    LongType: "Int64",
    FloatType: "Float32",
    DoubleType: "Float64",
    StringType: "String",
    BinaryType: "String",
    DateType: "Date32",
    TimestampType: "DateTime64(6, 'UTC')",
}
# Spark type → the ClickHouse types it holds; it has no unsigned numbers, so the next larger one holds them.
HELD: dict[type[DataType], tuple[str, ...]] = {
    BooleanType: ("Bool",),
    ByteType: ("Int8",),
    ShortType: ("Int16", "UInt8"),
    IntegerType: ("Int32", "UInt16"),
    LongType: ("Int64", "UInt32"),
    FloatType: ("Float32", "BFloat16"),
    DoubleType: ("Float64",),
    DateType: ("Date", "Date32"),
    TimestampType: ("DateTime",),
}
# ClickHouse type → (the type it is cast to for the transfer, the Spark type).
PLAIN: dict[str, tuple[str, DataType]] = {
    **{name: (NATURAL[spark], spark()) for spark, names in HELD.items() for name in names},
    "UInt64": ("Decimal(20, 0)", DecimalType(20, 0)),
}
# No Spark number holds these, or Spark has no such type: the text ClickHouse itself reads and writes.
AS_TEXT = (
    *("Int128", "UInt128", "Int256", "UInt256"),
    *("UUID", "IPv4", "IPv6", "Enum8", "Enum16", "Time", "Time64"),
)
GEO = {
    "Point": "Tuple(Float64, Float64)",
    "Ring": "Array(Point)",
    "LineString": "Array(Point)",
    "MultiPoint": "Array(Point)",
    "MultiLineString": "Array(LineString)",
    "Polygon": "Array(Ring)",
    "MultiPolygon": "Array(Polygon)",
}
NAMED = re.compile(r"(`(?:[^`\\]|\\.)*`|[A-Za-z_]\w*)\s+(.+)", re.DOTALL)
CALL = re.compile(r"(\w+)\s*(?:\((.*)\))?", re.DOTALL)


@dataclass(frozen=True)
class Mapped:
    """How a column travels: cast to `wire` in ClickHouse, held as `spark` in Spark."""

    wire: str
    spark: DataType
    nullable: bool = False


def map_type(column: str, clickhouse: str, *, binary: bool = False) -> Mapped:
    """How a column's type is transferred; a PipelineError names the column if there is none.

    `binary` keeps every String in it as bytes: ClickHouse does not ask that they are text.
    """
    mapped = _map(clickhouse, BinaryType() if binary else StringType())
    if mapped is None:
        raise PipelineError(
            f"Column {column} has type {clickhouse}, which Spark cannot hold without loss. Read it "
            "by a query that casts it, or name the columns to read in the option 'columns'."
        )
    return mapped


def spark_field(column: str, clickhouse: str, *, binary: bool = False) -> StructField:
    """A column of ClickHouse as a field of a Spark schema, which remembers its ClickHouse type."""
    mapped = map_type(column, clickhouse, binary=binary)
    return StructField(column, mapped.spark, mapped.nullable, {METADATA: clickhouse})


def clickhouse_type(field: StructField) -> str:
    """The type a field has in a ClickHouse table: the one it was read as, else the natural one."""
    known = (field.metadata or {}).get(METADATA)
    return str(known) if known else _natural(field.name, field.dataType, field.nullable)


def _natural(column: str, spark: DataType, nullable: bool) -> str:
    match spark:
        case ArrayType():
            return f"Array({_natural(column, spark.elementType, spark.containsNull)})"
        case MapType():
            key = _natural(column, spark.keyType, False)
            return f"Map({key}, {_natural(column, spark.valueType, spark.valueContainsNull)})"
        case StructType():
            inner = (
                f"{quoted(field.name)} {_natural(column, field.dataType, field.nullable)}"
                for field in spark.fields
            )
            return f"Tuple({', '.join(inner)})"
        case DecimalType():
            name = f"Decimal({spark.precision}, {spark.scale})"
        case _ if type(spark) in NATURAL:
            name = NATURAL[type(spark)]
        case _:
            raise PipelineError(
                f"Column {column} has Spark's type {spark.simpleString()}, which no ClickHouse type "
                "holds without loss: cast it."
            )
    # ClickHouse has no NULL for an array, a map or a tuple: such a value is refused when written.
    return f"Nullable({name})" if nullable else name


def quoted(name: str) -> str:
    """A name as ClickHouse reads it, whatever is in it."""
    escaped = name.replace("\\", "\\\\").replace("`", "\\`")
    return f"`{escaped}`"


def literal(text: str) -> str:
    """A string as ClickHouse reads it, whatever is in it."""
    escaped = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"


def _map(text: str, strings: DataType) -> Mapped | None:
    name, arguments = split_type(text)
    if name == "String":
        return Mapped("String", strings)
    if name in PLAIN:
        return Mapped(*PLAIN[name])
    if name in AS_TEXT:
        return Mapped("String", StringType())
    if name in GEO:
        return _map(GEO[name], strings)
    return _map_scalar(text, name, arguments) or _map_compound(name, arguments, strings)


def _map_scalar(text: str, name: str, arguments: list[str]) -> Mapped | None:
    """Types of one value, with parameters."""
    match name, arguments:
        case "FixedString", [_]:
            # It need not be text, and a cast would take away zero bytes at its end.
            return Mapped(text, BinaryType())
        case "Decimal", [precision, scale] if int(precision) <= WIDEST_DECIMAL:
            return Mapped(f"Decimal({precision}, {scale})", DecimalType(int(precision), int(scale)))
        case "DateTime64", [digits, *_]:
            return _datetime64(int(digits))
    return None


def _map_compound(name: str, arguments: list[str], strings: DataType) -> Mapped | None:
    """Types made of other types."""
    match name, arguments:
        case "Nullable", [inner]:
            return _nullable(_map(inner, strings))
        case ("LowCardinality", [inner]) | ("SimpleAggregateFunction", [_, inner]):
            return _map(inner, strings)
        case "Array", [inner]:
            return _array(_map(inner, strings))
        case "Nested", [_, *_]:
            return _array(_tuple(arguments, strings))
        case "Map", [key, value]:
            return _map_of(_map(key, strings), _map(value, strings))
        case "Tuple", [_, *_]:
            return _tuple(arguments, strings)
    return None


def _nullable(held: Mapped | None) -> Mapped | None:
    # A structure that is NULL as a whole has no type in ClickHouse to travel as.
    if held is None or held.nullable or isinstance(held.spark, StructType):
        return None
    return Mapped(f"Nullable({held.wire})", held.spark, True)


def _datetime64(digits: int) -> Mapped:
    if digits <= FINEST_TIMESTAMP:
        return Mapped("DateTime64(6, 'UTC')", TimestampType())
    # Spark's timestamps end at microseconds: seconds since 1970 as a decimal keep every digit.
    return Mapped(f"Decimal({digits + 11}, {digits})", DecimalType(digits + 11, digits))


def _array(item: Mapped | None) -> Mapped | None:
    if item is None:
        return None
    return Mapped(f"Array({item.wire})", ArrayType(item.spark, item.nullable))


def _map_of(key: Mapped | None, value: Mapped | None) -> Mapped | None:
    if key is None or value is None or key.nullable or _is_nested(key.spark):
        return None
    return Mapped(f"Map({key.wire}, {value.wire})", MapType(key.spark, value.spark, value.nullable))


def _tuple(arguments: list[str], strings: DataType) -> Mapped | None:
    wires, fields = [], []
    for number, argument in enumerate(arguments, 1):
        name, kind = split_element(argument)
        held = _map(kind, strings)
        if held is None:
            return None
        wires.append(f"{quoted(name)} {held.wire}" if name else held.wire)
        fields.append(StructField(name or f"_{number}", held.spark, held.nullable))
    return Mapped(f"Tuple({', '.join(wires)})", StructType(fields))


def _is_nested(spark: DataType) -> bool:
    return isinstance(spark, ArrayType | MapType | StructType)


def split_type(text: str) -> tuple[str, list[str]]:
    """A type's name and its arguments."""
    call = CALL.fullmatch(text.strip())
    return (call[1], split_arguments(call[2] or "")) if call else ("", [])


def split_element(text: str) -> tuple[str, str]:
    """Name and type of a tuple's element; the name may be missing."""
    named = NAMED.fullmatch(text)
    if not named:
        return "", text
    name = named[1]
    return re.sub(r"\\(.)", r"\1", name[1:-1]) if name.startswith("`") else name, named[2]


def split_arguments(text: str) -> list[str]:
    """What stands between the commas of a type, blind to commas in parentheses and quotes."""
    arguments, depth, start, at = [], 0, 0, 0
    while at < len(text):
        character = text[at]
        if character in "'`":
            at = _closing_quote(text, at)
        elif character == "(":
            depth += 1
        elif character == ")":
            depth -= 1
        elif character == "," and depth == 0:
            arguments.append(text[start:at].strip())
            start = at + 1
        at += 1
    last = text[start:].strip()
    return [*arguments, last] if last else arguments


def _closing_quote(text: str, start: int) -> int:
    at = start + 1
    while at < len(text) and text[at] != text[start]:
        at += 2 if text[at] == "\\" else 1
    return at
