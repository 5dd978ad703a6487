"""How parts are exported beside ClickHouse's own INSERT INTO FUNCTION s3 and the other ways a user has.

Run it with the environment's Python: .venv/bin/python bench/export.py [--rows N] [--turns N] [FIGURE …]
Figures are these, by default all of them:
  growth      what a row costs in parts of a tenth of ROWS to twice ROWS, small ones more often than TURNS,
              and the peak memory of each
  partitions  the peak memory of an export of 500 and of 5,000 partitions, one part each
  speed       the same part of ROWS rows (10,000,000) by all ways, in turn; medians of TURNS (five), warm
  servers     how much faster two servers with a part of ROWS rows each are than one of them
  small       the command for one small part against a bare PySpark session with one job
  registered  what a snapshot in Iceberg adds to an export of 100 parts (needs pyiceberg)
  killed      what each way leaves behind after kill -9, and what running it again makes of that
Ends with exit code 1 if a bar is missed, by more than a factor of two where it is one of time, so that a busy
machine is not taken for a slow exporter.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.export_bars import registered, servers, small
from bench.export_killed import killed
from bench.export_ways import BARE, BUCKET, EXPORT, INSERT, LEAN, LOCAL, SPARK, WAYS, Lake, session
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.s3.store import Place
from pipelines.spark.java import FAST_START, LONG_RUN
from pipelines.spark.session import stop_session
from pipelines.system.processes import descendants

SPEED, SIZE, LINEAR, BY_FAR = 1.0, 1.1, 0.2, 2.0
# Megabytes by which the memory of an export may grow with what it exports.
GROWTH_OF_MEMORY = 64
# Measured once: what they are slower by is no question of a few percent.
SLOW = (LOCAL, SPARK)
SIZES = (0.1, 0.2, 0.5, 1.0, 2.0)
PARTITIONS, ROWS_OF_PARTITION = (500, 5000), 20
Memory = dict[str, int]


def seconds(action: Callable[[], object]) -> float:
    started = time.perf_counter()
    action()
    return time.perf_counter() - started


def processor_seconds() -> float:
    """Of this process, of all that it has started (servers too) and of those of them that ended."""
    ticks = 0
    for pid in (os.getpid(), *descendants(os.getpid())):
        with suppress(OSError):
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
            ticks += sum(map(int, fields[11:15]))
    return ticks / os.sysconf("SC_CLK_TCK")


def processes() -> dict[int, str]:
    """This process, Java and Python's workers."""
    kinds = {os.getpid(): "driver"}
    for pid in descendants(os.getpid()):
        with suppress(OSError):
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            if b"pyspark.daemon" in command:
                kinds[pid] = "workers"
            elif command.partition(b"\0")[0].endswith(b"/java"):
                kinds[pid] = "java"
    return kinds


def peak_memory(action: Callable[[], object]) -> Memory:
    """The most megabytes that each kind of process had during an action."""
    for pid in processes():
        Path(f"/proc/{pid}/clear_refs").write_text("5")  # forget the peak so far
    action()
    peaks: Memory = {}
    for pid, kind in processes().items():
        with suppress(OSError):
            status = Path(f"/proc/{pid}/status").read_text()
            peak = int(status.partition("VmHWM:")[2].split()[0]) // 1024
            peaks[kind] = peaks.get(kind, 0) + peak
    return peaks


def shown(memory: Memory) -> str:
    return ", ".join(f"{kind} {peak} MB" for kind, peak in memory.items())


def grown(before: Memory, after: Memory) -> int:
    """By how many megabytes memory grew where data is: Java's heap grows when it likes."""
    return max(after[kind] - before[kind] for kind in ("driver", "workers"))


def file_size(lake: Lake, path: str) -> int:
    objects = lake.store.objects(Place(BUCKET, f"{path}/"))
    return sum(size for key, size in objects if key.endswith(".parquet"))


def speed(lake: Lake, node: EmbeddedNode, rows: int, turns: int) -> bool:
    lake.fill("speed", rows)
    times: dict[str, list[float]] = {way: [] for way in WAYS}
    work: dict[str, list[float]] = {way: [] for way in WAYS}
    for turn in range(turns + 1):
        for number, (way, go) in enumerate(WAYS.items()):
            if way in SLOW and turn > 1:
                continue
            path = f"speed/{number}/{turn}"
            before = processor_seconds()
            taken = seconds(lambda go=go, path=path: go(lake, "speed", path))  # type: ignore[misc]
            if turn:  # the first one warms up
                times[way].append(taken)
                work[way].append(processor_seconds() - before)
        if turn:
            print(
                f"turn {turn}: {', '.join(f'{way} {taken[-1]:.2f} s' for way, taken in times.items())}"
            )
    medians = {way: statistics.median(taken) for way, taken in times.items()}
    sizes = {way: file_size(lake, f"speed/{number}/1") for number, way in enumerate(WAYS)}
    title = f"{rows:,} rows in one part"
    print(f"{title:<30}    s  M rows/s  speed  from–to  size  processor s")
    for way, median in medians.items():
        ratios = [
            default / other for default, other in zip(times[INSERT], times[way], strict=False)
        ]
        print(
            f"{way:<28}{median:7.2f}{rows / median / 1e6:9.2f}{medians[INSERT] / median:8.2f}  "
            f"{min(ratios):.2f}–{max(ratios):.2f}{sizes[way] / sizes[INSERT]:6.2f}"
            f"{statistics.median(work[way]):9.1f}"
        )
    against, size = medians[INSERT] / medians[EXPORT], sizes[EXPORT] / sizes[INSERT]
    lean, bare = medians[LEAN] / medians[EXPORT], medians[LEAN] / medians[BARE]
    print(
        f"  export against the INSERT {against:.2f} (bar {SPEED}), its file {size:.2f} (bar {SIZE})"
    )
    print(f"  against the INSERT with the same settings {lean:.2f}, without fingerprint {bare:.2f}")
    return against >= SPEED / BY_FAR and size <= SIZE


