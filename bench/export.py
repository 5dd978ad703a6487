"""How fast parts are exported beside ClickHouse's own INSERT INTO FUNCTION s3, and how that grows.

Run it with the environment's Python: .venv/bin/python bench/export.py [ROWS [TURNS]]
The same part goes to S3 by all of them, in turn, in one run; ratios of medians count, in a warm session. ROWS
is 10,000,000, TURNS five. Rows through Spark, read by a data source and written by another, are what a user
would do without the exporter. Ends with exit code 1 if a bar is missed by more than a factor of two, so
that a busy machine is not taken for a slow exporter.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from helpers.cluster.embedded import EmbeddedCluster
from pipelines.clickhouse import read_table
from pipelines.clickhouse_server import Server
from pipelines.export_encoding import ENCODING
from pipelines.export_options import Options
from pipelines.export_part import Exporter
from pipelines.export_plan import Request
from pipelines.hive_parquet import write_hive
from pipelines.processes import descendants
from pipelines.s3 import Place, Store
from pipelines.session import spark_session

BUCKET = "bench"
LEAN = "insert, set as the export"
SLOW = "rows through Spark"
SPEED, SIZE, LINEAR, BY_FAR = 1.0, 1.1, 1.2, 2.0
ROW = (
    "number AS id, intHash64(number) AS h, concat('name ', toString(number % 10007)) AS name, "
    "toDateTime(1700000000 + number) AS at, number / 7 AS price"
)


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def fill(server: Server, name: str, rows: int) -> None:
    """A table of one part."""
    server.run(
        f"CREATE TABLE {name} ENGINE = MergeTree PARTITION BY p ORDER BY id "
        f"AS SELECT 1 AS p, {ROW} FROM numbers(0)"
    )
    server.run(f"INSERT INTO {name} SELECT 1 AS p, {ROW} FROM numbers({rows})")
    server.run(f"OPTIMIZE TABLE {name} FINAL")


def insert(server: Server, store: Store, name: str, turn: int, **settings: str | int) -> None:
    way = "lean" if settings else "insert"
    url = f"{store.endpoint}/{BUCKET}/{way}/{name}/{turn}.parquet"
    function = f"s3('{url}', '{store.access_key}', '{store.secret_key}', 'Parquet')"
    server.run(
        f"INSERT INTO FUNCTION {function} SELECT * EXCEPT p FROM {name}",
        **{
            "output_format_parquet_compression_method": "zstd",
            "s3_truncate_on_insert": 1,
            **settings,
        },
    )


def export(server: Server, store: Store, name: str, turn: int, fingerprint: bool) -> None:
    options = Options(fingerprint=fingerprint)
    request = Request(name, f"s3://{BUCKET}/export/{name}/{fingerprint}/{turn}")
    (outcome,) = Exporter(server, store, options).export(request)
    assert not outcome.error, outcome.error


def through_spark(server: Server, store: Store, name: str, turn: int) -> None:
    """Rows into Spark and out again, by data sources."""
    frame = read_table(spark_session("local[2]"), server, name)
    write_hive(frame, store, f"s3://{BUCKET}/spark/{name}/{turn}", partition_by=["p"])


def peak_memory() -> dict[str, int]:
    """The most megabytes that this process, Java and Python's workers have had."""
    peaks = {"driver": _peak(os.getpid())}
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            kind = "workers" if b"pyspark.daemon" in command else "java"
            if kind == "workers" or command.partition(b"\0")[0].endswith(b"/java"):
                peaks[kind] = peaks.get(kind, 0) + _peak(pid)
    return peaks


def _peak(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) // 1024


def size(store: Store, prefix: str) -> int:
    objects = store.objects(Place(BUCKET, prefix))
    return max(size for key, size in objects if key.endswith(".parquet"))


def measure(server: Server, store: Store, name: str, turns: int) -> dict[str, float]:
    """Medians of all ways, taken in turn; the slow one less often."""
    ways: dict[str, Callable[[int], None]] = {
        "insert": lambda turn: insert(server, store, name, turn),
        LEAN: lambda turn: insert(server, store, name, turn, **ENCODING),
        "export": lambda turn: export(server, store, name, turn, True),
        "export without fingerprint": lambda turn: export(server, store, name, turn, False),
        SLOW: lambda turn: through_spark(server, store, name, turn),
    }
    times: dict[str, list[float]] = {way: [] for way in ways}
    for turn in range(turns + 1):
        for way, run in ways.items():
            if way == SLOW and (name == "small" or turn > 1):
                continue
            taken = seconds(lambda run=run, turn=turn: run(turn))  # type: ignore[misc]
            if turn:  # the first one warms up
                times[way].append(taken)
    return {way: statistics.median(taken) for way, taken in times.items() if taken}


def main() -> int:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 10_000_000
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    spark_session("local[2]")
    with tempfile.TemporaryDirectory() as folder, EmbeddedCluster(Path(folder)) as cluster:
        where = cluster.node().endpoint
        server = Server(where.http_url, where.user, where.password)
        objects = cluster.object_store()
        objects.make_bucket(BUCKET)
        store = objects.store()
        fill(server, "small", rows // 10)
        fill(server, "large", rows)
        small = measure(server, store, "small", turns)
        large = measure(server, store, "large", turns)
        larger = size(store, "export/large/True/") / size(store, "insert/large/")
        memory = peak_memory()
    speed = large["insert"] / large["export"]
    growth = large["export"] / small["export"] / 10
    for way, taken in large.items():
        print(f"{way:<34}{rows:,} rows {taken:8.2f} s {rows / taken / 1e6:8.2f} M rows/s")
    print(f"  speed of the export against the INSERT    {speed:8.2f}   bar {SPEED}")
    without = large["insert"] / large["export without fingerprint"]
    print(f"  the same without the fingerprint          {without:8.2f}")
    lean = large[LEAN] / large["export"]
    print(f"  against the INSERT with the same settings {lean:8.2f}")
    print(f"  size of its file against the INSERT's     {larger:8.2f}   bar {SIZE}")
    print(f"  cost of a row, 10 times as many           {growth:8.2f}   bar {LINEAR}")
    peaks = ", ".join(f"{kind} {peak} MB" for kind, peak in memory.items())
    print(f"  peak memory                               {peaks}")
    missed = speed < SPEED / BY_FAR or larger > SIZE or growth > LINEAR * BY_FAR
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
