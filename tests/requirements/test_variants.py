"""Tables of variants: what counts as one, how many it has, and whose scenarios a smaller one weakens."""

from __future__ import annotations

from pathlib import Path

import pytest

from requirements.commands import check
from requirements.variants import read_tables, reasons_by_scenario_file, write_recorded
from tests.requirements.documents import make_project

TOPIC = "scenarios/feature/topic.py"


def write(root: Path, file: str, text: str) -> None:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


@pytest.mark.parametrize(
    ("text", "tables"),
    [
        ("CASES = (1, 2)", {"CASES": 2}),
        ("CASES: tuple[int, ...] = (1, 2)", {"CASES": 2}),
        ("CASES = {'a': 1, 'b': 2, **OTHERS}", {"CASES": 3}),
        ("CASES = {'a': (1, 2), 'b': ()}", {"CASES": 4}),
        ("CASES = (Key('k', ['x', 'y']), Key('l', ['z']))", {"CASES": 9}),
        ("CASES = (Key('k', wide=True), Key('l'))", {"CASES": 5}),
        ("CASES = (Key('k', **WIDE), Key('l'))", {"CASES": 5}),
        ("CASE = Key('k', wide=True)", {}),
        ("CASES = range(1, 6)", {"CASES": 5}),
        ("CASES = range(COUNT)", {}),
        ("CASES = [make(kind) for kind in ('x', 'y')]", {"CASES": 3}),
        ("CASES = ('x', 'x', 'x')", {}),
        ("ONE, OTHER = 1, 2", {}),
        ("class Kind(enum.Enum):\n    WIDE = 1\n    COMPACT = 2", {"Kind": 2}),
        ("def f():\n    for kind in ('x', 'y'):\n        pass", {"f: for kind": 2}),
        ("def f():\n    with g:\n        for k in product((1, 0), (2, 3)): pass", {"f: for k": 6}),
        ("def f():\n    users = {'a': 1, 'b': 2}", {"f: users": 2}),
        ("def f():\n    rows = [1, 2]", {}),
    ],
)
def test_what_a_table_is(text: str, tables: dict[str, int], tmp_path: Path) -> None:
    write(tmp_path, TOPIC, text)
    assert {table.name: table.size for table in read_tables(tmp_path)} == tables


@pytest.mark.parametrize(
    ("text", "checks"),
    [
        ("assert rows(table) == expected, error()", 2),
        ("assert rows(table) == rows(table), error()", 1),
        ("assert_no_violations(wrong)", 1),
        ("this().eventually(lambda: count(), equals=3)", 1),
        ("table.node.fails(sql, code=1)", 1),
        ("if part.rows != 3:\n    wrong.append(part)", 1),
    ],
)
def test_what_a_check_is(text: str, checks: int, tmp_path: Path) -> None:
    write(tmp_path, TOPIC, text)
    assert {table.name: table.size for table in read_tables(tmp_path)} == {"checks": checks}


def test_a_check_less_weakens_its_scenarios(tmp_path: Path) -> None:
    write(tmp_path, "requirements/x", "")
    write(tmp_path, TOPIC, "assert a() == b()")
    write_recorded(tmp_path)
    write(tmp_path, TOPIC, "assert a() == a()")
    reason = "scenarios/feature/topic.py: it had 2 checks and has 1"
    assert reasons_by_scenario_file(tmp_path) == {TOPIC: reason}


def test_a_smaller_table_of_steps_weakens_all_who_use_them(tmp_path: Path) -> None:
    write(tmp_path, "requirements/x", "")
    write(tmp_path, "steps/kinds.py", "KINDS = (1, 2, 3)")
    write(tmp_path, "steps/parts.py", "from steps.kinds import KINDS")
    write(tmp_path, "steps/other.py", "OTHERS = (1, 2, 3)")
    write(tmp_path, TOPIC, "from steps.parts import KINDS")
    write(tmp_path, "scenarios/feature/module.py", "from steps import kinds")
    write(tmp_path, "scenarios/feature/unconcerned.py", "from steps.other import OTHERS")
    write_recorded(tmp_path)
    assert reasons_by_scenario_file(tmp_path) == {}
    write(tmp_path, "steps/kinds.py", "KINDS = (1, 3)  # changed")
    reason = "steps/kinds.py: KINDS had 3 variants and has 2"
    assert reasons_by_scenario_file(tmp_path) == {
        TOPIC: reason,
        "scenarios/feature/module.py": reason,
    }


def test_a_damaged_record_is_one_clear_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (make_project(tmp_path) / "requirements/variants.json").write_text("[1]")
    assert check(root=tmp_path) == 2
    assert "variants.json: not a record of tables of variants" in capsys.readouterr().err
