"""The list of known deviations, its document, and reproductions that cannot be used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from helpers.base.errors import UsageError
from helpers.base.paths import DEVIATIONS
from helpers.cli import main as cli
from helpers.cli.reproduce import ReproductionOutcome
from helpers.deviations.document import render
from helpers.deviations.known import KnownDeviation, known_deviations
from helpers.deviations.reproduction import Check, read_reproduction
from helpers.deviations.seen_on import AS_REQUIRED, DEVIATES
from helpers.report.seen_versions import read_seen
from helpers.scenario.deviation import DeviationKind
from tests.runner.suite import Suite

MARK = """
@TestScenario
@Requirements(Requirement("RQ.One", "1.0"))
@deviates(step="s", observed={{"a | cell": "seen"}}, reason="it does not", when="clickhouse >= 26.9"{more})
def {name}(self):
    with Then("s"):
        assert True, error()
"""
SCRIPT = "-- expected: 1\n-- observed: 2\nSELECT 2;\n"


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path)


def of(suite: Suite, text: str, topic: str) -> list[KnownDeviation]:
    """The deviations of a suite with this topic, which no other test may use: it is imported here."""
    suite.write(text, topic=topic)
    return known_deviations(suite.folder)


@pytest.mark.parametrize(
    ("version", "actual", "verdict", "fine"),
    [
        ("26.9.2.1", "2", "reproduced", True),
        ("26.9.2.1", "1", "NOT as recorded", False),
        ("26.10.1.1-testing", "2", "reproduced", True),
        ("26.10.1.1-testing", "1", "fixed? It is not there, and is recorded up to 26.9", True),
        ("26.10.1.1-testing", "3", "NOT as recorded", False),
    ],
)
def test_a_reproduction_on_a_newer_server(
    suite: Suite, version: str, actual: str, verdict: str, fine: bool
) -> None:
    (known,) = of(
        suite, MARK.format(name="one", more=""), f"newer_{version[:5]}_{actual}".replace(".", "_")
    )
    outcome = ReproductionOutcome(known, version, (Check("SELECT 2", "1", "2", actual),))
    assert outcome.verdict.startswith(verdict)
    assert (outcome.as_recorded or outcome.is_fixed) is fine


def test_the_document_is_what_the_marks_say() -> None:
    written = DEVIATIONS.read_text(encoding="utf-8")
    assert written == render(known_deviations()), (
        "write it anew: ./regression.py reproduce --document"
    )


def test_no_when_contradicts_what_was_seen() -> None:
    """docs/deviations.json says what versions did; a mark that says otherwise is wrong for them."""
    seen = read_seen()
    contradictions = [
        f"{known.id} on {version}: {word}, and when is {known.deviation.when}"
        for known in known_deviations()
        for version, word in seen.get(known.id, {}).items()
        if word in (DEVIATES, AS_REQUIRED)
        and (word == DEVIATES) != known.deviation.applies_to(f"{version}.1.1")
    ]
    assert contradictions == []


def test_ids_are_made_of_names_or_given(suite: Suite) -> None:
    more = ', id="given", where=Capability.SPARK'
    text = MARK.format(name="first_one", more="") + MARK.format(name="b", more=more)
    first, given = of(suite, text, "ids")
    assert "environments: those with spark" in render([given])
    assert (first.id, given.id) == ("ids.first-one", "given")
    assert first.requirements == ["RQ.One"]
    assert first.file == suite.folder / "feature/reproductions/ids.first-one.sql"
    assert first.reproduction is None
    entry = render([first])
    assert (
        "| not judged | [ids.first-one](#idsfirst-one) | RQ.One | source |  | **missing** |"
        in entry
    )
    assert "| a \\| cell | seen |" in entry and "versions: >= 26.9, recorded up to 26.9" in entry
    assert '`./regression.py --only "/feature/ids/first one"`' in entry


JUDGED = ', kind="{}", severity="{}", upstream="https://github.com/ClickHouse/ClickHouse/issues/1"'


def test_the_document_lists_the_worst_first_and_nothing_of_the_exporter(suite: Suite) -> None:
    judged = {
        "slip": ("bug", "message"),
        "loss": ("bug", "data lost"),
        "meant": ("by design", "data lost"),
        "ours": ("exporter", "data lost"),
    }
    marks = [MARK.format(name=n, more=JUDGED.format(*verdict)) for n, verdict in judged.items()]
    document = render(of(suite, "".join(marks), "judged"))
    assert re.findall(r"^## (.*)$", document, re.MULTILINE) == ["Bug: 2", "By design: 1"]
    order = re.findall(r"^### judged\.(\w+)$", document, re.MULTILINE)
    assert order == ["loss", "slip", "meant"]
    assert "- verdict: bug, data lost" in document and "issues/1" in document


def test_a_report_says_what_upstream_has_to_know(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", "kill-query.cancelled-means-unchanged", "--report"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("# The server looks whether a statement on a partition was killed")
    assert re.search(r"^- Versions: ClickHouse .*deviates", text, re.MULTILINE)
    assert "```sql\n-- The client of a killed stat" in text
    assert "- expected: old, 10\n- observed: new, 10" in text
    assert cli.main(["reproduce", "crash.killed-between-renames", "--report"]) == 0
    text = capsys.readouterr().out
    assert "SQL alone does not show it: it kills the server" in text and "## Observed" in text


def test_a_deviation_that_sql_cannot_show_says_why(suite: Suite) -> None:
    (known,) = of(suite, MARK.format(name="one", more=', no_sql="it takes a crash"'), "no_sql")
    assert "Not in SQL: it takes a crash. The scenario shows it:" in render([known])
    known.file.parent.mkdir(parents=True)
    known.file.write_text(SCRIPT)
    with pytest.raises(UsageError, match="no deviation of this id has a script"):
        known_deviations(suite.folder)


def test_several_marks_of_a_scenario_are_told_apart(suite: Suite) -> None:
    mark = '@deviates(step="s", observed={"x": "y"}, reason="another", when="clickhouse < 26.9")\n'
    text = MARK.format(name="both", more="").replace("@deviates", f"{mark}@deviates", 1)
    ids = [deviation.id for deviation in of(suite, text, "several")]
    assert ids == ["several.both", "several.both-2"]


def test_several_scenarios_show_one_deviation(suite: Suite) -> None:
    more = ', id="shared", kind="requirement", severity="message"'
    first = MARK.format(name="first", more=more)
    second = MARK.format(name="second", more=more).replace("RQ.One", "RQ.Two")
    (known,) = of(suite, first + second.replace("a | cell", "another cell"), "shared")
    assert known.requirements == ["RQ.One", "RQ.Two"]
    assert list(known.deviation.observed) == ["a | cell", "another cell"]
    assert known.rerun.endswith('--only "/feature/shared/first" "/feature/shared/second"')
    assert render([known]).count("- scenario: ") == 2


def test_an_id_belongs_to_one_deviation(suite: Suite) -> None:
    first, second = (
        MARK.format(name=name, more=', id="same"').replace("it does not", f"{name} reason")
        for name in ("first", "second")
    )
    suite.write(first, topic="first")
    with pytest.raises(
        UsageError, match=r"second\.py:\d+: .*'same' is that of '/feature/first/first'"
    ):
        of(suite, second, "second")


def test_a_reproduction_without_its_deviation_is_named(suite: Suite) -> None:
    text = MARK.format(name="one", more="")
    place = suite.folder / "feature" / "reproductions"
    place.mkdir(parents=True)
    (place / "stray.one.sql").write_text(SCRIPT)
    assert of(suite, text, "stray")[0].reproduction is not None
    (place / "stray.other.sql").write_text(SCRIPT)
    with pytest.raises(
        UsageError, match=r"stray\.other\.sql: no deviation of this id has a script"
    ):
        of(suite, text, "stray")


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no statement has an '-- observed:' that is not what is expected"),
        ("SELECT 1;", "no statement has an '-- observed:' that is not what is expected"),
        ("-- expected: 1\n-- observed: 1\nSELECT 1;", "no statement has an '-- observed:'"),
        ("-- observed: 2\nSELECT 1;", "'-- observed: 2' without '-- expected:'"),
        (f"-- wait for it\n{SCRIPT}", "'-- wait for it': nothing in the background is so called"),
    ],
)
def test_a_script_that_could_show_nothing(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "x.sql"
    file.write_text(text)
    with pytest.raises(UsageError, match=re.escape(complaint)):
        read_reproduction(file)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "Name deviations, or give --all"),
        (("kill-query.cancelled-means-unchanged", "--all"), "Name deviations, or give --all"),
        (("kill-query.cancelled-means-unchanged", "--list"), "--list takes no names"),
        (("kill-query.cancelled-means-unchanged", "--document"), "--document takes no names"),
        (("kill-query.cancelled-means-unchanged", "--report", "--all"), "--all takes no names"),
        (("--list", "--report"), "--list and --report do not go together"),
        (("--report", "--record"), "--report and --record do not go together"),
        (("kill-query.cancelled-means",), "Did you mean 'kill-query.cancelled-means-unchanged'"),
        (("crash.killed-between-renames",), "not in SQL: it kills the server"),
        (("--list", "--kind", "bugs"), "There is no kind 'bugs'; there are bug, by design,"),
        (("--list", "--severity", "bad"), "There is no severity 'bad'; there are data lost,"),
        (
            ("--kind", "bug", "kill-query.cancelled-means-unchanged"),
            "goes with --list, --all or --report",
        ),
    ],
)
def test_bad_arguments(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], complaint: str
) -> None:
    assert cli.main(["reproduce", *arguments]) == 2
    answer = capsys.readouterr()
    assert complaint in answer.err and answer.err.count("\n") == 1 and answer.out == ""


def test_the_list_says_which_have_no_script(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", "--list"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert any(line.endswith(" kill-query.cancelled-means-unchanged") for line in lines)
    assert any(" crash.killed-between-renames: not in SQL: " in line for line in lines)


def test_the_list_can_be_chosen_by_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", "--list"]) == 0
    everything = capsys.readouterr().out.splitlines()
    parts = []
    for kind in (*DeviationKind, "not judged"):
        assert cli.main(["reproduce", "--list", "--kind", kind]) == 0
        parts += capsys.readouterr().out.splitlines()
    assert parts == everything
