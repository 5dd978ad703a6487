"""Assertions that cannot fail are found in the source; what only looks like one is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from requirements.blind_checks import read_blind_checks
from requirements.variants import read_tables

SCENARIO = """\
def keeps_rows(self):
    with Given("two tables"):
        source, destination = pair()
        {given}
    with When("I replace a partition"):
        replace_partition(destination, source=source)
        {when}
    with Then("it is there"):
        {then}
    with And("the parts, too"):
        {more}
"""
COMPARED = "assert rows(source) == before, error()"


def kinds(root: Path, text: str) -> list[tuple[str, int]]:
    topic = root / "scenarios/feature/topic.py"
    topic.parent.mkdir(parents=True)
    topic.write_text(text)
    return [(found.kind, found.line) for found in read_blind_checks(root, read_tables(root))]


def scenario(
    given: str = "pass", when: str = "pass", then: str = "pass", more: str = "pass"
) -> str:
    return SCENARIO.format(given=given, when=when, then=then, more=more)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (scenario(given="before = rows(source)", then=COMPARED), []),
        (scenario(when="before = rows(source)", then=COMPARED), [("late-before", 9)]),
        (scenario(then="before = rows(source)", more=COMPARED), [("late-before", 11)]),
        (scenario(when="old = rows(source)", then="assert taken() == old"), [("late-before", 9)]),
        (scenario(when="read = rows(source)", then="assert read == taken()"), []),
        # Another read between changes nothing, another action does.
        (
            scenario(when="before = rows(source)", then="other = rows(destination)", more=COMPARED),
            [("late-before", 11)],
        ),
        (scenario(when="before = rows(source)", then="restart(node)", more=COMPARED), []),
        (scenario(when="before = rows(source)", then="done = merge(t)", more=COMPARED), []),
    ],
)
def test_a_state_before_the_action_that_is_read_after_it(
    text: str, expected: list[tuple[str, int]], tmp_path: Path
) -> None:
    assert kinds(tmp_path, text) == expected


@pytest.mark.parametrize(
    ("compared", "blind"),
    [
        ("rows(a) == rows(a)", True),
        ("rows(a) == rows(b)", False),
        ("read == list(read)", True),
        ("tuple(read) == read", True),
        ("set(read) <= read", True),
        ("ready and read == read", True),
        ("1 < read == read", True),
        ("read == sorted(read)", False),  # a property of the answer
        ("len(read) == len(set(read))", False),
        ("read != rows(a)", False),
        ("read == list(read, key)", False),
    ],
)
def test_a_value_that_is_compared_with_itself(compared: str, blind: bool, tmp_path: Path) -> None:
    text = scenario(then=f"assert {compared}, error()")
    assert kinds(tmp_path, text) == ([("same-value", 9)] if blind else [])


@pytest.mark.parametrize(
    ("iterated", "cut"),
    [
        ("CASES", False),
        ("CASES[:1]", True),
        ("list(CASES)[1:]", True),
        ("enumerate(CASES[:2])", True),
        ("islice(CASES, 1)", True),
        ("[next(iter(CASES))]", True),
        ("OTHERS[:1]", False),
    ],
)
@pytest.mark.parametrize("loop", ["for case in {}:\n    pass\n", "READ = [x for x in {}]\n"])
def test_a_loop_through_a_part_of_a_table(
    loop: str, iterated: str, cut: bool, tmp_path: Path
) -> None:
    text = f"CASES = (1, 2, 3)  # 3 variants\nfor case in CASES:\n    pass\n{loop.format(iterated)}"
    assert kinds(tmp_path, text) == ([("cut-variants", 4)] if cut else [])


def test_a_part_with_a_reason_is_fine(tmp_path: Path) -> None:
    text = "CASES = (1, 2)\nfor x in CASES:\n    pass\nfor x in CASES[1:]:  # part: {}\n    pass\n"
    assert kinds(tmp_path, text.format("the first one has no part")) == []


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ("found = rows(t)\nassert (1, found) == (1, found)", [("same-value", 3)]),
        ("found = rows(t)\nassert (1, found) == (found, 1)", []),
        ("wanted = sorted(found.rows)\nassert found.rows == wanted", [("same-value", 3)]),
        ("found = sorted(rows(t))\nassert found == list(found)", [("same-value", 3)]),
        ("wanted = [r for r in found if r > 2]\nassert found == wanted", [("same-value", 3)]),
        ("wanted = sorted(r for r in found)\nassert found == wanted", [("same-value", 3)]),
        ("wanted = [r for r in given if r > 2]\nassert found == wanted", []),
        ("wanted = dict(events(t))\nassert events(t) == wanted", [("same-value", 3)]),
        ("found = sorted(rows(t))\nassert found == sorted(found)", [("same-value", 3)]),
        ("found = rows(t)\nassert found == sorted(found)", []),
        ("one = t.query(A)\nother = t.query(A)\nassert one == other", [("late-before", 4)]),
        ("one = t.query(A)\nother = t.query(B)\nassert one == other", []),
        ("one = t.query(A)\nrun(t)\nother = t.query(A)\nassert one == other", []),
        ("if found != sorted((p, i) for p, i in found):\n    no()", [("same-value", 2)]),
        ("if rows(t) != rows(t):\n    wrong.append(t)", [("same-value", 2)]),
        ("if rows(t) != rows(u):\n    wrong.append(t)", []),
        ("if kind == kind_of(t):\n    wrong.append(t)", []),
        ("before, hashes = rows(t), hashes_of(t)\nrun(t)\nassert hashes_of(t) == hashes", []),
    ],
)
def test_what_is_expected_is_made_of_what_is_there(
    lines: str, expected: list[tuple[str, int]], tmp_path: Path
) -> None:
    text = "def f():\n" + "".join(f"    {line}\n" for line in lines.splitlines())
    assert kinds(tmp_path, text) == expected


def test_what_happens_in_a_loop_happens_between_its_rounds(tmp_path: Path) -> None:
    loop = "before = rows(t)\nfor x in range(3):\n    assert rows(t) == before\n    insert(t, x)\n"
    text = "def f():\n" + "".join(f"    {line}\n" for line in loop.splitlines())
    assert kinds(tmp_path, text) == []
