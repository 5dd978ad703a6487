"""The memory of an export depends neither on the size of a part nor on the number of partitions."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import export

MB = 1024 * 1024
TEXT = "SELECT {} AS p, randomString(1000) AS s FROM numbers({})"  # which cannot be compressed


def fill(node: EmbeddedNode, partition: str, rows: int) -> None:
    """A table of one part in each partition, a kilobyte a row."""
    node.query("DROP TABLE IF EXISTS t")
    node.query("CREATE TABLE t (p UInt16, s String) ENGINE = MergeTree PARTITION BY p ORDER BY p")
    node.query(
        f"INSERT INTO t {TEXT.format(partition, rows)}",
        settings={
            "max_partitions_per_insert_block": 0,
            "min_insert_block_size_rows": rows,
            "min_insert_block_size_bytes": 0,
        },
    )


def peak(action: Callable[[], object]) -> int:
    """The most bytes that Python had at a time."""
    tracemalloc.start()
    try:
        action()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def exported(server: Server, store: Store, path: str) -> int:
    """Export all of it; the bytes of its files."""
    outcomes = export(server, store, path)
    assert len(outcomes) == len({outcome.key.rpartition("/")[0] for outcome in outcomes})
    assert {outcome.status for outcome in outcomes} == {"succeeded"}
    return sum(size for _, size in store.objects(Place.parse(path)))


def test_a_larger_part_takes_no_more(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    peaks, sizes = [], []
    for rows in (64_000, 160_000):
        fill(node, "1", rows)
        where = f"{path}/{rows}"
        peaks.append(peak(lambda where=where: sizes.append(exported(server, store, where))))  # type: ignore[misc]
    assert sizes[1] - sizes[0] > 90 * MB
    assert peaks[1] - peaks[0] < 16 * MB, peaks


@pytest.mark.nightly
def test_more_partitions_take_no_more(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    """A partition costs what is known of its part, not its 64 KB of data: 5,000 cost 40 MB at most."""
    peaks, counts = [], (200, 400)  # more than one job takes
    for count in counts:
        fill(node, f"number % {count}", count * 64)
        where = f"{path}/{count}"
        peaks.append(peak(lambda where=where: exported(server, store, where)))  # type: ignore[misc]
    assert (peaks[1] - peaks[0]) / (counts[1] - counts[0]) < 8 * 1024, peaks
