"""How scenarios may end, all in one run: red must never look green."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.base.paths import from_here
from tests.runner.outcomes import BODY
from tests.runner.suite import Ended, Suite

EXPECTED = {
    "good": ("OK", None),
    "fails": ("Fail", "Then it's the answer: 42."),
    "fails on one line": ("Error", "Then it is the answer"),
    "breaks": ("Error", "When I do something impossible"),
    "refused query": ("Error", "When I ask nonsense"),
    "skips itself": ("Error", "When I do not feel like it"),
    "checks nothing": ("Error", None),
    "ends early by ok": ("Fail", "Then what comes after it does not hold"),
    "known fail": ("Error", "Then it fails by flag"),
    "waits in vain": ("Fail", "Then it becomes two"),
    "asserts without error": ("Fail", "Then it is two"),
    "asks for more than there is": ("Skip", "Given a second moon"),
    "blocked": ("Skip", None),
    "deviates as recorded": ("XFail", "Then three is four"),
    "deviates elsewhere": ("Fail", "Then two is four"),
    "deviation is gone": ("XPass", None),
    "deviation of another version": ("OK", None),
    "node dies": ("Error", "Then it answers"),
    "node is asked for after its death": ("Error", "Then it is not started again"),
    "node dies silently": ("Error", None),
    "leaves a statement behind": ("Error", None),
    "good again": ("OK", None),
}


@pytest.fixture(scope="module")
def ended(tmp_path_factory: pytest.TempPathFactory) -> Ended:
    suite = Suite(tmp_path_factory.mktemp("outcomes"))
    suite.write(BODY)
    return suite.run("--workers", "1", "--seed", "7")


def test_a_run_with_failures_ends_with_1(ended: Ended) -> None:
    assert ended.code == 1, ended.err
    assert ended.document["run"]["exit_code"] == 1
    assert "Traceback" not in ended.err


@pytest.mark.parametrize("title", EXPECTED)
def test_result_and_step(ended: Ended, title: str) -> None:
    result, step = EXPECTED[title]
    entry = ended.scenario(title)
    assert (entry["result"], entry["step"] if result != "XPass" else step) == (result, step), entry


def test_nothing_is_left_out(ended: Ended) -> None:
    assert len(ended.document["scenarios"]) == len(EXPECTED)


def test_reasons_say_what_happened(ended: Ended) -> None:
    assert "excused itself (Skip)" in ended.scenario("skips itself")["reason"]
    assert "excused itself (XFail)" in ended.scenario("known fail")["reason"]
    assert ended.scenario("fails")["reason"] == "number: is 41, expected 42"
    assert "checked nothing" in ended.scenario("checks nothing")["reason"]
    assert "replication" in ended.scenario("blocked")["reason"]
    waited = ended.scenario("waits in vain")["reason"]
    assert waited.startswith("never came true in 0.") and waited.endswith(
        "answer: is 1, expected 2"
    )
    asserted = 'not satisfied: assert ask("SELECT 1") == 2'
    assert ended.scenario("asserts without error")["reason"] == asserted
    missing = ended.scenario("asks for more than there is")["reason"]
    assert missing == "needs a second moon: there is one"
    assert "numbers are hard" in ended.scenario("deviates as recorded")["reason"]
    assert "differently from the recorded" in ended.scenario("deviates elsewhere")["reason"]
    assert "recorded as a deviation" in ended.scenario("deviation is gone")["reason"]
    assert "killed by SIGKILL" in ended.scenario("node dies")["message"]
    assert "killed by SIGKILL" in ended.scenario("node is asked for after its death")["message"]
    assert "killed by SIGKILL" in ended.scenario("node dies silently")["message"]
    assert "SELECT sleep(3)" in ended.scenario("leaves a statement behind")["message"]


def test_a_failure_leaves_a_folder(ended: Ended) -> None:
    entry = ended.scenario("fails")
    folder = ended.results / "latest" / entry["folder"]
    assert sorted(file.name for file in folder.iterdir()) == [
        "failure.txt",
        "node1.log",
        "repro.sql",
    ]
    assert "SELECT 41" in (folder / "repro.sql").read_text()
    assert "SELECT 41" in (folder / "node1.log").read_text()
    text = (folder / "failure.txt").read_text()
    assert "--seed 7" in text and "/feature/topic/fails" in text


def test_a_traceback_starts_in_the_scenario(ended: Ended) -> None:
    entry = ended.scenario("breaks")
    first, *_, last = entry["message"].splitlines()
    assert first == "ValueError: out of cheese"
    assert last.startswith("at: ") and "topic.py:" in last
    text = (ended.results / "latest" / entry["folder"] / "failure.txt").read_text()
    assert "Traceback:" in text and "worker.py" not in text


def test_success_leaves_none(ended: Ended) -> None:
    assert ended.scenario("good")["folder"] is None
    assert not list((ended.results / "latest/scenarios").glob("*-good"))


def test_data_is_kept_after_a_failure_only(ended: Ended) -> None:
    kept = ended.results / "latest" / ended.scenario("fails")["data"]
    assert (kept / "node1" / "data").is_dir()
    known = ended.scenario("deviates as recorded")
    assert known["data"] is None


def test_statements_are_in_the_results(ended: Ended) -> None:
    statements = ended.scenario("good")["statements"]
    assert any("CREATE TABLE t" in statement for statement in statements), statements


def test_console_tells_failures_and_how_to_run_them_again(ended: Ended) -> None:
    assert './regression.py --only "/feature/topic/fails" --seed 7' in ended.out
    assert "it's the answer: 42." in ended.out
    assert "\x1b[" not in ended.out


def test_paths_are_relative_to_the_user(ended: Ended) -> None:
    """The run was started in the project's folder; the results are elsewhere."""
    run = (ended.results / "latest").resolve()
    below = from_here(run / str(ended.scenario("fails")["folder"]))
    assert f"see {below}/repro.sql, failure.txt" in ended.out
    assert f"Report: {from_here(run / 'coverage.html')}\n" in ended.out


