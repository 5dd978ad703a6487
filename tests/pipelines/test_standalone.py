"""The same comparison on a real cluster, with a worker lost in the middle; and nothing survives us."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from helpers.cluster.embedded_node import EmbeddedNode
from pipelines.errors import PipelineError
from pipelines.server import Server
from pipelines.standalone import StandaloneCluster

from .on_cluster import DATA, verdicts

pytestmark = pytest.mark.xdist_group("sparks of their own")
ROOT = Path(__file__).parents[2]
# A loaded machine starts six Java processes slowly.
PATIENCE = 60.0
COLUMNS = (
    "id Int64, key Int64, amount Nullable(Decimal(18, 2)), price Float64, name Nullable(String), "
    "at DateTime64(6, 'UTC'), day Date32, flag Bool, year Int32, month Int32"
)


def program(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.pipelines.on_cluster", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def running(pids: Sequence[int]) -> list[int]:
    """Those that are there and no zombies, which only wait to be looked at."""
    found = []
    for pid in pids:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if state != "Z":
            found.append(pid)
    return found


def wait_until_gone(pids: Sequence[int]) -> None:
    end = time.monotonic() + PATIENCE
    while left := running(pids):
        assert time.monotonic() < end, f"still running: {left}"
        time.sleep(0.1)


def test_a_worker_dies_in_the_middle_and_the_result_is_the_same(
    spark: SparkSession, node: EmbeddedNode, server: Server
) -> None:
    node.query(f"CREATE TABLE t ({COLUMNS}) ENGINE = MergeTree ORDER BY id")
    rows = [batch for file in DATA.files() for batch in DATA.whole_rows(file)]
    server.insert("INSERT INTO t FORMAT ArrowStream", rows[0].schema, rows)
    here = verdicts(spark, server)
    assert here[0] == "None" and "id = 1234" in here[1]
    with StandaloneCluster() as cluster:
        child = program(
            "compare", cluster.url, json.dumps(cluster.conf), json.dumps(server.options())
        )
        assert child.stdout
        try:
            middle = child.stdout.readline().split()
            assert middle and middle[0] == "middle", "the comparison ended before its middle"
            pids = cluster.pids
            cluster.kill_worker(0)
            lost = set(pids) - set(running(pids))
            told = json.loads(child.stdout.read())
        finally:
            child.kill()
            child.wait()
    assert len(lost) >= 2  # the worker, and what ran on it
    assert told == {"verdicts": here, "executors": 1}
    wait_until_gone(pids)


def test_nothing_survives_a_kill() -> None:
    child = program("hold")
    assert child.stdout
    pids = json.loads(child.stdout.readline())
    assert len(running(pids)) >= 3  # master, worker and what runs on it
    child.send_signal(signal.SIGKILL)
    child.wait()
    wait_until_gone(pids)


def test_a_cluster_without_workers_is_refused() -> None:
    with pytest.raises(PipelineError, match="at least one worker"):
        StandaloneCluster(workers=0)
