"""The checker of concurrent histories, on histories made by hand."""

from __future__ import annotations

import itertools
import math

from helpers.explore.model.linearize import Call, Operation, Partitions, Verdict, check, step
from helpers.explore.model.statements import READ, HistoryStatement

OLD, SOURCE_B, SOURCE_C = ((1, 1),), ((1, 2), (2, 2)), ((1, 3), (2, 3))
START: Partitions = (("a", OLD), ("b", SOURCE_B), ("c", SOURCE_C))
FROM_B, FROM_C = HistoryStatement("replace", "a", "b"), HistoryStatement("replace", "a", "c")


def write(register: int, operation: tuple[str, int]) -> list[int]:
    """A register: a read has to see what was written last."""
    kind, value = operation
    return [value] if kind == "write" else [register] if value == register else []


def call(kind: str, value: int, began: float, ended: float) -> Call[tuple[str, int]]:
    return Call((kind, value), began, ended)


def test_one_after_the_other() -> None:
    calls = [call("write", 1, 0, 1), call("read", 1, 2, 3)]
    assert check(0, calls, write) is Verdict.LINEARIZABLE
    assert check(0, [call("write", 1, 0, 1), call("read", 0, 2, 3)], write) is (
        Verdict.NOT_LINEARIZABLE
    )


def test_side_by_side_either_may_be_first() -> None:
    for seen in (0, 1):
        calls = [call("write", 1, 0, 10), call("read", seen, 1, 2)]
        assert check(0, calls, write) is Verdict.LINEARIZABLE


def test_a_read_does_not_go_back() -> None:
    calls = [call("write", 1, 0, 10), call("read", 1, 1, 2), call("read", 0, 3, 4)]
    assert check(0, calls, write) is Verdict.NOT_LINEARIZABLE


def test_what_was_never_answered_may_come_late_or_early() -> None:
    for seen in (0, 1):
        calls = [call("write", 1, 0, math.inf), call("read", seen, 5, 6)]
        assert check(0, calls, write) is Verdict.LINEARIZABLE


def test_no_time_is_no_verdict() -> None:
    ticks = itertools.count()
    calls = [call("write", number, 0, 10) for number in range(8)]
    calls.append(call("read", 99, 11, 12))
    verdict = check(0, calls, write, seconds=5, clock=lambda: float(next(ticks)))
    assert verdict is Verdict.UNDECIDED
    assert check(0, calls, write) is Verdict.NOT_LINEARIZABLE


def ended_with(rows: tuple[tuple[int, int], ...], *refusals: int | None) -> Verdict:
    """Two REPLACE PARTITION at once, and what the destination holds at the end."""
    found = (("a", rows), ("b", SOURCE_B), ("c", SOURCE_C))
    statements = zip((FROM_B, FROM_C), refusals or (None, None), strict=True)
    calls = [Call(Operation(statement, refusal), 0, 1) for statement, refusal in statements]
    return check(START, [*calls, Call(Operation(None, seen=found), 2, 2)], step)


def test_the_rows_of_one_source_are_explained() -> None:
    assert ended_with(SOURCE_B) is Verdict.LINEARIZABLE
    assert ended_with(SOURCE_C) is Verdict.LINEARIZABLE


def test_a_mixture_of_sources_is_not() -> None:
    assert ended_with(tuple(sorted(SOURCE_B + SOURCE_C))) is Verdict.NOT_LINEARIZABLE
    assert ended_with(OLD) is Verdict.NOT_LINEARIZABLE


def test_a_refused_statement_did_nothing() -> None:
    assert ended_with(SOURCE_B, None, 394) is Verdict.LINEARIZABLE
    assert ended_with(OLD, 394, 394) is Verdict.LINEARIZABLE
    assert ended_with(SOURCE_C, 394, 394) is Verdict.NOT_LINEARIZABLE
    assert ended_with(SOURCE_B, None, 36) is Verdict.NOT_LINEARIZABLE, "nothing says 36 here"


def seen_by_a_reader(rows: tuple[tuple[int, int], ...], *, late: bool = False) -> Verdict:
    """REPLACE PARTITION, a read meanwhile or behind it, and the rows of the source at the end."""
    read = Operation(HistoryStatement(READ, "a"), seen=(("a", rows),))
    at = 2.0 if late else 0.5
    end = (("a", SOURCE_B), ("b", SOURCE_B), ("c", SOURCE_C))
    calls = [Call(Operation(FROM_B), 0, 1), Call(read, at, at + 0.1)]
    return check(START, [*calls, Call(Operation(None, seen=end), 3, 3)], step)


def test_a_reader_sees_the_partition_before_or_after() -> None:
    assert seen_by_a_reader(OLD) is Verdict.LINEARIZABLE
    assert seen_by_a_reader(SOURCE_B) is Verdict.LINEARIZABLE
    assert seen_by_a_reader(()) is Verdict.NOT_LINEARIZABLE
    assert seen_by_a_reader(tuple(sorted(OLD + SOURCE_B))) is Verdict.NOT_LINEARIZABLE
    assert seen_by_a_reader(OLD, late=True) is Verdict.NOT_LINEARIZABLE
