"""The rules about marks: a project whose scenarios say something that accepts anything."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from requirements.checker.registry import DeviationMark, EquivalentMark, Marks
from requirements.commands import check
from tests.requirements.documents import make_project

FILE = "scenarios/example_feature/reading.py"
GOOD = DeviationMark(
    id="topic.cell",
    file=FILE,
    line=7,
    kind="bug",
    observed={"cell": "10 rows", "other": re.compile(r"\d+ of 10 rows")},
)
EQUIVALENT = EquivalentMark(FILE, 7, "drop", "SYSTEM STOP MERGES")


def found(
    root: Path, capsys: pytest.CaptureFixture[str], marks: Marks
) -> Sequence[tuple[str, str, int]]:
    """What the rules find in these marks: rule, level, line."""
    capsys.readouterr()
    check(as_json_report=True, root=root, marks=lambda: marks)
    report = json.loads(capsys.readouterr().out)
    return [(each["rule"], each["level"], each["line"]) for each in report["diagnostics"]]


def test_marks_that_are_exact_break_no_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    named = EQUIVALENT._replace(mutant="omit[mutations_sync]", statement="ALTER TABLE")
    assert found(make_project(tmp_path), capsys, Marks([GOOD], [EQUIVALENT, named])) == []


def test_a_deviation_says_whose_fault_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = Marks([GOOD, GOOD._replace(line=18, kind=None)])
    assert found(make_project(tmp_path), capsys, marks) == [("not-judged", "error", 18)]


@pytest.mark.parametrize("pattern", [r".*", r"(?s).+", r"\w*", r"[^;]*", r"x?", r"\S+|3 rows"])
def test_a_pattern_that_matches_anything_records_nothing(
    pattern: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = GOOD._replace(observed={"cell": re.compile(pattern)})
    marks = Marks([bad])
    assert found(make_project(tmp_path), capsys, marks) == [("observed-anything", "error", 7)]


def test_an_empty_observation_records_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = Marks([GOOD._replace(observed={"cell": " "})])
    assert found(make_project(tmp_path), capsys, marks) == [("observed-anything", "error", 7)]


@pytest.mark.parametrize(
    ("mutant", "statement"),
    [
        ("*", ""),
        ("drop", ""),
        ("drop", "ALTER TABLE"),
        ("change-value", "SELECT count() FROM"),
        ("omit[*]", "INSERT INTO"),
    ],
)
def test_an_equivalent_mutant_is_not_any_mutant(
    mutant: str, statement: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    marks = Marks([], [EQUIVALENT._replace(mutant=mutant, statement=statement)])
    assert found(make_project(tmp_path), capsys, marks) == [("equivalent-anything", "error", 7)]


def test_an_equivalent_mutant_of_all_scenarios_names_its_operators(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root, everywhere = make_project(tmp_path), "equivalents.toml"
    anything = EQUIVALENT._replace(mutant="*")
    assert found(root, capsys, Marks([], [anything])) == []
    marks = Marks([], [anything._replace(file=everywhere)])
    assert found(root, capsys, marks) == [("equivalent-anything", "error", 7)]


def test_scenarios_that_cannot_be_read_are_not_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_project(tmp_path)
    (root / FILE).write_text("def broken(:")
    rules = {rule for rule, *_ in found(root, capsys, Marks([GOOD._replace(kind=None)]))}
    assert "unreadable-scenario" in rules and "not-judged" not in rules
