"""Mutants that answer a read from elsewhere: another table or partition, or before a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from helpers.cluster.client.interception import Call
from helpers.cluster.client.session import NATIVE
from helpers.cluster.client.tampering import Interceptor
from helpers.sensitivity.generated import GeneratedMutant
from tests.sensitivity.test_generated import labels, recorded


def conversation(name: str, *statements: str | tuple[str, Any]) -> list[Any]:
    """What a mutant answers to statements, each at a line of its own, and the server's answers to them."""
    interceptor = Interceptor()
    interceptor.activate(GeneratedMutant.parse(name).tamper)
    node: Any = None
    answers = []
    for line, statement in enumerate(statements, 1):
        sql, answer = statement if isinstance(statement, tuple) else (statement, [])
        known = {sql: answer, "SELECT * FROM b": [(8,)], "SELECT 1 WHERE p = 2": [(9,)]}

        def execute(sql: str, _: Any, known: Mapping[str, Any] = known) -> Any:
            return known[sql]

        call = Call(sql, f"scenarios/f/t.py:{line}", 1)
        answers.append(interceptor.intercept(node, call, sql, {}, "me", NATIVE, execute))
    return answers


READ = ("SELECT * FROM a", [(1,), (2,)])


def test_the_same_read_stays_wrong_until_something_changes() -> None:
    name = "lose-row@scenarios/f/t.py:1#1"
    first, again, other, _, after = conversation(name, READ, READ, "SELECT 2", "DROP TABLE b", READ)
    assert first == again != READ[1]
    assert (other, after) == ([], READ[1])


def test_a_read_that_another_table_answers() -> None:
    name = "other-table[a from b]@scenarios/f/t.py:2#1"
    assert conversation(name, READ, READ) == [READ[1], [(8,)]]
    same = ("SELECT * FROM a", [(8,)])
    assert conversation(name, same, same) == [[(8,)], [(8,)]]


def test_a_read_that_another_partition_answers() -> None:
    read = ("SELECT 1 WHERE p = 1", [(1,)])
    assert conversation("other-partition@scenarios/f/t.py:1#1", read) == [[(9,)]]


def test_a_read_that_answers_as_before_the_change() -> None:
    after = (READ[0], [(3,)])
    given = conversation("earlier@scenarios/f/t.py:3#1", READ, "DROP TABLE b", after, after)
    assert given == [READ[1], [], READ[1], READ[1]]


def test_where_answers_from_elsewhere_are_possible() -> None:
    two = [recorded(f"CREATE TABLE {name} (p Int8) ENGINE = Memory") for name in ("a", "b")]
    read = recorded("SELECT * FROM a WHERE p = 1", 3, rows=1, columns=1)
    assert labels(read)[3:] == ["other-partition"]
    assert labels(*two, read)[4:] == ["other-table a from b", "other-partition"]
    drop = recorded("DROP TABLE b", 4)
    again = replace(read, place="scenarios/f/t.py:5")
    assert "earlier" in labels(*two, read, drop, again)
    assert "earlier" not in labels(*two, read, again)
    # Read again with nothing in between it is the same read, with the same answer.
    assert labels(read, again) == labels(read)
    assert "first-variant" in labels(replace(read, occurrence=2))
