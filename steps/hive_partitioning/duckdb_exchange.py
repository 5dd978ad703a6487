"""Hive-partitioned data between ClickHouse and DuckDB: each reads what the other wrote.

DuckDB reads and writes a folder; the objects of the store are copied to and from it as they are. Importing
this module imports DuckDB.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb

from helpers.cluster.client.interception import action
from helpers.scenario.context import this
from steps.hive_partitioning.objects import Lake


def _folder() -> Path:
    exchange = this().cluster.folder / "exchange"
    exchange.mkdir(exist_ok=True)
    return Path(tempfile.mkdtemp(prefix="duckdb-", dir=exchange))


def rows_for_duckdb(
    lake: Lake, path: str, columns: str, keys: Mapping[str, str], order_by: str = "ALL"
) -> list[tuple[Any, ...]]:
    """What DuckDB reads of the objects below a path; `keys` are the columns of the directories, by type."""
    folder = _folder()
    lake.copy_to(folder, path)
    types = ", ".join(f"'{name}': {type_}" for name, type_ in keys.items())
    with duckdb.connect() as connection:
        rows: list[tuple[Any, ...]] = connection.execute(
            f"SELECT {columns} FROM read_parquet('{folder}/**/*.parquet', hive_partitioning = true, "
            f"hive_types = {{{types}}}) ORDER BY {order_by}"
        ).fetchall()
    return rows


def rows_or_refusal(
    lake: Lake, path: str, columns: str, keys: Mapping[str, str]
) -> list[tuple[Any, ...]] | str:
    """The same, or the kind of error with which DuckDB refuses to read."""
    try:
        return rows_for_duckdb(lake, path, columns, keys)
    except duckdb.Error as refused:
        return f"refused: {type(refused).__name__}"


@action
def write_by_duckdb(
    lake: Lake, path: str, select: str, by: Sequence[str], rows: Sequence[Sequence[Any]] = ()
) -> list[str]:
    """Let DuckDB write the rows of a query by these keys, and add its files to the store.

    Returns the directories that it made. `rows` fill a table `given (id, k)` that the query can name.
    """
    folder = _folder() / "written"
    with duckdb.connect() as connection:
        connection.execute("CREATE TABLE given (id INTEGER, k VARCHAR)")
        if rows:
            connection.executemany("INSERT INTO given VALUES (?, ?)", [list(row) for row in rows])
        connection.execute(
            f"COPY ({select}) TO '{folder}' (FORMAT parquet, PARTITION_BY ({', '.join(by)}))"
        )
    lake.put_folder(path, folder, "*.parquet")
    found = {str(file.parent.relative_to(folder)) for file in folder.rglob("*.parquet")}
    assert found, "the fixture is wrong: DuckDB wrote no file"
    return sorted(found)
