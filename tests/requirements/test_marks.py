"""The rules about marks: a project whose deviations break one of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from requirements.checker.registry import DeviationMark
from requirements.commands import check
from tests.requirements.documents import make_project

GOOD = DeviationMark(
    id="topic.cell", file="scenarios/example_feature/reading.py", line=7, kind="bug"
)


def found(
    root: Path, capsys: pytest.CaptureFixture[str], *deviations: DeviationMark
) -> Sequence[tuple[str, str, int]]:
    """What the rules find in these marks: rule, level, line."""
    capsys.readouterr()
    check(as_json_report=True, root=root, deviations=lambda: deviations)
    report = json.loads(capsys.readouterr().out)
    return [(each["rule"], each["level"], each["line"]) for each in report["diagnostics"]]


def test_a_deviation_that_is_judged_breaks_no_rule(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert found(make_project(tmp_path), capsys, GOOD) == []


def test_a_deviation_says_whose_fault_it_is(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_project(tmp_path)
    marks = (GOOD, GOOD._replace(line=18, kind=None))
    assert found(root, capsys, *marks) == [("not-judged", "warning", 18)]


def test_scenarios_that_cannot_be_read_are_not_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    root = make_project(tmp_path)
    (root / "scenarios/example_feature/reading.py").write_text("def broken(:")
    rules = {rule for rule, *_ in found(root, capsys, GOOD._replace(kind=None))}
    assert "unreadable-scenario" in rules and "not-judged" not in rules
