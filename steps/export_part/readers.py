"""What independent readers get of an exported file: the values of a column, or why it cannot be read."""

from __future__ import annotations

import datetime
import decimal
import importlib
import importlib.util
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

from steps.export_part.exports import Lake


def values_read(lake: Lake, key: str, kind: str) -> dict[str, list[Any] | str]:
    """The values of the column v of a file, by reader, in one notation; a text where a reader fails.

    DuckDB takes part where it is installed.
    """
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "part.parquet"
        file.write_bytes(lake.store.store().get(lake.bucket, lake.filename(key)) or b"")
        readers: dict[str, Callable[[Path], list[Any]]] = {"Spark": _spark, "pyarrow": _pyarrow}
        if importlib.util.find_spec("duckdb"):
            readers["DuckDB"] = _duckdb
        found: dict[str, list[Any] | str] = {
            "ClickHouse": _clickhouse(lake, key, ""),
            "declared": _clickhouse(lake, key, f"n UInt8, v {kind}"),
        }
        for name, read in readers.items():
            try:
                found[name] = [_plain(value) for value in read(file)]
            except Exception as error:  # every reader has its own
                found[name] = " ".join(str(error).split())[:200]
    return found


def _clickhouse(lake: Lake, key: str, structure: str) -> list[Any]:
    named = {"structure": structure} if structure else {}
    texts = lake.node.column(
        f"SELECT toString(v) FROM s3({lake.s3(key, **named)}) ORDER BY n",
        settings={"use_hive_partitioning": 0},
    )
    return list(texts)


def _spark(file: Path) -> list[Any]:
    from steps.spark.session import spark

    frame = spark().read.parquet(str(file))
    return [row[0] for row in frame.orderBy("n").select("v").collect()]


def _pyarrow(file: Path) -> list[Any]:
    import pyarrow.parquet as pq

    return list(pq.read_table(file).sort_by("n").column("v").to_pylist(maps_as_pydicts="strict"))


def _duckdb(file: Path) -> list[Any]:
    duckdb = importlib.import_module("duckdb")
    with duckdb.connect() as connection:
        rows = connection.execute(f"SELECT v, v::VARCHAR FROM '{file}' ORDER BY n").fetchall()
    # Python's times have microseconds, DuckDB's have nanoseconds.
    return [
        text.removesuffix("+00") if isinstance(value, datetime.datetime) else value
        for value, text in rows
    ]


def _plain(value: Any) -> Any:
    """A value in one notation, whatever the reader's types are."""
    if isinstance(value, dict) or hasattr(value, "asDict"):
        pairs = value.items() if isinstance(value, dict) else value.asDict().items()
        return {str(name): _plain(item) for name, item in pairs}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() and _is_whole(value) else str(value)
    if isinstance(value, datetime.datetime):  # an instant; the zone is the reader's
        return str(value).removesuffix("+00:00")
    if isinstance(value, (uuid.UUID, datetime.date)):
        return str(value)
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "backslashreplace")
    return str(value) if isinstance(value, float) else value


def _is_whole(value: decimal.Decimal) -> bool:
    return value.as_tuple().exponent == 0
