"""What has to be left of histories of ReplacingMergeTree tables, computed by Spark, all tables at once.

Importing this module imports PySpark: scenarios do so inside of the function that needs it.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from pyspark.sql import DataFrame
from pyspark.sql import functions as f

from pipelines.clickhouse import rows as clickhouse_rows
from pipelines.clickhouse.rows import ClickHouseRows
from pipelines.compare import oracle
from pipelines.compare.difference import Difference
from steps.replacing_merge_tree.history import CleanUp, Insert, Replace
from steps.replacing_merge_tree.history_batch import HistoryBatch, TableHistory
from steps.spark.session import dataframe, server

COLUMNS = "p int, key bigint, version bigint, deleted int, seq bigint, value string, note bigint"
# What the engine of the row's table compares: the partition or 0, the version or 0, the deletion or 0.
COMPARED = "place int, rank bigint, gone int"
KEY = ("p", "key")


@dataclass
class Phase:
    """Rows that arrived after an event: cleanups, and partitions that were replaced, by history."""

    rows: list[tuple[object, ...]] = field(default_factory=list)
    cleaned: list[int] = field(default_factory=list)
    replaced: list[tuple[int, int]] = field(default_factory=list)


def phases(batch: HistoryBatch) -> list[Phase]:
    """The histories, cut where rows disappear; a replaced partition brings rows of its own."""
    phases = defaultdict[int, Phase](Phase)
    for number, history in enumerate(batch.histories):
        kind, current = history.kind, 0
        for operation in history.operations:
            rows = operation.rows if isinstance(operation, Insert) else []
            if isinstance(operation, CleanUp | Replace):
                current += 1
            if isinstance(operation, CleanUp):
                phases[current].cleaned.append(number)
            if isinstance(operation, Replace):
                phases[current].replaced.append((number, operation.partition))
                arrived = (row for inserted in operation.inserts for row in inserted)
                rows = [row for row in arrived if row[0] == operation.partition]
            phases[current].rows += [
                (
                    *(number, *row),
                    row[0] if kind.partition_by else 0,
                    row[2] if kind.parameters else 0,
                    row[3] if "deleted" in kind.parameters else 0,
                )
                for row in rows
            ]
    return [phases[number] for number in range(len(phases))]


def expected(batch: HistoryBatch, *, keep_deleted: bool) -> DataFrame:
    """What survives in each table, deletion rows with it or not."""
    known: DataFrame | None = None
    for phase in phases(batch):
        rows = dataframe(phase.rows, f"history int, {COLUMNS}, {COMPARED}")
        if known is not None:
            gone = " OR ".join(f"history = {history} AND p = {p}" for history, p in phase.replaced)
            known = known.where(f"NOT ({gone or 'false'})")
            cleaned = f.col("history").isin(phase.cleaned)
            known = survivors(known.where(cleaned)).unionByName(known.where(~cleaned))
        known = rows if known is None else known.unionByName(rows)
    assert known is not None, "there is no history"
    return survivors(known, keep_deleted=keep_deleted).drop("place", "rank", "gone")


def survivors(rows: DataFrame, *, keep_deleted: bool = False) -> DataFrame:
    return oracle.replacing_final(
        rows.withColumn("arrival", f.col("seq")),
        ("history", "place", "key"),
        sequence="arrival",
        version="rank",
        is_deleted="gone",
        keep_deleted=keep_deleted,
    )


def final_differences(batch: HistoryBatch) -> dict[int, Difference]:
    """What distinguishes the answers of FINAL from Spark's, by history, where it is specified."""
    return _compare(batch, expected(batch, keep_deleted=False), final=True)


def merged_differences(batch: HistoryBatch) -> dict[int, Difference]:
    """What distinguishes the rows that are stored after a merge from those that Spark keeps."""
    return _compare(batch, expected(batch, keep_deleted=True), final=False)


def _compare(batch: HistoryBatch, rows: DataFrame, *, final: bool) -> dict[int, Difference]:
    """Of all histories, or with FINAL of those where it is specified what it returns."""
    tables = {
        number: _rows(history, final=final)
        for number, history in enumerate(batch.histories)
        if history.final_is_specified or not final
    }
    return oracle.compare_all(
        rows.where(f.col("history").isin(list(tables))), "history", tables, key=KEY
    )


def _rows(history: TableHistory, *, final: bool) -> ClickHouseRows:
    table = history.table
    return clickhouse_rows.table(server(table.node, table.database), table.name, final=final)
