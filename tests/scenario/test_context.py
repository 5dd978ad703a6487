"""The state of one scenario: its database, its random numbers, what it leaves and how it is cleaned up."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helpers.cluster.capabilities import Capability
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.scenario import context as contexts
from helpers.scenario.context import ScenarioContext, slug, this
from helpers.scenario.waiting import eventually

Opener = Callable[..., ScenarioContext]


@pytest.fixture
def open_context(cluster: EmbeddedCluster, tmp_path: Path) -> Iterator[Opener]:
    opened: list[ScenarioContext] = []

    def open_one(name: str = "/feature/a scenario", seed: int = 1) -> ScenarioContext:
        context = ScenarioContext(name, cluster, seed, tmp_path / slug(name))
        opened.append(context)
        return context

    yield open_one
    for context in opened:
        context.clean()
        context.close()


def test_a_scenario_has_a_database_of_its_own(open_context: Opener) -> None:
    context = open_context()
    node = context.node()
    assert node.value("SELECT currentDatabase()") == "feature_a_scenario" == context.database
    node.query("CREATE TABLE t (n UInt8) ENGINE = MergeTree ORDER BY n")
    context.clean()
    assert node.value("SELECT count() FROM system.databases WHERE name LIKE 'feature%'") == 0
    assert node.database == ""


def test_the_longest_name_makes_a_database(open_context: Opener) -> None:
    name = "/feature/" + "very long " * 15 + "end"
    context = open_context(name)
    assert len(context.database) <= 60 and context.database.startswith("very_long_")
    assert context.node().value("SELECT currentDatabase()") == context.database


def test_no_part_of_a_name_is_cut_in_front(open_context: Opener) -> None:
    name = "/replace partition/statement/partition expressions/expressions that name no partition"
    assert open_context(name).database.startswith("partition_expressions_")


def test_the_same_seed_throws_the_same_dice(open_context: Opener) -> None:
    def rng(name: str, seed: int) -> list[float]:
        context = open_context(name, seed)
        return [context.random.random() for _ in range(3)]

    assert rng("/a/b", 1) == rng("/a/b", 1)
    assert rng("/a/b", 1) != rng("/a/b", 2)
    assert rng("/a/b", 1) != rng("/a/c", 1)


def test_names_are_unique(open_context: Opener) -> None:
    context = open_context()
    assert [context.unique("t"), context.unique("t"), context.unique("u")] == ["t_1", "t_2", "u_3"]


def test_a_node_that_nobody_saw_dying_is_a_failure(open_context: Opener) -> None:
    context = open_context()
    node = context.node()
    assert context.hidden_failure() is None
    os.kill(node.pid, signal.SIGKILL)  # type: ignore[attr-defined]
    eventually(lambda: not node.running)
    assert str(context.hidden_failure()).startswith("node1 died: killed by SIGKILL")
    context.clean()
    assert node.value("SELECT 1") == 1, "it is back for the next scenario"


def test_a_statement_that_nobody_waited_for_is_a_failure(open_context: Opener) -> None:
    context = open_context()
    handle = context.node().background("SELECT sleep(3)")
    eventually(lambda: handle.running)
    assert "its outcome never looked at" in str(context.hidden_failure())
    assert "SELECT sleep(3)" in str(context.hidden_failure())
    context.clean()
    assert handle.done and context.node().backgrounds == []


def test_a_frozen_and_a_stopped_node_are_brought_back(open_context: Opener) -> None:
    context = open_context()
    frozen, stopped = context.node(), context.node("node2")
    frozen.freeze()
    stopped.stop()
    context.clean()
    assert frozen.value("SELECT 1") == stopped.value("SELECT 1") == 1


def test_waiting_shows_the_last_query_and_the_log(open_context: Opener) -> None:
    context = open_context()
    node = context.node()
    with pytest.raises(AssertionError) as caught:
        context.eventually(lambda: node.value("SELECT 41"), equals=42, timeout=0.1)
    for words in ("query:    node1: SELECT 41", "expected: 42", "actual:   41", "log:"):
        assert words in str(caught.value)


def test_what_is_lacking_is_told(open_context: Opener) -> None:
    context = open_context()
    # A probe that always says no would turn its scenarios into Skips: these are here for certain.
    present = (Capability.PROCESS_CONTROL, Capability.FAILPOINTS, Capability.OBJECT_STORE)
    assert context.why_not((*present, Capability.SPARK)) is None
    reason = context.why_not((Capability.FAILPOINTS, Capability.REPLICATION))
    assert str(reason).startswith("needs replication: ")


def test_steps_outside_a_scenario_are_refused(open_context: Opener) -> None:
    with pytest.raises(RuntimeError, match="no scenario is running"):
        this()
    context = open_context()
    contexts.set_current(context)
    assert this() is context
    contexts.set_current(None)
