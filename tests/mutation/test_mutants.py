"""The mutants of our own Python: what is changed, and that a test which notices nothing is found."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tests.mutation.execution import ROOT, fail
from tests.mutation.modules import MODULES
from tests.mutation.mutants import mutants_of


@pytest.mark.parametrize(
    ("text", "after"),
    [
        ("x = a == b", ["a != b"]),
        ("x = a < b", ["a <= b"]),
        ("x = a + 1", ["a - 1", "2"]),
        ("x = a and not b", ["a or not b", "b"]),
        ("x = True", ["False"]),
        ("if a:\n    b()", ["if not a", "pass"]),
        ("def f() -> int:\n    return a", ["return None"]),
        ("def f():\n    return None", []),
        ("def f():\n    return ''", []),
        ("raise Error(1)", ["pass"]),
        ("x = [a for a in b if a]", ["for a in b"]),
        ("x = a == b  # equivalent: they are never equal", []),
        ('x = "text"', []),
        ("if TYPE_CHECKING:\n    import a", []),
        ("@mark(1)\ndef f(a: List[1]) -> Tuple[2]: ...", []),
        ('x = f"{1 + 2}"', []),
    ],
)
def test_what_is_changed(text: str, after: list[str]) -> None:
    mutants = list(mutants_of("m.py", text))
    assert [mutant.after for mutant in mutants] == after
    assert len({mutant.source for mutant in mutants} | {ast.unparse(ast.parse(text))}) == (
        len(after) + 1
    )


def test_modules_and_their_tests_are_there() -> None:
    for module, judged in MODULES.items():
        assert all((ROOT / file).is_file() for file in (module, *judged.tests)), module


@pytest.mark.parametrize(
    ("check", "noticed"), [("small(1)", True), ("small(1) is not small", False)]
)
def test_a_test_that_notices_nothing_lets_a_mutant_live(
    check: str, noticed: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "room.py").write_text("def small(n):\n    return n < 2\n")
    (tmp_path / "test_room.py").write_text(
        f"from room import small\n\ndef test_it():\n    assert {check}\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr("tests.mutation.execution.ROOT", tmp_path)
    text = (tmp_path / "room.py").read_text()
    assert not fail("room.py", text, ("test_room.py",), 60.0)
    gone = next(each for each in mutants_of("room.py", text) if each.after == "return None")
    assert fail("room.py", gone.source, ("test_room.py",), 60.0) == noticed


def test_one_that_never_ends_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "test_loop.py").write_text("def test_it():\n    while True: pass\n")
    monkeypatch.setattr("tests.mutation.execution.ROOT", tmp_path)
    assert fail("room.py", "", ("test_loop.py",), 1.0)
