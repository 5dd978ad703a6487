"""Reading a table into Spark against draining the same Arrow stream, and what a start costs.

Run it with the environment's Python: .venv/bin/python bench/spark_read.py [MILLIONS_OF_ROWS]
The same SELECTs are first drained in plain Python, then read by Spark, in turn, so that the noise
of the machine meets both alike. Spark reads into its sink `noop`, which takes every row with all its columns
and drops it, and once more for a count, which has a second stage. A start is session, first query and first
worker in a process of its own: once with PySpark's defaults, once as this project starts it.
Ends with exit code 1 below the floor.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from pyspark.sql import DataFrame

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from helpers.cluster.embedded.cluster import EmbeddedCluster  # noqa: E402
from pipelines.clickhouse.data_source import ClickHouseSource, read_table  # noqa: E402
from pipelines.clickhouse.server import Server  # noqa: E402
from pipelines.spark.java import LONG_RUN, find_java  # noqa: E402
from pipelines.spark.session import spark_session, stop_session  # noqa: E402

BAR, FLOOR = 0.5, 0.4
# A rate, not what it costs to begin: a job takes a tenth of a second before it reads anything.
MILLIONS = 24
# Java is done with compiling after that, if it shares two processors with all the others.
WARM_UP, TURNS = 8, 11
FIRST_QUERY = """
assert session.sparkContext.parallelize(range(4), 2).map(lambda x: x + 1).sum() == 10
assert session.range(1000).groupBy("id").count().count() == 1000
java = session.sparkContext._gateway.proc.pid
fields = open(f"/proc/{java}/stat").read().rpartition(")")[2].split()
print((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"))
session.stop()
"""
STARTS = {
    "PySpark's defaults": """
import os
from pyspark.sql import SparkSession
session = SparkSession.builder.master("local[2]").getOrCreate()
""",
    "this project": """
import os
from pipelines.spark.session import spark_session
session = spark_session("local[2]")
""",
}


def fill(server: Server, millions: int) -> None:
    """A table of four parts with a number, a date, a short text and a float in each row."""
    server.run(
        "CREATE TABLE t (n UInt32, d Date, s String, f Float64) ENGINE = MergeTree ORDER BY tuple()"
    )
    server.run("SYSTEM STOP MERGES t")
    for part in range(4):
        server.run(
            f"INSERT INTO t SELECT number + {part}, toDate('2024-01-01') + number % 365, "
            f"toString(number % 100000), number / 7 FROM numbers({millions * 250_000})",
            max_insert_block_size=100_000_000,
            min_insert_block_size_rows=100_000_000,
            min_insert_block_size_bytes=0,
        )


def drain(server: Server) -> float:
    """Seconds to receive every batch of the table in plain Python."""
    source = ClickHouseSource({**server.options(), "table": "t"})
    reader = source.reader(source.schema())
    parts = reader.partitions()
    started = time.perf_counter()
    rows = sum(
        batch.num_rows
        for part in parts
        if part.statement
        for batch in reader.server.batches_of(part.statement)
    )
    seconds = time.perf_counter() - started
    assert rows > 0
    return seconds


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def _count(frame: DataFrame, millions: int) -> None:
    assert frame.count() == millions * 1_000_000


def start_figures() -> None:
    """What a start costs, by the clock and of the processors."""
    variables = {**os.environ, "PYTHONPATH": str(ROOT), "JAVA_HOME": str(find_java().path)}
    for title, program in STARTS.items():
        began = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", program + FIRST_QUERY],
            env=variables,
            check=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        wall = time.perf_counter() - began
        print(f"start, {title:<20} {wall:6.1f} s, of Java {float(done.stdout):5.1f} CPU-s")


def main() -> int:
    millions = int(sys.argv[1]) if sys.argv[1:] else MILLIONS
    session = spark_session("local[2]", java_options=LONG_RUN)
    with tempfile.TemporaryDirectory() as folder, EmbeddedCluster(Path(folder)) as cluster:
        where = cluster.node().endpoint
        server = Server(f"http://{where.host}:{where.http_port}", where.user, where.password)
        fill(server, millions)
        frame = read_table(session, server, "t")
        ratios, counts = [], []
        for turn in range(WARM_UP + TURNS):
            plain = drain(server)
            read = seconds(lambda: frame.write.format("noop").mode("overwrite").save())
            # Spark asks Python for all columns, whatever it needs of them.
            counted = seconds(lambda: _count(frame, millions))
            if turn >= WARM_UP:  # Java compiles what it runs often
                ratios.append(plain / read)
                counts.append(plain / counted)
                rates = [f"{millions / taken:5.2f} M rows/s" for taken in (plain, read, counted)]
                print("drained {}, into Spark {}, counted by Spark {}".format(*rates))
    stop_session()
    ratio = statistics.median(ratios)
    print(
        f"reading into Spark: {ratio:.2f} × the drained stream (bar {BAR}, floor {FLOOR}), "
        f"counting {statistics.median(counts):.2f}"
    )
    start_figures()
    return 0 if ratio >= FLOOR else 1


if __name__ == "__main__":
    sys.exit(main())
