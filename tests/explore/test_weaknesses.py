"""Which weaknesses explain a concurrent history that has no order, on histories made by hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from helpers.explore.execution.concurrent import in_order
from helpers.explore.execution.crash import is_half
from helpers.explore.execution.observe import Observation
from helpers.explore.model.linearize import Call, Operation, Verdict
from helpers.explore.model.statements import READ, HistoryStatement, Row
from helpers.explore.model.tables import ModelState, ModelTable, Part
from helpers.explore.model.weaknesses import (
    EARLY,
    EMPTIED,
    HOLLOW,
    LOST_UPDATE,
    RANGE,
    cancelled,
    causes_of,
)

PARTS = 3
ROWS = {name: tuple((key, value) for key in range(PARTS)) for value, name in enumerate("abc", 1)}
A, B, C = ROWS.values()
START = ModelState(
    {
        name: ModelTable("plain", tuple(Part(1, (row,)) for row in rows))
        for name, rows in ROWS.items()
    }
)


def call(
    kind: str,
    table: str,
    other: str = "",
    *,
    began: float = 0,
    ended: float = 9,
    refusal: int | None = None,
) -> Call[Operation]:
    return Call(Operation(HistoryStatement(kind, table, other), refusal), began, ended)


def read(table: str, rows: Sequence[Row], began: float) -> Call[Operation]:
    found = ((table, tuple(sorted(rows))),)
    return Call(Operation(HistoryStatement(READ, table), seen=found), began, began)


def causes(calls: Sequence[Call[Operation]], **end: Sequence[Row]) -> tuple[str, ...] | None:
    """What explains that these rows are there at the end; tables that are not named are as before."""
    rows: Mapping[str, Sequence[Row]] = {**ROWS, **end}
    found = tuple((name, tuple(sorted(rows[name]))) for name in rows)
    verdict, found_causes = causes_of(START, [*calls, Call(Operation(None, seen=found), 10, 10)], 1)
    return found_causes if verdict is Verdict.LINEARIZABLE else None


RING = [call("replace", "a", "b"), call("replace", "b", "a")]


def test_what_an_order_explains_has_no_cause() -> None:
    assert causes(RING, a=B) == ()
    assert causes(RING, b=A) == ()


def test_two_replaces_that_exchange_rows() -> None:
    assert causes(RING, a=B, b=A) == (EARLY["replace"],)
    one_after_the_other = [call("replace", "a", "b", ended=1), call("replace", "b", "a", began=2)]
    assert causes(one_after_the_other, a=B, b=A) is None


def test_a_mixture_of_sources_has_whole_parts_of_the_first_and_all_of_the_second() -> None:
    two = [call("replace", "a", "b"), call("replace", "a", "c")]
    assert causes(two, a=(*B, *C)) == (RANGE,)
    assert causes(two, a=(*B[1:], *C)) == (RANGE,), "some of the parts that came first are removed"
    assert causes(two, a=(*B[:1], *C)) is None, "those with the lowest numbers go first"
    assert causes(two, a=(*B[1:], *C[1:])) is None, "of one source all are there"
    assert causes(two, a=(*A, *C)) is None, "what was there before is removed"
    assert causes(two, a=(*A, *B, *C)) is None
    assert causes(two, a=()) is None


def test_rows_that_another_statement_had_taken_away() -> None:
    attach, move = call("attach-from", "a", "b"), call("move", "a", "b")
    assert causes([attach, move], a=B, b=(*A, *B)) == (EARLY["attach-from"],)
    assert causes([call("move", "b", "a"), call("replace", "b", "c")], a=(*A, *B), b=C) == ()
    crossed = [call("move", "b", "a"), call("replace", "b", "a", ended=1), read("a", A, 2)]
    assert causes(crossed, a=(*A, *B), b=A) == (EARLY["move"],)


def test_a_read_decides_what_came_first() -> None:
    attach = call("attach-from", "a", "b", ended=9)
    change = call("replace", "b", "c", ended=1)
    assert causes([attach, change], a=(*A, *B), b=C) == ()
    assert causes([attach, change, read("a", A, 2)], a=(*A, *B), b=C) == (EARLY["attach-from"],)
    assert causes([attach, change, read("a", B, 2)], a=(*A, *B), b=C) is None


def test_cancelled_statements_that_were_executed() -> None:
    stopped = [call("replace", "a", "b", refusal=394), call("move", "b", "c", refusal=394)]
    assert causes(stopped) == ()
    assert causes(stopped, a=B) == (cancelled("replace"),)
    assert causes(stopped, a=B, b=(), c=(*B, *C)) == (cancelled("move"), cancelled("replace"))
    assert causes(stopped, b=()) is None
    ring = [call("replace", "a", "b", refusal=394), call("replace", "b", "a")]
    assert causes(ring, a=B, b=A) == (cancelled("replace"), EARLY["replace"])


def test_a_partition_that_was_moved_away_empties_another() -> None:
    move = call("move", "b", "c", ended=1)
    behind = call("replace", "a", "b", began=2)
    assert causes([move, behind], a=(), b=(), c=(*B, *C)) == (HOLLOW,)
    assert causes([call("drop", "b", ended=1), behind], a=(), b=()) is None


def test_a_partition_that_a_cancelled_drop_has_emptied_empties_another() -> None:
    drop = call("drop", "b", ended=1, refusal=394)
    behind = call("replace", "a", "b", began=2)
    assert causes([drop, behind], a=B) == ()
    assert causes([drop, behind], a=(), b=()) == (cancelled("drop"), EMPTIED)
    assert causes([drop, behind], a=()) is None, "the source was not emptied"
    assert causes([call("drop", "c", refusal=394), behind], a=(), b=()) is None


def test_parts_have_the_order_of_their_numbers() -> None:
    """INSERT gives them as it likes: the first row need not be in the first part."""
    state = ModelState({"a": ModelTable("plain", tuple(Part(1, (row,)) for row in A))})
    seen: dict[str, tuple[int, tuple[Row, ...]]] = {
        "1_10_10_0": (1, (A[0],)),
        "1_9_9_0": (1, (A[1],)),
        "1_11_11_0": (1, (A[2],)),
    }
    ordered = in_order(state, Observation({"a": seen})).tables["a"].parts
    assert [part.rows for part in ordered] == [(A[1],), (A[0],), (A[2],)]


@pytest.mark.parametrize(
    ("kind", "found", "half"),
    [
        ("replace", (*A, *B[:1]), True),
        ("replace", (*A[:1], *B), False),
        ("replace", (*A, *C[:1]), False),
        ("attach-from", (*A, *B[:2]), True),
        ("drop", A[:1], True),
        ("drop", (*A[:1], *B[:1]), False),
        ("truncate", A[1:], True),
        ("detach", A[1:], True),
        ("insert", A[:1], False),
    ],
)
def test_a_statement_that_a_kill_meets_is_half_done_in_its_own_way(
    kind: str, found: tuple[Row, ...], half: bool
) -> None:
    statement = HistoryStatement(kind, "a", "b")
    inserted = {"insert": (*A, (500, 9)), "replace": B, "attach-from": (*A, *B)}
    wanted = {**ROWS, "a": inserted.get(kind, ())}
    assert is_half(statement, ROWS, {**ROWS, "a": found}, wanted) is half
    assert not is_half(statement, ROWS, {**ROWS, "a": found, "b": B[:1]}, wanted)


def test_a_move_that_a_kill_meets_has_some_rows_in_both_tables() -> None:
    move, wanted = HistoryStatement("move", "a", "b"), {**ROWS, "a": (), "b": (*A, *B)}
    assert is_half(move, ROWS, {**ROWS, "a": A, "b": (*A[:1], *B)}, wanted)
    assert not is_half(move, ROWS, {**ROWS, "a": A, "b": B[1:]}, wanted)


def test_an_update_that_is_lost_ran_while_a_mutation_did() -> None:
    update, delete = call("patch", "a"), call("delete", "a", ended=5)
    updated = tuple((key, value + 10 if key == 1 else value) for key, value in A)
    assert causes([update], a=updated) is None, "an order explains it, and nobody asks for causes"
    left = tuple(row for row in A if row[0] != 1)
    other = Operation(HistoryStatement("delete", "a", number=2))
    kept = tuple(row for row in A if row[0] != 2)
    assert causes([update, Call(other, 0, 5)], a=kept) == (LOST_UPDATE,)
    assert causes([update, Call(other, 10, 11)], a=kept) is None, "it was over before"
    assert causes([update, delete], a=(*left, (9, 9))) is None
