"""What our query() costs beyond bare clickhouse-driver, asking the same server in turn.

Run it with the environment's Python: .venv/bin/python bench/queries.py [PAIRS]
Both ask over one open connection each, alternating in which of them goes first, so that the noise of
the machine meets both alike; the figure is the median of the differences within pairs. The record is
written to a file, as in a run. Ends with exit code 1 if the bar is missed.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import uuid
from collections.abc import Callable
from pathlib import Path

import clickhouse_driver

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.connection import connection_to
from bench.times import seconds
from helpers.cluster.client.recording import Recorder
from helpers.cluster.embedded.cluster import EmbeddedCluster

BAR = 1.0  # milliseconds
QUERIES = {
    "SELECT 1": "SELECT 1",
    "1,000 rows": "SELECT number, toString(number) FROM numbers(1000)",
}


def compare(
    ours: Callable[[str], object], bare: Callable[[str], object], sql: str, pairs: int
) -> tuple[list[float], list[float]]:
    """How long each took, pair by pair."""
    assert ours(sql) == bare(sql)
    our_times, bare_times = [], []
    for number in range(pairs):
        if number % 2:
            our_times.append(seconds(lambda: ours(sql)))
            bare_times.append(seconds(lambda: bare(sql)))
        else:
            bare_times.append(seconds(lambda: bare(sql)))
            our_times.append(seconds(lambda: ours(sql)))
    return our_times, bare_times


def main() -> int:
    pairs = int(sys.argv[1]) if sys.argv[1:] else 1000
    missed = False
    print("| query | query() | bare driver | difference | bar |")
    print("|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder, EmbeddedCluster(Path(folder)) as cluster:
        node = cluster.node()
        cluster.record_to(Recorder(Path(folder) / "statements.jsonl"))
        client = clickhouse_driver.Client(**connection_to(node))
        for title, sql in QUERIES.items():
            ours, bare = compare(
                node.query,
                lambda text: client.execute(text, query_id=str(uuid.uuid4())),
                sql,
                pairs,
            )
            added = 1000 * statistics.median(a - b for a, b in zip(ours, bare, strict=True))
            missed = missed or added > BAR
            print(
                f"| {title} | {1000 * statistics.median(ours):.2f} ms "
                f"| {1000 * statistics.median(bare):.2f} ms "
                f"| {added:+.2f} ms | ≤ {BAR:.1f} ms |"
            )
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
