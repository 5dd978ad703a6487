"""An outline with examples is a scenario for each of its rows."""

from __future__ import annotations

import pytest

from tests.runner.suite import Suite, scenario_text

OUTLINE = '''
from testflows.core import Examples, Scenario, TestOutline


@TestOutline(Scenario)
@Requirements(Requirement("RQ.One", "1.0"))
@needs(Capability.FAILPOINTS)
{examples}
def sums(self, row, number, expected):
    """Numbers are doubled."""
    with Then("the sum is right"):
        assert this().node().value(f"SELECT {{number}} + {{number}}") == expected, error()
'''
ROWS = '@Examples("row number expected", [("small", 1, 2), ("large number", 1000, 2001)])'


def test_each_row_is_a_scenario(suite: Suite) -> None:
    suite.write(OUTLINE.format(examples=ROWS))
    ended = suite.run()
    assert ended.code == 1
    results = {entry["name"]: entry for entry in ended.document["scenarios"]}
    assert {name: entry["result"] for name, entry in results.items()} == {
        "/feature/topic/sums/small": "OK",
        "/feature/topic/sums/large number": "Fail",
    }
    for entry in results.values():
        assert entry["needs"] and "RQ.One" in str(entry["requirements"]), entry
    assert results["/feature/topic/sums/large number"]["step"] == "Then the sum is right"


@pytest.mark.parametrize(
    ("pattern", "chosen"), [("/feature/topic/sums", 2), ("/feature/topic/sums/small", 1)]
)
def test_patterns_choose_an_outline_or_a_row(suite: Suite, pattern: str, chosen: int) -> None:
    suite.write(OUTLINE.format(examples=ROWS))
    ended = suite.run("--list", "--only", pattern)
    assert ended.code == 0 and ended.out.count("/feature/topic/sums/") == chosen, ended.out


@pytest.mark.parametrize(
    ("examples", "message"),
    [
        ("", "the outline 'sums' has no examples"),
        ('@Examples("row number expected", [("a.b", 1, 2)])', "the name 'a.b' has characters"),
        (
            ROWS + '\n@deviates(step="s", observed={"c": "o"}, reason="r")',
            "make that row a scenario of its own",
        ),
    ],
    ids=["no rows", "name", "deviation"],
)
def test_outlines_that_cannot_be_loaded(suite: Suite, examples: str, message: str) -> None:
    suite.write(OUTLINE.format(examples=examples))
    ended = suite.run()
    assert ended.code == 2 and message in ended.err, ended.err


def test_nodes_are_found_as_in_other_suites_of_testflows(suite: Suite) -> None:
    node = 'self.context.cluster.node("clickhouse1")'
    suite.write(scenario_text("a", "it answers", f"assert {node}.value('SELECT 7') == 7, error()"))
    ended = suite.run()
    assert ended.code == 0, ended.out + ended.err
