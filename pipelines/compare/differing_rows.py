"""The rows in which Spark and ClickHouse differ: counted by their hashes, fetched, and judged."""

from __future__ import annotations

import datetime
import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from pyspark.sql import DataFrame

from pipelines.clickhouse.rows import ClickHouseRows
from pipelines.clickhouse.types import map_type, quoted
from pipelines.compare import fingerprint
from pipelines.compare.difference import DifferenceKind
from pipelines.compare.fingerprint import quoted_for_spark
from pipelines.spark.errors import clear_errors

Row = dict[str, Any]
Counts = dict[tuple[int, int], int]


def counts_of_clickhouse(actual: ClickHouseRows, by: dict[str, str], buckets: list[int]) -> Counts:
    """How often each row of these buckets is there, by the hashes of its key and of all of it."""
    hashes = f"{fingerprint.hash_sql(by)}, {fingerprint.hash_sql(actual.types)}, count()"
    where = f"{fingerprint.bucket_sql(by)} IN ({', '.join(map(str, buckets))})"
    counts = actual.select(hashes, "GROUP BY 1, 2", where)
    return {(int(key), int(row)): int(count) for key, row, count in counts}


def counts_of_frame(
    frame: DataFrame, actual: ClickHouseRows, by: dict[str, str], buckets: list[int]
) -> Counts:
    with clear_errors():
        within = frame.where(fingerprint.bucket_column(frame, by).isin(buckets))
        hashes = (fingerprint.hash_column(within, types) for types in (by, actual.types))
        counts = within.groupBy(*hashes).count().collect()
    return {(key % 2**64, row % 2**64): count for key, row, count in counts}


def rows_of_clickhouse(actual: ClickHouseRows, hashes: list[int]) -> dict[int, Row]:
    """The rows that have these hashes."""
    row = fingerprint.hash_sql(actual.types)
    columns = ", ".join(
        f"CAST({quoted(name)} AS {map_type(name, kind).wire}) AS __value_{number}"
        for number, (name, kind) in enumerate(actual.types.items())
    )
    where = f"{row} IN ({', '.join(map(str, hashes))})"
    # Names that no column has: in ClickHouse they also mean something in the condition.
    sql = actual.sql(f"{row} AS __row, {columns}", "LIMIT 1 BY __row", where)
    rows = (values for batch in actual.server.batches(sql) for values in batch.to_pylist())
    return {values.pop("__row"): _named(actual, values) for values in rows}


def rows_of_frame(frame: DataFrame, actual: ClickHouseRows, hashes: list[int]) -> dict[int, Row]:
    signed = [number - 2**64 if number >= 2**63 else number for number in hashes]
    with clear_errors():
        row = fingerprint.hash_column(frame, actual.types)
        columns = [
            frame[quoted_for_spark(name)].alias(f"_{number}")
            for number, name in enumerate(actual.types)
        ]
        selected = frame.where(row.isin(signed)).select(row.alias("_row"), *columns)
        rows = selected.dropDuplicates(["_row"]).toArrow().to_pylist()
    return {values.pop("_row") % 2**64: _named(actual, values) for values in rows}


def _named(actual: ClickHouseRows, values: Row) -> Row:
    return dict(zip(actual.types, map(_plain, values.values()), strict=True))


def _plain(value: Any) -> Any:
    """A value as people write it, equal if it is the same in both engines."""
    match value:
        case bytes():
            try:
                return value.decode()
            except UnicodeDecodeError:
                return value
        case float() if math.isnan(value):
            return math.nan
        case datetime.datetime() if value.tzinfo is None:
            return value.replace(tzinfo=datetime.UTC)
        case list() | tuple():
            plain = [_plain(item) for item in value]
            # Only a map's entries are tuples, and their order means nothing.
            return sorted(plain, key=repr) if value and isinstance(value[0], tuple) else plain
        case dict():
            return [_plain(item) for item in value.values()]
    return value


class Judgement(NamedTuple):
    """What is wrong with a row; of a changed one the hashes before and after."""

    kind: DifferenceKind
    hashes: tuple[int, ...]
    expected: int
    actual: int


def judge(
    differing: list[tuple[int, int]], expected: Counts, actual: Counts, has_key: bool
) -> Iterator[Judgement]:
    """What is wrong with each row; differing rows of one key stand side by side."""
    for _, group in itertools.groupby(differing, key=lambda row: row[0] if has_key else row):
        lost: list[Judgement] = []
        new: list[Judgement] = []
        for row in group:
            ours, theirs = expected.get(row, 0), actual.get(row, 0)
            if theirs < ours:
                lost.append(Judgement(DifferenceKind.MISSING, row[1:], ours, theirs))
            else:
                kind = DifferenceKind.DUPLICATED if ours else DifferenceKind.UNEXPECTED
                new.append(Judgement(kind, row[1:], ours, theirs))
        if [row[2:] for row in lost] == [(1, 0)] and [row[2:] for row in new] == [(0, 1)]:
            yield Judgement(DifferenceKind.CHANGED, lost[0].hashes + new[0].hashes, 1, 1)
        else:
            yield from (*lost, *new)
