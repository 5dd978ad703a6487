"""The data source `hive_parquet` of the tests, and rows to write."""

from __future__ import annotations

import datetime
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from helpers.cluster.object_store import ObjectStore
from pipelines.hive.data_source import HiveParquetSource
from pipelines.s3.store import Place, Store

BUCKET = "lake"
DAY = datetime.date
ROWS = pa.table(
    {
        "n": pa.array(range(6), pa.int64()),
        "year": pa.array([2024, 2024, 2025, 2025, None, None], pa.int32()),
        "city": ["Köln", "a/b=c%", "Köln", "Köln", "Rom", "Rom"],
        "day": pa.array([DAY(2024, 1, 2)] * 6),
        "text": ["x", None, "", "ü", "y", "z"],
    }
)
BY = "year,city,day"


def source(store: Store, path: str, **options: str) -> HiveParquetSource:
    return HiveParquetSource({**store.options(), "path": path, **options})


def keys(object_store: ObjectStore, path: str) -> list[str]:
    return object_store.keys(BUCKET, Place.parse(path).prefix)


def rows(table: pa.Table) -> list[dict[str, Any]]:
    return sorted(table.to_pylist(), key=lambda row: row["n"])


def nothing_is_left(object_store: ObjectStore, store: Store, path: str) -> None:
    assert keys(object_store, path) == []
    assert store.uploads(Place.parse(path)) == []


def read_schema(table: pa.Table) -> Any:
    from pipelines.clickhouse.arrow import spark_schema

    return spark_schema(table.schema, "rows")


def put(store: Store, path: str, name: str, **columns: pa.Array) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    store.put(BUCKET, f"{Place.parse(path).prefix}{name}", sink.getvalue().to_pybytes())