def test_a_path_is_as_one_would_type_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert from_here(tmp_path / "results" / "run") == "results/run"
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    assert from_here(tmp_path / "results") == "../results"
    assert from_here(Path("/etc/passwd")) == "/etc/passwd"


def test_junit_agrees(ended: Ended) -> None:
    from xml.etree import ElementTree

    suite = ElementTree.parse(ended.results / "latest/junit.xml").getroot()[0]
    results = [result for result, _ in EXPECTED.values()]
    assert int(suite.attrib["tests"]) == len(results)
    assert int(suite.attrib["failures"]) == results.count("Fail") + results.count("XPass")
    assert int(suite.attrib["errors"]) == results.count("Error")
    assert int(suite.attrib["skipped"]) == results.count("Skip") + results.count("XFail")


def test_nothing_temporary_is_left(ended: Ended) -> None:
    run = ended.results / "latest"
    left = {path.name for path in Path(run).iterdir()}
    assert not {name for name in left if name.endswith((".lock", ".stack", ".partial"))}, left
    assert "tmp" not in left


TRIAGED = """
@TestScenario
@Requirements(Requirement("RQ.One", "1.0"))
def changes(self):
    with Then("it is the answer"):
        assert {actual} == 42, error()
"""


def test_a_failure_says_what_changed_since_it_passed(tmp_path: Path) -> None:
    """Shown where people look: console, page, results.json and JUnit."""
    suite = Suite(tmp_path)
    suite.write(TRIAGED.format(actual=42))
    assert suite.run("--workers", "1", "--seed", "1").code == 0
    suite.write(TRIAGED.format(actual="40 + 1"))  # of another size: Python goes by size and second
    ended = suite.run("--workers", "1", "--seed", "1")
    assert ended.code == 1
    triage = ended.scenario("changes")["triage"]
    assert triage.startswith("the scenario or its steps changed (topic); passed on 20")
    assert f"whose fault: {triage}" in ended.out
    assert triage in (ended.results / "latest/coverage.md").read_text()
    assert f'name="triage" value="{triage}"' in (ended.results / "latest/junit.xml").read_text()


PROBED = """
from helpers.cluster.capabilities import PROBES

PROBES[Capability.{capability}] = lambda cluster: "the probe is broken"

@TestScenario
@needs(Capability.{capability})
def needs_it(self):
    with Then("it is there"):
        assert this().node().value("SELECT 1") == 1, error()
"""


@pytest.mark.parametrize(
    ("capability", "code", "result"), [("FAILPOINTS", 1, "Error"), ("REPLICATION", 0, "Skip")]
)
def test_what_an_environment_has_to_have_is_never_just_blocked(
    tmp_path: Path, capability: str, code: int, result: str
) -> None:
    suite = Suite(tmp_path)
    suite.write(PROBED.format(capability=capability))
    ended = suite.run("--workers", "1")
    entry = ended.scenario("needs it")
    assert (ended.code, entry["result"]) == (code, result), entry
    if code:
        assert entry["reason"] == (
            "embedded has to have failpoints, and the probe says: the probe is broken"
        )
        assert entry["triage"].startswith("environment: ")
