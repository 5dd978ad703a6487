"""Tables of variants: which ones count, how many rows they have, and what their comments say."""

from __future__ import annotations

from pathlib import Path

import pytest

from requirements.variants import read_tables

LOOP = "def f():\n    for case in {}:\n        pass\n"


def tables(root: Path, **files: str) -> dict[str, tuple[int, int | None]]:
    for name, text in files.items():
        folder = root / ("steps" if name == "kinds" else "scenarios/feature")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.py").write_text(text)
    return {table.name: (table.size, table.stated) for table in read_tables(root)}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("CASES = (1, 2)", {"CASES": (2, None)}),
        ("CASES = (1, 2)  # 2 variants", {"CASES": (2, 2)}),
        ("CASES: tuple[int, ...] = (  # 3 variants\n    1,\n    2,\n)", {"CASES": (2, 3)}),
        ("CASES = (\n    1,\n    2,\n)  # 2 variants", {"CASES": (2, 2)}),
        ("CASES = {'a': (1, 2), 'b': (), **OTHERS}", {"CASES": (3, None)}),
        ("CASES = ('x', 'x', 'y')", {"CASES": (2, None)}),
        ("CASES = ('x',)", {}),
        ("CASES = range(1, 6)", {}),
        ("class CASES(enum.Enum):  # 2 variants\n    WIDE = 1\n    COMPACT = 2", {"CASES": (2, 2)}),
    ],
)
def test_what_a_table_is(
    text: str, expected: dict[str, tuple[int, int | None]], tmp_path: Path
) -> None:
    assert tables(tmp_path, topic=f"{text}\n{LOOP.format('CASES')}") == expected


@pytest.mark.parametrize(
    ("iterated", "counts"),
    [
        ("CASES.items()", True),
        ("enumerate(sorted(CASES))", True),
        ("itertools.product((1, 2), CASES)", True),
        ("(*CASES, 3)", True),
        ("CASES[1:]", True),
        ("[case for case in CASES]", True),
        ("(CASES, CASES)", False),
        ("CASES[1]", False),
        ("range(CASES)", False),
    ],
)
def test_what_a_loop_runs_through(iterated: str, counts: bool, tmp_path: Path) -> None:
    text = f"CASES = (1, 2)\n{LOOP.format(iterated)}"
    assert tables(tmp_path, topic=text) == ({"CASES": (2, None)} if counts else {})


@pytest.mark.parametrize(
    ("imported", "iterated"),
    [
        ("from steps.kinds import KINDS", "KINDS"),
        ("from steps.kinds import KINDS as ALL", "ALL"),
        ("from steps import kinds", "kinds.KINDS"),
    ],
)
def test_a_table_of_steps(imported: str, iterated: str, tmp_path: Path) -> None:
    kinds = "KINDS = (1, 2)  # 2 variants\nOTHERS = (1, 2)\n"
    topic = f"{imported}\n{LOOP.format(iterated)}"
    assert tables(tmp_path, kinds=kinds, topic=topic) == {"KINDS": (2, 2)}
