"""Arrow arrays brought into exactly the type that the other side expects, or refused."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql.pandas.types import to_arrow_schema
from pyspark.sql.types import StructType

from pipelines.clickhouse.types import split_element, split_type
from pipelines.errors import PipelineError

WIRES: dict[str, pa.DataType] = {
    "Bool": pa.bool_(),
    "Int8": pa.int8(),
    "Int16": pa.int16(),
    "Int32": pa.int32(),
    "Int64": pa.int64(),
    "Float32": pa.float32(),
    "Float64": pa.float64(),
    "String": pa.binary(),
    "Date32": pa.date32(),
}


def arrow_schema(schema: StructType) -> pa.Schema:
    """The Arrow schema that Spark expects for a schema of its own."""
    return to_arrow_schema(schema, timezone="UTC")


def wire_field(name: str, wire: str) -> pa.Field:
    """The Arrow field that ClickHouse reads as a type; only types that columns travel as."""
    outer, arguments = split_type(wire)
    nullable = outer == "Nullable"
    if nullable:
        wire = arguments[0]
        outer, arguments = split_type(wire)
    match outer:
        case "Decimal":
            kind = pa.decimal128(int(arguments[0]), int(arguments[1]))
        case "FixedString":
            kind = pa.binary(int(arguments[0]))
        case "DateTime64":
            kind = pa.timestamp("us", "UTC")
        case "Array":
            kind = pa.list_(wire_field("item", arguments[0]))
        case "Map":
            key, value = arguments
            kind = pa.map_(wire_field("key", key), wire_field("value", value))
        case "Tuple":
            elements = [split_element(argument) for argument in arguments]
            kind = pa.struct(
                [
                    wire_field(element or str(number), kind)
                    for number, (element, kind) in enumerate(elements, 1)
                ]
            )
        case _:
            kind = WIRES[outer]
    return pa.field(name, kind, nullable)


def conform_all(
    batches: Iterable[pa.RecordBatch], schema: pa.Schema, where: str
) -> Iterator[pa.RecordBatch]:
    """The same rows in the types of `schema`, which names the columns and their order."""
    for batch in batches:
        arrays = [
            conform(batch.column(field.name), field, f"column {field.name} of {where}")
            for field in schema
        ]
        yield pa.RecordBatch.from_arrays(arrays, schema=schema)


def conform(array: pa.Array, field: pa.Field, where: str) -> pa.Array:
    """An array in a field's type: the same values, or an error that says where they are not."""
    if array.null_count and not field.nullable:
        raise PipelineError(f"There is a NULL in {where}, which has no place for it.")
    target = field.type
    if array.type.equals(target, check_metadata=True):
        return array
    if pa.types.is_map(target) and pa.types.is_map(array.type):
        _refuse_duplicate_keys(array, where)
        entries = pa.StructArray.from_arrays(
            [
                conform(array.keys, target.key_field, where),
                conform(array.items, target.item_field, where),
            ],
            fields=[target.key_field, target.item_field],
        )
        return _with_children(array, target, entries)
    if pa.types.is_list(target) and pa.types.is_list(array.type):
        return _with_children(array, target, conform(array.values, target.value_field, where))
    if pa.types.is_struct(target) and pa.types.is_struct(array.type):
        return _conform_struct(array, target, where)
    if pa.types.is_string(target) and pa.types.is_binary(array.type) and _is_ascii(array):
        return array.view(target)  # what is text already need not be looked at value by value
    try:
        return array.cast(target, safe=True)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        if pa.types.is_string(target):
            raise PipelineError(
                f"There are bytes in {where} that are not UTF-8: name it in the option 'binary'."
            ) from None
        raise PipelineError(f"The values in {where} do not fit: {error}") from None


def _is_ascii(array: pa.Array) -> bool:
    data = array.buffers()[2]
    return data is None or not data.size or np.frombuffer(data, np.uint8).max() < 128


def _with_children(array: pa.Array, target: pa.DataType, child: pa.Array) -> pa.Array:
    """The same lists with other items."""
    return pa.Array.from_buffers(
        target, len(array), array.buffers()[:2], array.null_count, array.offset, [child]
    )


def _conform_struct(array: pa.Array, target: pa.DataType, where: str) -> pa.Array:
    if array.type.num_fields != target.num_fields:
        raise PipelineError(f"A tuple in {where} has {array.type.num_fields} elements.")
    mask = array.is_null() if array.null_count else None
    fields = [target.field(number) for number in range(target.num_fields)]
    # An element of a missing tuple is missing as well, which is no NULL of its own.
    children = [
        conform(child, field if mask is None else field.with_nullable(True), where)
        for child, field in zip(array.flatten(), fields, strict=True)
    ]
    return pa.StructArray.from_arrays(children, fields=fields, mask=mask)


def _refuse_duplicate_keys(array: pa.Array, where: str) -> None:
    """ClickHouse keeps a key twice, Spark's map does not."""
    lists = _with_children(array, pa.list_(pa.field("key", array.type.key_type)), array.keys)
    pairs = pa.table({"row": pc.list_parent_indices(lists), "key": pc.list_flatten(lists)})
    if pairs.group_by(["row", "key"]).aggregate([]).num_rows != pairs.num_rows:
        raise PipelineError(f"A map in {where} holds a key twice, which Spark's maps cannot.")
