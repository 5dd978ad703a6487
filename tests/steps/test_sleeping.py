"""Statements that sleep for each row stay below what a server allows a block."""

from __future__ import annotations

import pytest

from helpers.base.paths import ROOT
from helpers.cluster.embedded.node import EmbeddedNode
from scenarios.replace_partition.concurrent.readers import PAUSES, ROWS_PER_PART
from steps.sleeping import SECONDS_PER_BLOCK, lasting_read, sleep_each_row
from steps.tables import Table
from tests.databases import cluster_fixture, node_fixture

cluster = cluster_fixture("module")
node = node_fixture()
TOO_SLOW = 160


@pytest.mark.parametrize(("seconds", "rows"), [(0.4, 10), (2, 2), (3.0, 1), (0.0, 1)])
def test_more_than_a_block_may_sleep_is_an_error(seconds: float, rows: int) -> None:
    with pytest.raises(AssertionError, match=f"{rows} rows of {seconds} s are .* a block"):
        sleep_each_row(seconds, rows_per_block=rows)


def test_less_is_an_expression() -> None:
    assert sleep_each_row(0.25, rows_per_block=10) == "sleepEachRow(0.25)"
    assert max(PAUSES) * ROWS_PER_PART < SECONDS_PER_BLOCK


def test_only_this_step_sleeps() -> None:
    """Where the expression is written out nothing bounds it."""
    files = [file for name in ("steps", "scenarios") for file in (ROOT / name).rglob("*.py")]
    found = {str(file.relative_to(ROOT)) for file in files if "sleepEachRow(" in file.read_text()}
    assert found == {"steps/sleeping.py"}


def test_the_limit_is_the_servers(node: EmbeddedNode) -> None:
    limit = "function_sleep_max_microseconds_per_block"
    asked = f"SELECT default FROM system.settings WHERE name = '{limit}'"
    assert int(node.value(asked)) == SECONDS_PER_BLOCK * 1_000_000
    node.fails("SELECT sleepEachRow(0.4) FROM numbers(10)", code=TOO_SLOW, text="sleep")


def test_a_read_lasts_and_a_block_is_never_larger_than_a_part(node: EmbeddedNode) -> None:
    node.query("CREATE TABLE t (p UInt8, i UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY i")
    node.query("SYSTEM STOP MERGES t")
    for start in range(0, 8, 2):
        node.query(f"INSERT INTO t VALUES (1, {start}), (1, {start + 1})")
    for settings in ({}, {"max_threads": 1}, {"max_threads": 1, "max_block_size": 1}):
        assert node.value("SELECT max(blockSize()) FROM t", settings=settings) <= 2
    # All rows in one block would be refused; in blocks of a part they are not, with any settings.
    node.fails("SELECT sleepEachRow(0.5) FROM numbers(8)", code=TOO_SLOW)
    table = Table(node, node.database, "t")
    read = lasting_read(table, where="p = 1", seconds_per_row=0.5, rows_per_part=2)
    assert sorted(read.wait()) == [(1, number, 0) for number in range(8)]
    assert read.elapsed > 3
    pace = sleep_each_row(0.5, rows_per_block=2)
    assert node.value(f"SELECT count() FROM (SELECT {pace} AS s, i FROM t) WHERE s = 0") == 8