def growth(lake: Lake, node: EmbeddedNode, rows: int, turns: int) -> bool:
    costs: dict[int, list[float]] = {int(rows * share): [] for share in SIZES}
    work: dict[int, list[float]] = {size: [] for size in costs}
    memory: dict[int, Memory] = {}
    for size in costs:
        lake.fill(f"growth{size}", size)
    for turn in range(turns + 1):
        for size, taken in costs.items():
            # What is small is soon done, and so easily disturbed: it is measured more often.
            for again in range(max(1, rows // size // 2) if turn else 1):

                def go(size: int = size, path: str = f"{turn}/{again}") -> None:
                    WAYS[EXPORT](lake, f"growth{size}", f"growth/{size}/{path}")

                if turn:
                    before = processor_seconds()
                    taken.append(seconds(go) / size * 1e6)
                    work[size].append((processor_seconds() - before) / size * 1e6)
                else:
                    memory[size] = peak_memory(go)
    medians = {size: statistics.median(taken) for size, taken in costs.items()}
    middle = (min(medians.values()) + max(medians.values())) / 2
    for size, median in medians.items():
        print(
            f"{size:>12,} rows {median:6.2f} s and {statistics.median(work[size]):.2f} processor s "
            f"a million, peak {shown(memory[size])}"
        )
    spread = max(medians.values()) / middle - 1
    more = grown(memory[min(costs)], memory[max(costs)])
    print(f"  cost of a row within ± {spread:.0%} (bar {LINEAR:.0%})")
    print(f"  memory grows by {more} MB (bar {GROWTH_OF_MEMORY})")
    return spread <= LINEAR * BY_FAR and more <= GROWTH_OF_MEMORY


def partitions(lake: Lake, node: EmbeddedNode, rows: int, turns: int) -> bool:
    memory: list[Memory] = []
    for count in PARTITIONS:
        name = f"partitions{count}"
        lake.fill(name, count * ROWS_OF_PARTITION, count)
        started = time.perf_counter()
        memory.append(peak_memory(lambda name=name: WAYS[EXPORT](lake, name, name)))  # type: ignore[misc]
        each = (time.perf_counter() - started) / count
        print(f"{count:>12,} partitions {each:6.3f} s each, peak {shown(memory[-1])}")
    more = grown(*memory)
    print(f"  memory grows by {more} MB (bar {GROWTH_OF_MEMORY})")
    return more <= GROWTH_OF_MEMORY


def after_kill(lake: Lake, node: EmbeddedNode, rows: int, turns: int) -> bool:
    print(f"{'killed':<44}files       rows uploads   again    files       rows uploads")
    good = True
    for row in killed(lake, node, rows):
        there, after = row.left, row.after
        print(
            f"{row.way:<25}{row.moment:<19}{there.files:5}{there.rows:11,}{there.uploads:8}   "
            f"{row.again:<9}{after.files:5}{after.rows:11,}{after.uploads:8}"
        )
        if row.way == EXPORT:
            good &= (row.again, after.rows, after.uploads) == ("succeeds", rows, 0)
    return good


# What is measured by memory comes first: rows that went through Spark leave large workers behind.
FIGURES = {
    "growth": growth,
    "partitions": partitions,
    "small": small,
    "registered": registered,
    "servers": servers,
    "speed": speed,
    "killed": after_kill,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("figures", nargs="*", choices=[*FIGURES, []], metavar="FIGURE")
    given = parser.parse_args()
    sys.stdout.reconfigure(line_buffering=True)  # type: ignore[union-attr]
    with tempfile.TemporaryDirectory() as folder, EmbeddedCluster(Path(folder)) as cluster:
        node = cluster.node()
        where = node.endpoint
        objects = cluster.object_store()
        objects.make_bucket(BUCKET)
        server = Server(where.http_url, where.user, where.password)
        lake = Lake(server, f"{where.host}:{where.tcp_port}", objects.store())
        chosen = given.figures or FIGURES
        good = [figure(name, lake, node, given) for name in chosen]
    return 0 if all(good) else 1


def figure(name: str, lake: Lake, node: EmbeddedNode, given: argparse.Namespace) -> bool:
    """Where rows go through Java it compiles well; else the session is that of the command `export`."""
    stop_session()
    session(LONG_RUN if name in ("speed", "servers") else FAST_START)
    return FIGURES[name](lake, node, given.rows, given.turns)


if __name__ == "__main__":
    sys.exit(main())
