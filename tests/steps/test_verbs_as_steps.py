"""Verbs in TestFlows' log: named after their arguments, and without influence on what a scenario sees."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from helpers.scenario.step import step
from tests.runner.suite import Suite

BODY = """
import threading
from helpers.cluster.client.failures import QueryFailed
from helpers.scenario.step import step
from helpers.scenario.violations import assert_no_violations

CELLS = {"cell": "wrong"}


@step("I double {number} for {whom}")
def double(number, *, whom="nobody"):
    return 2 * number


@step("I quadruple {number}")
def quadruple(number):
    return double(double(number))


@step("I check {number} cell")
def check(number, cells):
    assert_no_violations(cells)


@step("I ask {node}")
def ask(node):
    return node.query("SELECT nonsense_column")


@TestScenario
def verbs(self):
    with Given("two verbs"):
        assert double(1, whom="me") + quadruple(2) == 10

    with When("they are called by others than the scenario"):
        this().eventually(lambda: double(3))
        thread = threading.Thread(target=double, args=[4])
        thread.start()
        thread.join()

    with Then("an error that the scenario expects reaches it"):
        try:
            ask(this().node())
        except QueryFailed as refused:
            assert refused.code == 47


@TestScenario
@deviates(step="the cell is right", observed=CELLS, reason="it never was")
def deviation(self):
    with Then("the cell is right"):
        check(1, CELLS)
"""


def test_only_calls_by_the_scenario_are_steps_and_errors_reach_it(tmp_path: Path) -> None:
    suite, log = Suite(tmp_path), tmp_path / "run.log"
    suite.write(BODY)
    ended = suite.run("--log", str(log))
    assert ended.code == 0, ended.out + ended.err
    deviation = ended.scenario("deviation")
    assert (deviation["result"], deviation["step"]) == ("XFail", "Then the cell is right")
    with lzma.open(log, "rt") as lines:
        messages = [json.loads(line) for line in lines]
    verbs = {
        message["test_name"].rpartition("/")[2]: message["result_type"]
        for message in messages
        if message["message_keyword"] == "RESULT" and "/I " in message["test_name"]
    }
    assert verbs == {
        "I double 1 for me": "OK",
        "I quadruple 2": "OK",
        "I ask node1": "Error",
        "I check 1 cell": "Fail",
    }


def test_the_text_names_arguments_only() -> None:
    with pytest.raises(KeyError, match="table"):
        step("I drop {table}")(lambda: None)
