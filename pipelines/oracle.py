"""The referee: computes in Spark what a table must hold, and names the rows that are not so."""

from __future__ import annotations

import datetime
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple, TypeVar

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as f

from pipelines import fingerprint, hive_layout
from pipelines.actual import Actual, check_columns
from pipelines.difference import MOST_ROWS, Difference, Kind, RowDifference
from pipelines.errors import PipelineError, clear_errors
from pipelines.fingerprint import quoted_for_spark
from pipelines.hive_parquet import read_hive
from pipelines.hive_parquet_read import find_files
from pipelines.s3 import Place, Store
from pipelines.types import map_type, quoted

# Buckets are looked into until they hold this many rows: enough to name some, and little to fetch.
ROWS_LOOKED_AT = 50_000
Row = dict[str, Any]
Counts = dict[tuple[int, int], int]
One = TypeVar("One")


def compare(expected: DataFrame, actual: Actual, *, key: Sequence[str] = ()) -> Difference | None:
    """What distinguishes the rows in ClickHouse from the expected ones, or None.

    Order does not matter, copies count. Each side is computed where it is and by another engine;
    only differing rows travel. With the names of a `key`, a row that is there with other values is
    shown as changed and not as one missing and one unexpected.
    """
    check_columns(expected.schema, actual)
    types = actual.types
    for name in key:
        if name not in types:
            raise PipelineError(f"{actual.name} has no column {name} to be the key.")
    by = {name: types[name] for name in key or types}
    ours, theirs = _both(
        lambda: fingerprint.of_frame(expected, types), lambda: fingerprint.of_clickhouse(actual)
    )
    if ours == theirs:
        return None
    our_buckets, their_buckets = _both(
        lambda: fingerprint.buckets_of_frame(expected, types, by),
        lambda: fingerprint.buckets_of_clickhouse(actual, by),
    )
    bad = [
        number
        for number in sorted(our_buckets.keys() | their_buckets.keys())
        if our_buckets.get(number) != their_buckets.get(number)
    ]
    looked, rows = [], 0
    for number in bad:
        if rows < ROWS_LOOKED_AT:
            looked.append(number)
            rows += sum(one[number].rows for one in (our_buckets, their_buckets) if number in one)
    our_counts, their_counts = _both(
        lambda: _counts_of_frame(expected, actual, by, looked),
        lambda: _counts_of_clickhouse(actual, by, looked),
    )
    differing = sorted(
        one
        for one in our_counts.keys() | their_counts.keys()
        if our_counts.get(one) != their_counts.get(one)
    )
    changed = f"{actual.name} or what is expected of it changed during comparison."
    if not differing:
        raise PipelineError(changed)
    judged = list(_judged(differing, our_counts, their_counts, bool(key)))
    shown = judged[:MOST_ROWS]
    hashes = [one for judgement in shown for one in judgement.hashes]
    our_rows, their_rows = _both(
        lambda: _rows_of_frame(expected, actual, hashes),
        lambda: _rows_of_clickhouse(actual, hashes),
    )
    known = their_rows | our_rows
    if not known.keys() >= set(hashes):
        raise PipelineError(changed)
    return Difference(
        actual.name,
        ours.rows,
        theirs.rows,
        tuple(key),
        tuple(
            RowDifference(
                one.kind, known[one.hashes[0]], one.expected, one.actual, known[one.hashes[-1]]
            )
            for one in shown
        ),
        len(judged),
        looked == bad,
    )


def replace_partition(
    destination: DataFrame, source: DataFrame, partition: Column | str
) -> DataFrame:
    """What the destination holds after REPLACE PARTITION; `partition` is true for its rows."""
    with clear_errors():
        inside = f.coalesce(
            f.expr(partition) if isinstance(partition, str) else partition, f.lit(False)
        )
        return destination.where(~inside).unionByName(source.where(inside))


def replacing_final(
    inserted: DataFrame,
    key: Sequence[str],
    *,
    sequence: str,
    version: str | None = None,
    is_deleted: str | None = None,
    keep_deleted: bool = False,
) -> DataFrame:
    """What SELECT … FINAL of a ReplacingMergeTree shows of all rows ever inserted.

    Of each `key` (the sorting key) the row with the highest version remains, of equal versions the
    one inserted last: `sequence` is a column that grows with every row inserted, and is not part
    of the result. Rows whose `is_deleted` is not 0 are gone, unless `keep_deleted`. To have rows
    replaced only within partitions, as merges do, put the partition's columns into the key.
    """
    names = [name for name in inserted.columns if name != sequence]
    order = [name for name in (version, sequence) if name is not None]
    with clear_errors():
        row = f.struct(*(f.col(quoted_for_spark(name)) for name in names))
        rank = f.struct(*(f.col(quoted_for_spark(name)) for name in order))
        grouped = inserted.groupBy(*(f.col(quoted_for_spark(name)) for name in key))
        last = grouped.agg(f.max_by(row, rank).alias("_last")).select("_last.*")
        if is_deleted is None or keep_deleted:
            return last
        return last.where(f.col(quoted_for_spark(is_deleted)) == 0)


