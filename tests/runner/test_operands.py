"""The summary of a failed assertion shows the operand that matters, never the repr of an object."""

from __future__ import annotations

import importlib.util
import textwrap
from pathlib import Path

import pytest

from helpers.runner.worker.assertion import summary

MODULE = """
from testflows.asserts import error


class Node:
    def value(self, sql):
        return 14

    def query(self, sql):
        return [(1,), (2,)]


def this():
    return Node()


def run():
    node, number, answers = this(), 41, {{"x": 1}}
{body}
"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("assert number == 42, error()", "41, expected 42: assert number == 42"),
        (
            "assert this().value('SELECT 14') == 7, error()",
            "14, expected 7: assert this().value('SELECT 14') == 7",
        ),
        (
            "assert node.value('a') == node.value('b') + 1, error()",
            "14, expected 15: assert node.value('a') == node.value('b') + 1",
        ),
        (
            "assert (\n    node.value('a') ==\n    node.value('b') + 1\n), error()",
            "14, expected 15: assert ( node.value('a') == node.value('b') + 1 )",
        ),
        (
            "assert node.query('a') == [\n    (1,),\n], error()",
            "[(1,), (2,)], expected [(1,)]: assert node.query('a') == [ (1,), ]",
        ),
        (
            "assert node.value('a') == 14 and number == 42, error()",
            "41, expected 42: assert node.value('a') == 14 and number == 42",
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
def test_summary(body: str, expected: str, tmp_path: Path) -> None:
    file = tmp_path / "asserting.py"
    file.write_text(MODULE.format(body=textwrap.indent(body, "    ")))
    spec = importlib.util.spec_from_file_location("asserting", file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    with pytest.raises(AssertionError) as raised:
        module.run()
    assert summary(str(raised.value)) == expected


def test_another_message_has_none() -> None:
    assert summary("ValueError: out of cheese") is None
