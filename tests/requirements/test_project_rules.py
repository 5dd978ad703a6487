"""Every rule about links: a project damaged in one way, the file and line it is found in."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from requirements.accepted import read_accepted
from requirements.checker import marks, obligations, statements
from requirements.checker.registry import PROJECT_CHECKS
from requirements.commands import accept, check, compile_
from tests.requirements.documents import GOOD, SCENARIOS, WHY, make_project

SPECIFICATION = "requirements/srs900_example.md"
TOPIC = "scenarios/example_feature/reading.py"


class Bad(NamedTuple):
    """A damage to a file of the good project, and the rule with its file and line."""

    rule: str
    damaged: str
    old: str
    new: str
    file: str
    line: int
    besides: frozenset[str] = frozenset()


READ = 'RQ_SRS_900_Example_Read("1.0")'
WITHOUT_LINK = SCENARIOS.replace('@Requirements(RQ_SRS_900_Example_Read("1.0"))\n', "")
STALE = frozenset({"stale-module"})

BAD = [
    Bad("stale-module", SPECIFICATION, "Example of a", "Model of a", SPECIFICATION, 1),
    Bad("stale-module", "requirements/srs900_example.py", "1.0", "9.9", SPECIFICATION, 1),
    Bad("unreadable-scenario", TOPIC, "def stay(self):", "def stay(self:", TOPIC, 18,
        frozenset({"untested", "stale-acceptance"})),
    Bad("unreadable-scenario", TOPIC, "    RQ_SRS_900_Example_Write(\"1.1\"),", "    WRITE[0],\n"
        "    RQ_SRS_900_Example_Write(\"1.1\"),", TOPIC, 15),
    Bad("unknown-requirement", TOPIC, f"({READ})", '(RQ_SRS_900_Example_Reed("1.0"))', TOPIC, 7),
    Bad("link-version", TOPIC, f"({READ})", '(RQ_SRS_900_Example_Read("2.0"))', TOPIC, 7),
    Bad("link-version", TOPIC, f"({READ})", "(RQ_SRS_900_Example_Read)", TOPIC, 7),
    Bad("suspect-link", SPECIFICATION, "return the rows", "return all rows", SPECIFICATION, 16, STALE),
    Bad("unaccepted-link", "requirements/accepted.json", '"RQ.SRS-900.Example.Read"', '"RQ.Gone"',
        TOPIC, 7, frozenset({"stale-acceptance"})),
    Bad("stale-acceptance", "requirements/accepted.json", "{\n",
        '{\n  "RQ.Gone": {"version": "1.0", "hash": "0"},\n', "requirements/accepted.json", 1),
    Bad("variants", TOPIC, "(1, 2, 3)", "(1, 2)", TOPIC, 29),
    Bad("variants", TOPIC, "(1, 2, 3)", "(1, 2, 2)", TOPIC, 29),
    Bad("variants", TOPIC, "(1, 2, 3)", "(1, 2, 3, 4)", TOPIC, 29),
    Bad("variants", TOPIC, "  # 3 variants", "", TOPIC, 29),
    Bad("same-value", TOPIC, "read(case) == before", "read(case) == read(case)", TOPIC, 26),
    Bad("late-before", TOPIC, "        write(case)\n", "", TOPIC, 25),
    Bad("cut-variants", TOPIC, "in CASES:", "in CASES[:2]:", TOPIC, 23),
    Bad("untested", TOPIC, '    RQ_SRS_900_Example_Write("1.1"),\n', "", SPECIFICATION, 27,
        frozenset({"stale-acceptance"})),
    Bad("tested-after-all", SPECIFICATION, "origin: ours", "untested: no time", SPECIFICATION, 29, STALE),
    Bad("scenario-without-requirement", TOPIC, f"@Requirements({READ})\n", "", TOPIC, 7),
    Bad("scenario-name", TOPIC, '@Name("rows stay")', '@Name("rows come back")', TOPIC, 18),
    Bad("scenario-name", TOPIC, '@Name("rows stay")', '@Name("rows: stay")', TOPIC, 18),
]  # fmt: skip


def diagnostics(root: Path, capsys: pytest.CaptureFixture[str]) -> list[tuple[str, str, int]]:
    capsys.readouterr()
    check(as_json_report=True, root=root)
    report = json.loads(capsys.readouterr().out)
    return [(d["rule"], d["file"], d["line"]) for d in report["diagnostics"]]


def test_a_good_project_breaks_no_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root = make_project(tmp_path)
    assert diagnostics(root, capsys) == []
    assert check(root=root, strict=True) == 0


@pytest.mark.parametrize("bad", BAD, ids=[f"{bad.rule}-{n}" for n, bad in enumerate(BAD)])
def test_a_damaged_project_breaks_its_rule_and_no_other(
    bad: Bad, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    damaged = make_project(tmp_path) / bad.damaged
    text = damaged.read_text()
    assert bad.old in text, "the damage must hit the file"
    damaged.write_text(text.replace(bad.old, bad.new, 1))
    places = diagnostics(tmp_path, capsys)
    assert (bad.rule, bad.file, bad.line) in places
    assert {rule for rule, _, _ in places} == {bad.rule, *bad.besides}


@pytest.mark.parametrize(
    "place",
    ["scenarios/loose.py", "scenarios/example_feature/_hidden.py", "scenarios/a/b/c/deep.py"],
)
def test_a_scenario_that_nothing_loads(
    place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make_project(tmp_path) / place
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(SCENARIOS.partition("def run")[0])
    assert diagnostics(tmp_path, capsys) == [
        ("unloaded-scenario", place, 8),
        ("unloaded-scenario", place, 18),
    ]


def test_a_topic_without_scenarios(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    topic = make_project(tmp_path) / "scenarios/example_feature/empty.py"
    topic.write_text("VALUE = 1\n")
    assert diagnostics(tmp_path, capsys) == [
        ("empty-topic", "scenarios/example_feature/empty.py", 1)
    ]


def test_a_planned_specification_needs_no_scenario(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    planned = GOOD.replace("\n## Table", "\nstate: planned\nreason: no engine has it\n\n## Table")
    make_project(tmp_path, planned, WITHOUT_LINK.split("@TestScenario")[0])
    assert diagnostics(tmp_path, capsys) == [("empty-topic", TOPIC, 1)]


def test_a_stated_reason_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reasoned = GOOD.replace("origin: ours", "untested: needs a power cut,\nwhich we cannot cause")
    make_project(
        tmp_path, reasoned, SCENARIOS.replace('    RQ_SRS_900_Example_Write("1.1"),\n', "")
    )
    assert diagnostics(tmp_path, capsys) == []


def test_accepting_again_clears_the_suspicion(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make_project(tmp_path) / SPECIFICATION
    path.write_text(path.read_text().replace("return the rows", "return all rows"))
    before = read_accepted(tmp_path)
    assert "suspect-link" in {rule for rule, _, _ in diagnostics(tmp_path, capsys)}
    assert accept(["RQ.*.Write"], reason=WHY, root=tmp_path) == 0
    assert read_accepted(tmp_path) == before
    assert accept(["RQ.*.Read"], reason=WHY, root=tmp_path) == 0
    assert "suspect-link" not in {rule for rule, _, _ in diagnostics(tmp_path, capsys)}


def test_reflowed_text_is_not_suspect(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = make_project(tmp_path) / SPECIFICATION
    path.write_text(path.read_text().replace("SHALL return the", "SHALL return\nthe"))
    assert {rule for rule, _, _ in diagnostics(tmp_path, capsys)} == {"stale-module"}


def test_an_acceptance_says_who_compared_what_with_what(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = make_project(tmp_path) / SPECIFICATION
    before = read_accepted(tmp_path)
    for nothing in ("", "  ", "reviewed it"):
        assert accept(["RQ.*.Read"], reason=nothing, root=tmp_path) == 2
        assert "say what was compared with what" in capsys.readouterr().err
    assert read_accepted(tmp_path) == before
    path.write_text(path.read_text().replace("return the rows", "return all rows"))
    why = "rows come back compares all rows"
    assert accept(["RQ.*"], reason=why, root=tmp_path) == 0
    after = read_accepted(tmp_path)
    assert after["RQ.SRS-900.Example.Read"].reason == why
    assert after["RQ.SRS-900.Example.Write"] == before["RQ.SRS-900.Example.Write"], "unchanged"


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize(
    ("file", "found"), [(None, True), (TOPIC, False), ("steps/x.py", False), ("README", True)]
)
def test_a_text_that_changes_with_its_acceptance_and_without_a_scenario(
    file: str | None,
    found: bool,
    committed: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def git(*arguments: str) -> None:
        identity = ("-c", "user.name=A B", "-c", "user.email=a@example.org")
        subprocess.run(
            ["git", "-C", tmp_path, *identity, *arguments], check=True, capture_output=True
        )

    path = make_project(tmp_path) / SPECIFICATION
    (tmp_path / "steps").mkdir()
    for other in ("README", "steps/x.py"):
        (tmp_path / other).write_text("")
    git("init", "-q")
    git("add", "-A")
    git("commit", "-qm", "first")
    path.write_text(path.read_text().replace("return the rows", "return all rows"))
    compile_(root=tmp_path)
    assert accept(["RQ.*.Read"], reason="rows come back compares all", root=tmp_path) == 0
    if file:
        (tmp_path / file).write_text((tmp_path / file).read_text() + "\n# changed\n")
    if committed:
        git("commit", "-qam", "second")
    rules = [rule for rule, *_ in diagnostics(tmp_path, capsys)]
    assert rules == (["accepted-alone"] if found else [])


@pytest.mark.parametrize("pattern", ["RQ.Nothing*", "RQ.SRS-900.Example.Write"])
def test_accepting_what_cannot_be_accepted_is_refused(
    pattern: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_project(
        tmp_path, scenarios=SCENARIOS.replace('    RQ_SRS_900_Example_Write("1.1"),\n', "")
    )
    before = (tmp_path / "requirements/accepted.json").read_bytes()
    assert accept([pattern], reason=WHY, root=tmp_path) == 2
    assert pattern in capsys.readouterr().err
    assert (tmp_path / "requirements/accepted.json").read_bytes() == before


def test_a_damaged_record_is_one_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_project(tmp_path)
    (tmp_path / "requirements/accepted.json").write_text("{")
    assert check(root=tmp_path) == 2
    assert "accepted.json" in capsys.readouterr().err
    assert accept([], reason=WHY, everything=True, root=tmp_path) == 2


def test_every_rule_about_links_has_a_damaged_project() -> None:
    tested = {bad.rule for bad in BAD} | {"unloaded-scenario", "empty-topic", "accepted-alone"}
    elsewhere = {
        each.__name__ for each in (marks, obligations, statements)
    }  # in files of their own
    of_others = {name for name, rule in PROJECT_CHECKS.items() if rule.__module__ in elsewhere}
    assert tested == PROJECT_CHECKS.keys() - of_others