def hive_rows(session: SparkSession, store: Store, path: str, actual: Actual) -> DataFrame:
    """What ClickHouse must see in a hive-partitioned data set: an export, or a table's source.

    Folders' values get the types that they have in `actual`: by its look a text cannot be told from a
    number or a date.
    """
    place = Place.parse(path)
    first, _ = find_files(store, place)[0]
    known = {
        name: map_type(name, actual.types[name]).spark
        for name in hive_layout.parse_folder(first[len(place.prefix) :])
        if name in actual.types
    }
    types = [
        f"{name} {kind.simpleString()}"
        for name, kind in known.items()
        if isinstance(kind, hive_layout.TYPES)
    ]
    return read_hive(session, store, path, partition_types=",".join(types))


def _both(first: Callable[[], One], second: Callable[[], One]) -> tuple[One, One]:
    """Spark here and ClickHouse beside it, since each has its own processes."""
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(second)
        return first(), beside.result()


def _counts_of_clickhouse(actual: Actual, by: dict[str, str], buckets: list[int]) -> Counts:
    """How often each row of these buckets is there, by the hashes of its key and of all of it."""
    hashes = f"{fingerprint.hash_sql(by)}, {fingerprint.hash_sql(actual.types)}, count()"
    where = f"{fingerprint.bucket_sql(by)} IN ({', '.join(map(str, buckets))})"
    found = actual.select(hashes, "GROUP BY 1, 2", where)
    return {(int(key), int(row)): int(count) for key, row, count in found}


def _counts_of_frame(
    frame: DataFrame, actual: Actual, by: dict[str, str], buckets: list[int]
) -> Counts:
    with clear_errors():
        within = frame.where(fingerprint.bucket_column(frame, by).isin(buckets))
        hashes = (fingerprint.hash_column(within, one) for one in (by, actual.types))
        found = within.groupBy(*hashes).count().collect()
    return {(key % 2**64, row % 2**64): count for key, row, count in found}


def _rows_of_clickhouse(actual: Actual, hashes: list[int]) -> dict[int, Row]:
    """The rows that have these hashes."""
    row = fingerprint.hash_sql(actual.types)
    columns = ", ".join(
        f"CAST({quoted(name)} AS {map_type(name, kind).wire}) AS __value_{number}"
        for number, (name, kind) in enumerate(actual.types.items())
    )
    where = f"{row} IN ({', '.join(map(str, hashes))})"
    # Names that no column has: in ClickHouse they also mean something in the condition.
    sql = actual.sql(f"{row} AS __row, {columns}", "LIMIT 1 BY __row", where)
    held = (one for batch in actual.server.batches(sql) for one in batch.to_pylist())
    return {one.pop("__row"): _named(actual, one) for one in held}


def _rows_of_frame(frame: DataFrame, actual: Actual, hashes: list[int]) -> dict[int, Row]:
    signed = [one - 2**64 if one >= 2**63 else one for one in hashes]
    with clear_errors():
        row = fingerprint.hash_column(frame, actual.types)
        columns = [
            frame[quoted_for_spark(name)].alias(f"_{number}")
            for number, name in enumerate(actual.types)
        ]
        found = frame.where(row.isin(signed)).select(row.alias("_row"), *columns)
        held = found.dropDuplicates(["_row"]).toArrow().to_pylist()
    return {one.pop("_row") % 2**64: _named(actual, one) for one in held}


def _named(actual: Actual, values: Row) -> Row:
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
            plain = [_plain(one) for one in value]
            # Only a map's entries are tuples, and their order means nothing.
            return sorted(plain, key=repr) if value and isinstance(value[0], tuple) else plain
        case dict():
            return [_plain(one) for one in value.values()]
    return value


class _Judgement(NamedTuple):
    """What is wrong with a row; of a changed one the hashes before and after."""

    kind: Kind
    hashes: tuple[int, ...]
    expected: int
    actual: int


def _judged(
    differing: list[tuple[int, int]], expected: Counts, actual: Counts, has_key: bool
) -> Iterator[_Judgement]:
    """What is wrong with each row; differing rows of one key stand side by side."""
    for _, group in itertools.groupby(differing, key=lambda one: one[0] if has_key else one):
        lost: list[_Judgement] = []
        new: list[_Judgement] = []
        for one in group:
            ours, theirs = expected.get(one, 0), actual.get(one, 0)
            if theirs < ours:
                lost.append(_Judgement(Kind.MISSING, one[1:], ours, theirs))
            else:
                kind = Kind.DUPLICATED if ours else Kind.UNEXPECTED
                new.append(_Judgement(kind, one[1:], ours, theirs))
        if [one[2:] for one in lost] == [(1, 0)] and [one[2:] for one in new] == [(0, 1)]:
            yield _Judgement(Kind.CHANGED, lost[0].hashes + new[0].hashes, 1, 1)
        else:
            yield from (*lost, *new)
