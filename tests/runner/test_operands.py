"""A failed assertion says first what differs, and never shows the repr of an object."""

from __future__ import annotations

import importlib.util
import textwrap
from pathlib import Path

import pytest
from testflows._core.test import TestBase as Base
from testflows.asserts.asserts import AssertEval
from testflows.core import Step

from helpers.runner.worker.assertion import explain
from helpers.runner.worker.trace import Trace, follow, install

WRAPPED = (
    (AssertEval, "eval"),
    (AssertEval, "visit_Compare"),
    (AssertEval, "_diff"),
    (Base, "_exit_process_exception"),
    (Step, "__enter__"),
    (Step, "__exit__"),
)
MODULE = """
from testflows.asserts import error


class Node:
    def value(self, sql):
        return 14

    def query(self, sql):
        return [(1,), (2,)]


    def __repr__(self):
        return "<Node>"


class Broken:
    def __repr__(self):
        raise ValueError("nothing to show")


def this():
    return Node()


def run():
    node, number, answers = this(), 41, {{"x": 1}}
    turns = iter((1, 2))
{body}
"""


@pytest.fixture
def trace(monkeypatch: pytest.MonkeyPatch) -> Trace:
    """A trace of what happens in this test; what `install` replaces is put back after it."""
    for owner, name in WRAPPED:
        monkeypatch.setattr(owner, name, getattr(owner, name), raising=False)
    install()
    trace = Trace()
    follow(trace)
    return trace


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert number == 42, error()", "number: is 41, expected 42"),
        ("assert this().value('a') == 7, error()", "this().value('a'): is 14, expected 7"),
        (
            "assert node.value('a') == node.value('b') + 1, error()",
            "node.value('a'): is 14, expected 15",
        ),
        (
            "assert (\n    node.value('a') ==\n    node.value('b') + 1\n), error()",
            "node.value('a'): is 14, expected 15",
        ),
        (
            "assert node.query('a') == [\n    (1,),\n], error()",
            "node.query('a'): is [(1,), (2,)], expected [(1,)]",
        ),
        (
            "assert node.value('a') == 14 and number == 42, error()",
            "number: is 41, expected 42",
        ),
        (
            "assert next(turns) == 2, error()",
            "not satisfied at first, but when evaluated again: assert next(turns) == 2",
        ),
        (
            "assert str(number == 42) == 'True', error()",
            "str(number == 42): is 'False', expected 'True'",
        ),
        ("assert 41 == number == 42, error()", "number: is 41, expected 42"),
        ("assert 41 == number < 7, error()", "not satisfied: assert 41 == number < 7 (is 41)"),
        ("assert 42 == number, error()", "number: is 41, expected 42"),
        (
            "expected = [1]\nassert expected == node.query('a'), error()",
            "node.query('a'): is [(1,), (2,)], expected [1]",
        ),
        (
            "rows = []\nassert rows and len(rows) == 2, error()",
            "not satisfied: assert rows and len(rows) == 2 (is [])",
        ),
        (
            "assert [Broken()] * 60 == [node] * 3, error()",
            "[Broken()] * 60: is <list, whose repr raises ValueError>, expected [<Node>, <Node>, <Node>]",
        ),
        (
            "assert not this().query('a'), error('more')",
            "not satisfied: assert not this().query('a') (is [(1,), (2,)])",
        ),
        (
            "assert answers['x'] in [2, 3], error()",
            "not satisfied: assert answers['x'] in [2, 3] (is 1)",
        ),
        (
            "assert node.query('a')[0][0] > 1, error()",
            "not satisfied: assert node.query('a')[0][0] > 1 (is 1)",
        ),
    ],
)
def test_first_line(body: str, expected: str, trace: Trace, tmp_path: Path) -> None:
    file = tmp_path / "asserting.py"
    file.write_text(MODULE.format(body=textwrap.indent(body, "    ")))
    spec = importlib.util.spec_from_file_location("asserting", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(AssertionError) as raised:
        module.run()
    assert explain(str(raised.value), trace.unequal).lines[0] == expected


def test_another_message_has_none() -> None:
    assert explain("ValueError: out of cheese").lines == ()
