"""A node that is slow to start ends one scenario, not the run."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.base.paths import ROOT
from tests.runner.suite import Ended, Suite, scenario_text

# In place of some servers, counted by their folders, a program starts that never answers.
SLOW = """
from pathlib import Path
import helpers.cluster.local.node
from helpers.cluster.embedded.node import EmbeddedNode

helpers.cluster.local.node.READY_SECONDS = 4.0
slow, real = {slow!r}, EmbeddedNode.command

def command(node):
    place = f"{{node.folder.parent.name}} {{node.name}}"
    counter = Path({folder!r}, f"starts of {{place}}")
    number = len(counter.read_text()) + 1 if counter.exists() else 1
    counter.write_text("x" * number)
    if number > slow.get(place, slow.get("*", 0)):
        return real(node)
    return ["/bin/sh", "-c", "echo '<Information> loading a thousand tables' >> server.log; exec sleep 60"]

EmbeddedNode.command = command
"""
USES_ANOTHER_NODE = """
@TestScenario
def uses_another_node(self):
    with Then("it answers"):
        assert this().node("other").value("SELECT 1") == 1
"""
# The longest time limit: it starts first, and the others wait for another worker.
TAKES_LONG = """
import time

@TestScenario
@time_limit(300)
def takes_long(self):
    with Then("it ends after a slow worker has been given up"):
        time.sleep(14)
        assert this().node().value("SELECT 1") == 1
"""


def run(folder: Path, slow: dict[str, int], *options: str, body: str) -> Ended:
    """A run in which the first starts in these folders are too slow."""
    (folder / "sitecustomize.py").write_text(SLOW.format(slow=slow, folder=str(folder)))
    suite = Suite(folder)
    suite.write(body)
    return suite.run(*options, PYTHONPATH=f"{folder}:{ROOT}")


def results(ended: Ended) -> list[str]:
    return sorted(scenario["result"] for scenario in ended.document["scenarios"])


def passing(*names: str) -> str:
    return "".join(scenario_text(name, "it is so", "assert this().node()") for name in names)


def test_it_is_tried_once_more_as_a_new_node(tmp_path: Path) -> None:
    slow = {"worker-1-1 node1": 1, "worker-1-1 other": 1}
    ended = run(tmp_path, slow, "--workers", "1", body=passing("one") + USES_ANOTHER_NODE)
    assert results(ended) == ["OK", "OK"], ended.out
    assert ended.code == 0


def test_a_node_of_a_scenario_ends_that_scenario(tmp_path: Path) -> None:
    slow = {"worker-1-1 other": 2}
    body = passing("one", "two") + USES_ANOTHER_NODE
    ended = run(tmp_path, slow, "--workers", "1", body=body)
    assert results(ended) == ["Error", "OK", "OK"], ended.out
    failed = ended.scenario("uses another node")
    assert "other (ClickHouse" in failed["reason"] and "did not come up" in failed["reason"]
    assert "loading a thousand tables" in failed["message"]
    assert ended.code == 1


def test_the_first_node_of_a_worker_ends_one_scenario(tmp_path: Path) -> None:
    """Another worker has a node: the environment is fine."""
    slow = {"worker-2-1 node1": 2}
    body = TAKES_LONG + passing("one", "two", "three")
    ended = run(tmp_path, slow, "--workers", "2", body=body)
    assert ended.code == 1, ended.out
    assert results(ended) == ["Error", "OK", "OK", "OK"]
    (failed,) = (each for each in ended.document["scenarios"] if each["result"] == "Error")
    assert failed["reason"].startswith("node1 (ClickHouse"), failed
    assert "loading a thousand tables" in failed["message"]
    assert failed["folder"], "it leaves evidence like any other failure"


@pytest.mark.parametrize("workers", ["1", "2"])
def test_without_any_node_the_run_ends(tmp_path: Path, workers: str) -> None:
    ended = run(tmp_path, {"*": 9}, "--workers", workers, body=passing("one", "two"))
    assert ended.code == 3, ended.out
    assert results(ended) == ["NotRun", "NotRun"]
    assert "did not come up (still running" in ended.err
