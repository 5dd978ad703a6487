"""Columns and partition keys of ClickHouse as Iceberg has them, or why it cannot."""

from __future__ import annotations

import io
import re
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from pipelines.clickhouse.types import literal, quoted, split_type
from pipelines.export.errors import ExportRefused
from pipelines.export.plan import Plan

LARGEST = 2**63 - 1
WIDE_WHOLE = (pa.uint32(), pa.uint64())
# Functions of a partition key, and the transforms that give the same groups for Date or for times in UTC.
TRANSFORMS = {
    "toYear": "year",
    "toStartOfYear": "year",
    "toYYYYMM": "month",
    "toStartOfMonth": "month",
    "toYYYYMMDD": "day",
    "toDate": "day",
    "toStartOfDay": "day",
    "toStartOfHour": "hour",
}
CALL = re.compile(r"(\w+)\(\s*(`?)(\w+)\2\s*\)")
TRUNCATED = re.compile(r"(?:substringUTF8|leftUTF8)\(\s*(`?)(\w+)\1\s*,\s*(?:1\s*,\s*)?(\d+)\s*\)")
WHOLE_KEYS = ("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "String", "Date")


def schema_of(plan: Plan) -> Any:
    """The columns of the files as Iceberg's schema; a refusal names the column that it cannot have."""
    from pyiceberg.io.pyarrow import _ConvertToIcebergWithoutIDs, visit_pyarrow

    selected = ", ".join(map(quoted, plan.columns))
    sql = f"SELECT {selected} FROM {plan.source.sql} WHERE _part IN ('') FORMAT Parquet"
    empty = plan.server.execute(sql, {**plan.encoding})
    fields = []
    for field in pq.read_schema(io.BytesIO(empty)):
        # A column of 32 bits without a sign has values that Iceberg's int has not.
        kind = pa.int64() if field.type in WIDE_WHOLE else field.type
        fields.append(field.with_type(kind))
        try:
            visit_pyarrow(pa.schema([fields[-1]]), _ConvertToIcebergWithoutIDs())
        except Exception as error:  # whatever pyiceberg says of types
            raise ExportRefused(
                "BAD_ARGUMENTS",
                f"Iceberg has no type for column {field.name} {plan.columns.get(field.name, '')}: {error}",
            ) from None
    from pyiceberg.catalog import Catalog

    return Catalog._convert_schema_if_needed(pa.schema(fields))


def check_range(plan: Plan) -> None:
    """Refuse numbers that no number of Iceberg holds."""
    wide = [
        name
        for name, kind in plan.columns.items()
        if re.fullmatch(r"(LowCardinality\(|Nullable\()*UInt64\)*", kind)
    ]
    if not wide or not plan.parts:
        return
    largest = ", ".join(f"toString(max({quoted(name)}))" for name in wide)
    names = ", ".join(literal(planned.part.name) for planned in plan.parts)
    (values,) = plan.server.rows(
        f"SELECT {largest} FROM {plan.source.sql} WHERE _part IN ({names})"
    )
    for name, value in zip(wide, values, strict=True):
        if value is not None and int(value) > LARGEST:
            raise ExportRefused(
                "BAD_ARGUMENTS",
                f"Column {name} {plan.columns[name]} has the value {value}; Iceberg's largest is {LARGEST}.",
            )


def transforms_of(plan: Plan) -> list[tuple[str, Any]]:
    """The partition key in Iceberg's transforms, each with its column; a refusal names what has none."""
    return [_transform(plan, key) for key in plan.source.keys]


def _transform(plan: Plan, key: str) -> tuple[str, Any]:
    from pyiceberg.transforms import IdentityTransform, TruncateTransform, parse_transform

    bare = key.strip("`")
    if bare in plan.source.columns:
        if bare not in plan.columns:
            raise _no_transform(
                plan,
                key,
                "its column is not in the files: add --keys-in-file, in a place of its own",
            )
        kind = _inner(plan.source.columns[bare])
        if kind in (*WHOLE_KEYS, "Date32") or kind == "UInt64":
            return bare, IdentityTransform()
        raise _no_transform(plan, key, f"Iceberg groups {kind} differently from its text")
    if (match := TRUNCATED.fullmatch(key)) and _inner(plan.columns.get(match[2], "")) == "String":
        return match[2], TruncateTransform(int(match[3]))
    call = CALL.fullmatch(key)
    if call is None or call[1] not in TRANSFORMS or call[3] not in plan.columns:
        raise _no_transform(plan, key, "Iceberg has no transform that groups rows in this way")
    kind = _inner(plan.columns[call[3]])
    if kind not in ("Date", "Date32") and not kind.endswith("'UTC')"):
        raise _no_transform(
            plan,
            key,
            f"Iceberg's transforms are in UTC, and {call[3]} is {kind}, of another time zone",
        )
    return call[3], parse_transform(TRANSFORMS[call[1]])


def _inner(kind: str) -> str:
    name, arguments = split_type(kind)
    return _inner(arguments[0]) if name in ("LowCardinality", "Nullable") else kind


def _no_transform(plan: Plan, key: str, reason: str) -> ExportRefused:
    return ExportRefused(
        "BAD_ARGUMENTS",
        f"The partition key {key} of {plan.source} cannot be Iceberg's: {reason}.",
    )
