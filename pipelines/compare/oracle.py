"""The referee: computes in Spark what a table must hold, and names the rows that are not so."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as f

from pipelines.clickhouse.rows import ClickHouseRows, check_columns
from pipelines.compare import fingerprint
from pipelines.compare.difference import MOST_ROWS, Difference, RowDifference
from pipelines.compare.differing_rows import (
    Judgement,
    counts_of_clickhouse,
    counts_of_frame,
    judge,
    rows_of_clickhouse,
    rows_of_frame,
)
from pipelines.compare.fingerprint import quoted_for_spark
from pipelines.errors import PipelineError
from pipelines.spark.errors import clear_errors

# Buckets are looked into until they hold this many rows: enough to name some, and little to fetch.
ROWS_LOOKED_AT = 50_000
Value = TypeVar("Value")
Key = TypeVar("Key", int, tuple[int, int])


class ChangedDuringComparison(PipelineError):
    """The rows in ClickHouse or the expected ones were not the same each time they were asked for."""


def compare(
    expected: DataFrame, actual: ClickHouseRows, *, key: Sequence[str] = ()
) -> Difference | None:
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
    differing = _unequal(our_buckets, their_buckets)
    looked_at, rows = [], 0
    for bucket in differing:
        if rows < ROWS_LOOKED_AT:
            looked_at.append(bucket)
            rows += sum(
                side[bucket].rows for side in (our_buckets, their_buckets) if bucket in side
            )
    judged = _judged(expected, actual, by, looked_at, bool(key))
    return Difference(
        actual.name,
        ours.rows,
        theirs.rows,
        tuple(key),
        tuple(_with_values(expected, actual, judged[:MOST_ROWS])),
        len(judged),
        looked_at == differing,
    )


def _judged(
    expected: DataFrame,
    actual: ClickHouseRows,
    by: dict[str, str],
    buckets: list[int],
    has_key: bool,
) -> list[Judgement]:
    """What is wrong with the rows of these buckets, which are known to differ."""
    ours, theirs = _both(
        lambda: counts_of_frame(expected, actual, by, buckets),
        lambda: counts_of_clickhouse(actual, by, buckets),
    )
    differing = _unequal(ours, theirs)
    if not differing:
        raise _changed(actual)
    return list(judge(differing, ours, theirs, has_key))


def _with_values(
    expected: DataFrame, actual: ClickHouseRows, judged: list[Judgement]
) -> Iterator[RowDifference]:
    """These rows with the values that they have in Spark or in ClickHouse."""
    hashes = [row for judgement in judged for row in judgement.hashes]
    ours, theirs = _both(
        lambda: rows_of_frame(expected, actual, hashes),
        lambda: rows_of_clickhouse(actual, hashes),
    )
    rows = theirs | ours
    if not rows.keys() >= set(hashes):
        raise _changed(actual)
    for kind, of_row, expected_count, actual_count in judged:
        yield RowDifference(kind, rows[of_row[0]], expected_count, actual_count, rows[of_row[-1]])


def _unequal(ours: Mapping[Key, object], theirs: Mapping[Key, object]) -> list[Key]:
    """The keys whose values are not the same on both sides, in their order."""
    return sorted(key for key in ours.keys() | theirs.keys() if ours.get(key) != theirs.get(key))


def _changed(actual: ClickHouseRows) -> ChangedDuringComparison:
    return ChangedDuringComparison(
        f"{actual.name} or what is expected of it changed during comparison."
    )


def compare_all(
    expected: DataFrame,
    group: str,
    actual: Mapping[Any, ClickHouseRows],
    *,
    key: Sequence[str] = (),
) -> dict[Any, Difference]:
    """What distinguishes many tables from what is expected of them, by one job of Spark.

    The column `group` of `expected` says which of the tables in `actual` a row belongs to; it is
    not compared. The tables have the same columns. Those that are as expected are not in the result.
    """
    rows = expected.drop(group)
    types = next(iter(actual.values())).types if actual else {}
    for table in actual.values():
        check_columns(rows.schema, table)
        if table.types != types:
            raise PipelineError(f"{table.name} has other columns than the tables before it.")
    ours, theirs = _both(
        lambda: fingerprint.by_group(expected, types, group),
        lambda: {value: fingerprint.of_clickhouse(table) for value, table in actual.items()},
    )
    if unknown := [value for value in ours if value not in actual]:
        raise PipelineError(f"Rows are expected of {unknown[0]!r}, of which there is no table.")
    differences = {}
    for value, table in actual.items():
        if ours.get(value, fingerprint.Fingerprint()) != theirs[value]:
            of_table = expected.where(expected[quoted_for_spark(group)] == f.lit(value)).drop(group)
            difference = compare(of_table, table, key=key)
            if difference is None:
                raise ChangedDuringComparison(f"{table.name} changed during comparison.")
            differences[value] = difference
    return differences


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


def _both(first: Callable[[], Value], second: Callable[[], Value]) -> tuple[Value, Value]:
    """Spark in another thread, ClickHouse in the caller's: its calls may be identified by their stack."""
    with ThreadPoolExecutor(1) as pool:
        beside = pool.submit(first)
        actual = second()
        return beside.result(), actual
