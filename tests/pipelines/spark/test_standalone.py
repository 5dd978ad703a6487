"""The same comparison on a real cluster, with a worker lost in the middle; and nothing survives us."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pipelines.clickhouse.server import Server
from pipelines.errors import PipelineError
from pipelines.spark.standalone import StandaloneCluster
from pipelines.system.waiting import poll
from tests.pipelines.spark.on_cluster import fill, verdicts
from tests.processes import is_alive

pytestmark = pytest.mark.xdist_group("sparks of their own")
ROOT = Path(__file__).parents[3]
# A loaded machine starts six Java processes slowly.
PATIENCE = 60.0


def program(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.pipelines.spark.on_cluster", *arguments]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)


def running(pids: Sequence[int]) -> list[int]:
    """Those that are there and no zombies, which only wait to be looked at."""
    return [pid for pid in pids if is_alive(pid)]


def wait_until_gone(pids: Sequence[int]) -> None:
    assert poll(lambda: not running(pids), PATIENCE), f"still running: {running(pids)}"


@pytest.mark.nightly
def test_a_worker_dies_in_the_middle_and_the_result_is_the_same(
    spark: SparkSession, server: Server
) -> None:
    fill(server)
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
            answer = json.loads(child.stdout.read())
        finally:
            child.kill()
            child.wait()
    assert len(lost) >= 2  # the worker, and what ran on it
    assert answer == {"verdicts": here, "executors": 1}
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
