"""What a comparison costs beside Spark's exceptAll, how it grows, and how fast data sets are made.

Run it with the environment's Python: .venv/bin/python bench/oracle.py [ROWS]
All figures are ratios or rates of one run; ROWS (1,000,000) and ten times as many are compared, with
1 GB of memory for the driver. Ends with exit code 1 if a bar is missed by more than a factor of two,
so that a busy machine is not taken for a slow oracle.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from pyspark.sql import DataFrame, SparkSession

from helpers.cluster.embedded.cluster import EmbeddedCluster
from pipelines.clickhouse.data_source import read_table
from pipelines.clickhouse.rows import ClickHouseRows, table
from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import literal
from pipelines.compare import oracle
from pipelines.generate.data_set import DataSet, write_to_folder
from pipelines.spark.session import spark_session

GROWTH = 10
BY_FAR = 2.0
FASTER, LINEAR, RATE = 3.0, 1.5, 1_000_000.0
COLUMNS = (
    "id Int64, key Int64, amount Nullable(Decimal(18, 2)), price Float64, name Nullable(String), "
    "at DateTime64(6, 'UTC'), day Date32, flag Bool, year Int32, month Int32"
)


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def data_set(rows: int) -> DataSet:
    return DataSet(rows, seed=1, rows_per_file=max(rows // 8, 1))


def load(server: Server, folder: Path, name: str) -> ClickHouseRows:
    """The files of a folder as a table, read by ClickHouse itself."""
    server.run(f"CREATE TABLE {name} ({COLUMNS}) ENGINE = MergeTree ORDER BY id")
    files = f"file('{folder}/**/*.parquet', Parquet, {literal(COLUMNS)})"
    server.run(f"INSERT INTO {name} SELECT * FROM {files}", use_hive_partitioning=1)
    return table(server, name)


def by_except_all(expected: DataFrame, session: SparkSession, actual: ClickHouseRows) -> None:
    held = read_table(session, actual.server, actual.name).select(expected.columns)
    assert expected.exceptAll(held).count() == held.exceptAll(expected).count() == 0


def compare(expected: DataFrame, actual: ClickHouseRows) -> None:
    difference = oracle.compare(expected, actual)
    assert difference is None, str(difference)


def peak_memory(session: SparkSession) -> float:
    """The most that Spark's Java process has taken so far, in MB."""
    pid = session._jvm.java.lang.ProcessHandle.current().pid()
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    raise OSError(f"the kernel does not tell the memory of process {pid}")


def measure(
    session: SparkSession, server: Server, files: Path, rows: int, *, plain: bool = True
) -> dict[str, float]:
    """Make a data set, load it, compare it; and by exceptAll as well, if `plain`."""
    folder = files / str(rows)
    measured = {"make": seconds(lambda: write_to_folder(session, data_set(rows), folder))}
    actual = load(server, folder, f"t{rows}")
    expected = session.read.parquet(str(folder))
    measured["compare"] = seconds(lambda: compare(expected, actual))
    if plain:
        measured["exceptAll"] = seconds(lambda: by_except_all(expected, session, actual))
    return measured


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    session = spark_session("local[2]", memory="1g")
    with tempfile.TemporaryDirectory() as name, EmbeddedCluster(Path(name)) as cluster:
        node = cluster.node()
        where, files = node.endpoint, node.folder / "user_files"
        server = Server(f"http://{where.host}:{where.http_port}", where.user, where.password)
        measure(session, server, files, max(rows // 100, 10))  # Java compiles what it runs often
        small = measure(session, server, files, rows)
        large = measure(session, server, files, rows * GROWTH, plain=False)
        memory = peak_memory(session)
    faster = small["exceptAll"] / small["compare"]
    growth = large["compare"] / small["compare"] / GROWTH
    rate = rows * GROWTH / large["make"]
    print(f"compare {rows:,} rows                    {small['compare']:8.2f} s")
    print(f"exceptAll both ways, {rows:,} rows       {small['exceptAll']:8.2f} s")
    print(f"  faster than exceptAll by            {faster:8.1f}   bar {FASTER}")
    print(f"compare {rows * GROWTH:,} rows                   {large['compare']:8.2f} s")
    print(f"  cost of a row, {GROWTH} times as many      {growth:8.2f}   bar {LINEAR}")
    print(f"  Spark's memory at its most          {memory:8.0f} MB, its heap 1024 MB")
    print(f"rows made per second                  {rate:8,.0f}   bar {RATE:,.0f}")
    missed = faster < FASTER / BY_FAR or growth > LINEAR * BY_FAR or rate < RATE / BY_FAR
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
