"""Calls of a scenario are identified by place and occurrence, the same in every run."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import pytest

from helpers.cluster.client.interception import CALLS, Call, action

SCENARIO = """
def once(call):
    return call("SELECT 1")

def loop(call):
    return [call("SELECT 2") for _ in range(3)]

def helped(call, step):
    return step(call)
"""
STEP = """
def step(call):
    return call("SELECT 3")
"""


def module(name: str, source: str) -> dict[str, Any]:
    namespace: dict[str, Any] = {"__name__": name}
    exec(source, namespace)
    return namespace


@pytest.fixture
def scenario() -> dict[str, Any]:
    CALLS.start()
    return module("scenarios.feature.topic", SCENARIO)


def test_a_call_is_known_by_its_line(scenario: dict[str, Any]) -> None:
    assert scenario["once"](CALLS.identify) == Call("SELECT 1", "scenarios/feature/topic.py:3", 1)
    assert scenario["once"](CALLS.identify).occurrence == 2
    CALLS.start()
    assert scenario["once"](CALLS.identify).occurrence == 1


def test_a_loop_counts(scenario: dict[str, Any]) -> None:
    assert [call.occurrence for call in scenario["loop"](CALLS.identify)] == [1, 2, 3]


def test_steps_are_part_of_the_place(scenario: dict[str, Any]) -> None:
    step = module("steps.tables", STEP)["step"]
    call = scenario["helped"](CALLS.identify, step)
    assert call.place == "scenarios/feature/topic.py:9 > steps/tables.py:3"


def test_what_no_scenario_asked_for_is_no_call() -> None:
    CALLS.start()
    assert CALLS.identify("SELECT 1") is None


def test_hidden_calls_are_not_counted(scenario: dict[str, Any]) -> None:
    with CALLS.hidden():
        assert scenario["once"](CALLS.identify) is None
    assert scenario["once"](CALLS.identify).occurrence == 1


def test_attempts_of_a_poll_are_the_same_call(scenario: dict[str, Any]) -> None:
    def occurrences(polled: Callable[[], list[int]], times: int) -> list[list[int]]:
        return [polled() for _ in range(times)]

    def ask() -> list[int]:
        return [scenario["once"](CALLS.identify).occurrence for _ in range(2)]

    assert occurrences(CALLS.polled(ask), 3) == [[1, 2]] * 3
    assert occurrences(CALLS.polled(ask), 2) == [[3, 4]] * 2
    assert scenario["once"](CALLS.identify).occurrence == 5


def test_a_thread_acts_for_the_place_that_started_it(scenario: dict[str, Any]) -> None:
    seen: list[Call | None] = []

    def run() -> None:
        with CALLS.from_place("topic.py:7"):
            seen.append(CALLS.identify("SELECT 4"))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [Call("SELECT 4", "topic.py:7", 1)]


def test_an_action_is_recorded_and_can_be_left_out(scenario: dict[str, Any]) -> None:
    done: list[str] = []
    recorded: list[Call] = []

    @action
    def damage_file(name: str) -> str:
        inner(name)
        return name

    @action
    def inner(name: str) -> None:
        done.append(name)

    assert scenario["once"](damage_file) == "SELECT 1"
    CALLS.start(record=recorded.append, skips=lambda call: call.occurrence == 2)
    assert scenario["once"](damage_file) == "SELECT 1"
    assert scenario["once"](damage_file) is None
    assert done == ["SELECT 1", "SELECT 1"]
    # What an action does inside is part of it.
    assert [call.text for call in recorded] == ["damage file SELECT 1"] * 2
