"""The rule no-statement: what a linked scenario has in reach, directly and through its steps."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from requirements.commands import check
from tests.requirements.documents import GOOD, SCENARIOS, make_project

NAMED = GOOD.replace("\n## Table", "\nstatements: OPTIMIZE TABLE | optimizer.engine\n\n## Table", 1)
STEPS = """\
from optimizer.engine import run

STATEMENTS = ["OPTIMIZE TABLE t"]
def direct(): query("OPTIMIZE TABLE t")
def formatted(table): query(f"OPTIMIZE TABLE {table}")
def by_table(): [query(each) for each in STATEMENTS]
def deep(): formatted("t")
def other(): query("SELECT 1")
def described():
    \"\"\"OPTIMIZE TABLE in a docstring.\"\"\"
    with When("I OPTIMIZE TABLE"):
        query("SELECT 1")
def by_another_package(): run()
class Optimizing:
    def go(self): direct()
"""
BODY = "    pass\n"


def scenario_that(does: str, imports: str) -> str:
    return SCENARIOS.replace("\n\n@TestScenario", f"\n{imports}\n\n@TestScenario", 1).replace(
        BODY, f"    {does}\n"
    )


def rules(root: Path, capsys: pytest.CaptureFixture[str]) -> set[str]:
    capsys.readouterr()
    check(as_json_report=True, root=root)
    return {each["rule"] for each in json.loads(capsys.readouterr().out)["diagnostics"]}


@pytest.mark.parametrize(
    ("does", "imports", "found"),
    [
        ('query("OPTIMIZE TABLE t")', "", set()),
        ('query("SELECT 1")', "", {"no-statement"}),
        ("direct()", "from steps.optimizing import direct", set()),
        ("renamed()", "from steps.optimizing import formatted as renamed", set()),
        ("by_table()", "from steps.optimizing import by_table", set()),
        ("deep()", "from steps.optimizing import deep", set()),
        ("optimizing.deep()", "from steps import optimizing", set()),
        ("Optimizing().go()", "from steps.optimizing import Optimizing", set()),
        ("by_another_package()", "from steps.optimizing import by_another_package", set()),
        ("other()", "from steps.optimizing import other, direct", {"no-statement"}),
        ("described()", "from steps.optimizing import described", {"no-statement"}),
        ('note("OPTIMIZE TABLE")', "", {"no-statement"}),
    ],
)
def test_what_a_scenario_has_in_reach(
    does: str, imports: str, found: set[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "steps").mkdir()
    (tmp_path / "steps" / "optimizing.py").write_text(STEPS)
    root = make_project(tmp_path, NAMED, scenario_that(does, imports))
    assert rules(root, capsys) == found


def test_a_requirement_may_name_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = NAMED.replace("version: 1.0\n", "version: 1.0\nstatements: SELECT\n")
    text = text.replace("version: 1.1\norigin: ours\n", "version: 1.1\nstatements: SELECT\n")
    root = make_project(tmp_path, text, scenario_that('query("SELECT 1")', ""))
    assert rules(root, capsys) == set()
