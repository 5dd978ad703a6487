"""A known deviation is the complete observation: anything else that is wrong fails the run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from helpers.base.errors import UsageError
from helpers.base.paths import ROOT
from helpers.scenario.marks import deviates
from helpers.scenario.violations import Violations, assert_no_violations, difference
from tests.runner.suite import Ended, Suite

HEAD = """
import re
from helpers.scenario.violations import assert_no_violations

KNOWN = {"first": "accepted", "second": re.compile("after [0-9]+ s")}


@TestScenario
@deviates(step="all are refused", observed=KNOWN, reason="nobody refuses")
def another_assertion(self):
    with Then("all are refused"):
        assert 1 == 2, "first: accepted, second: after 1 s"


@TestScenario
@deviates(step="all are refused", observed=KNOWN, reason="nobody refuses")
def refused_query(self):
    with Then("all are refused"):
        this().node().query("SELECT nonsense_column")
"""


def deviating(name: str, cells: str, step: str = "all are refused", where: str = "") -> str:
    """A scenario with the known deviation that has these violations in this step."""
    return f'''
@TestScenario
@deviates(step="all are refused", observed=KNOWN, reason="nobody refuses", {where})
def {name}(self):
    with Then("{step}"):
        assert_no_violations({cells})
'''


BODY = (
    HEAD
    + deviating("exactly", '{"first": "accepted", "second": "after 12 s"}')
    + deviating("one_more", '{"first": "accepted", "second": "after 1 s", "third": "accepted"}')
    + deviating("one_less", '{"first": "accepted"}')
    + deviating("otherwise", '{"first": "accepted and lost", "second": "after 1 s"}')
    + deviating("in_another_step", '{"first": "accepted", "second": "after 1 s"}', "none is lost")
    + deviating(
        "in_a_longer_step", '{"first": "accepted", "second": "after 1 s"}', "all are refused today"
    )
    + deviating("passes", "{}")
    + deviating("passes_elsewhere", "{}", where="where=Capability.REPLICATION")
    + deviating("passes_here", "{}", where="where=Capability.FAILPOINTS")
)
EXPECTED = {
    "exactly": "XFail",
    "one more": "Fail",
    "one less": "Fail",
    "otherwise": "Fail",
    "another assertion": "Fail",
    "refused query": "Error",
    "in another step": "Fail",
    "in a longer step": "Fail",
    "passes": "XPass",
    "passes elsewhere": "OK",
    "passes here": "XPass",
}


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    suite = Suite(tmp_path_factory.mktemp("deviations"))
    suite.write(BODY)
    return suite.run("--workers", "1")


@pytest.mark.parametrize("title", EXPECTED)
def test_result(ended: Ended, title: str) -> None:
    assert ended.scenario(title)["result"] == EXPECTED[title], ended.scenario(title)


# Every process of a run takes its server for another one.
OTHER_VERSION = """
from helpers.cluster.local.node import LocalNode
LocalNode.version = property(lambda self: "{version}")
"""
TOLD = (
    deviating("exactly", '{"first": "accepted", "second": "after 12 s"}')
    + deviating("one_less", '{"first": "accepted"}')
    + deviating("passes", "{}", where='when="clickhouse <= 26.9"')
)
NEWER, RECORDED = "26.10.1.1-testing.altinityantalya", "25.8.9.20496.altinityantalya"


def on_version(folder: Path, version: str, *options: str, body: str = TOLD) -> Ended:
    """A run of deviating scenarios on a server that says it is of this version."""
    (folder / "sitecustomize.py").write_text(OTHER_VERSION.format(version=version))
    suite = Suite(folder)
    suite.write(HEAD.partition("@TestScenario")[0] + body)
    return suite.run(*options, PYTHONPATH=f"{folder}:{ROOT}")


def test_a_newer_server_may_lack_a_deviation(tmp_path: Path) -> None:
    ended = on_version(tmp_path, NEWER)
    assert ended.code == 1, "another observation fails there too"
    passed = ended.scenario("passes")
    assert passed["result"] == "Fixed?", passed
    assert "recorded up to 26.9" in passed["reason"]
    exactly = ended.scenario("exactly")
    assert (exactly["result"], exactly["reason"]) == (
        "XFail",
        "nobody refuses (recorded up to 26.9)",
    )
    assert ended.scenario("one less")["result"] == "Fail"
    assert ended.out.index("\nFixed? Deviations that this server lacks") < ended.out.index(
        "\nNot as expected:"
    )
    assert "newer than the deviations, recorded up to 26.9" in ended.out
    report = (ended.results / "latest/coverage.md").read_text()
    assert report.index("## Fixed?: 1") < report.index("## Scenarios not as expected: 1")


@pytest.mark.parametrize(
    ("version", "options", "code", "result", "junit"),
    [
        (NEWER, (), 0, "Fixed?", 0),
        (NEWER, ("--strict",), 1, "Fixed?", 1),
        (RECORDED, (), 1, "XPass", 1),
    ],
)
def test_only_strict_runs_fail_for_it(
    tmp_path: Path, version: str, options: tuple[str, ...], code: int, result: str, junit: int
) -> None:
    ended = on_version(tmp_path, version, *options, body=deviating("passes", "{}"))
    assert ended.scenario("passes")["result"] == result
    assert ended.code == code, ended.out
    assert f'failures="{junit}"' in (ended.results / "latest/junit.xml").read_text()
    assert ("recorded up to" in ended.out) is (version == NEWER)


def test_reasons_name_the_cell(ended: Ended) -> None:
    assert "not recorded: third: accepted" in ended.scenario("one more")["reason"]
    assert "recorded, but not observed: second" in ended.scenario("one less")["reason"]
    assert (
        "recorded 'accepted', observed 'accepted and lost'"
        in (ended.scenario("otherwise")["reason"])
    )


def test_a_refused_query_is_named(ended: Ended) -> None:
    reason = ended.scenario("refused query")["reason"]
    assert reason.startswith("fails differently from the recorded deviation"), reason
    assert "node1 refused the query with code 47" in reason


def test_violations_are_listed() -> None:
    with pytest.raises(Violations, match=r"2 violations\n  a: 1\n  b: 2"):
        assert_no_violations({"b": 2, "a": 1})
    assert_no_violations({})


def test_a_pattern_has_to_match_completely() -> None:
    assert difference({"a": re.compile("x+")}, {"a": "xx"}) == ""
    assert "observed 'xxy'" in difference({"a": re.compile("x+")}, {"a": "xxy"})


def test_a_mark_without_an_observation_is_refused() -> None:
    with pytest.raises(UsageError, match="the violations observed"):
        deviates(step="s", reason="r")
