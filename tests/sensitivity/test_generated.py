"""Mutants made from recorded calls: which there are, and what each does to a statement."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest
from clickhouse_driver.errors import ServerException

from helpers.base.errors import UsageError
from helpers.cluster.client.interception import Call
from helpers.cluster.client.recording import Statement
from helpers.cluster.client.session import NATIVE
from helpers.cluster.client.tampering import Interceptor
from helpers.scenario.marks import Equivalent
from helpers.sensitivity import generated
from helpers.sensitivity.generated import GeneratedMutant, generate, reason_if_equivalent
from helpers.sensitivity.traced import traced

PLACE = "scenarios/f/t.py:1"
CREATE = "CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS x = 1, y = 2"


def recorded(sql: str, line: int = 1, occurrence: int = 1, **facts: Any) -> Statement:
    place = f"scenarios/f/t.py:{line}"
    return Statement("node1", sql, 0.0, place=place, occurrence=occurrence, **facts)


def labels(*statements: Statement, seed: int = 1) -> list[str]:
    return [f"{mutant.operator} {mutant.detail}".strip() for mutant in generate(statements, seed)]


def test_a_change_can_be_dropped_and_lose_its_clauses() -> None:
    assert labels(recorded(CREATE, settings={"z": 3})) == [
        "drop",
        "omit SETTINGS x",
        "omit SETTINGS y",
        "omit z",
    ]


def test_an_answer_can_be_wrong() -> None:
    answers = ["lose-row", "double-row", "change-value"]
    assert labels(recorded("SELECT 1", rows=1, columns=1)) == answers
    assert labels(recorded("SELECT 1", rows=2, columns=2)) == [*answers, "swap-values"]
    assert labels(recorded("SELECT 1", rows=0, columns=0)) == []
    two = [recorded("SELECT 1", 1, rows=1, columns=1), recorded("SELECT 2", 2, rows=1, columns=1)]
    assert labels(*two) == [*answers, *answers, "stale"]


def test_a_refused_read_has_no_answer_to_change() -> None:
    assert labels(recorded("SELECT x", code=47)) == []


def test_actions_can_be_left_out_unless_they_resume_something() -> None:
    assert labels(recorded("kill node1", is_action=True)) == ["skip"]
    assert labels(recorded("thaw node1", is_action=True)) == []


def test_what_the_scenario_did_not_ask_for_is_left_alone() -> None:
    assert generate([Statement("node1", "DROP TABLE t", 0.0)], 1) == []


def test_of_one_place_the_seed_chooses_the_variant() -> None:
    statements = [recorded("DROP TABLE t", occurrence=number) for number in range(1, 9)]
    chosen = {generate(statements, seed)[0].occurrence for seed in range(50)}
    assert len(generate(statements, 1)) == 1 and len(chosen) > 3
    assert generate(statements, 7) == generate(statements, 7)


def called_from(line: int, steps: str) -> Statement:
    place = f"scenarios/f/t.py:{line} > {steps}"
    return Statement("node1", "DROP TABLE t", 0.0, place=place, occurrence=1)


def test_steps_that_call_steps_are_one_place_wherever_the_scenario_calls_them() -> None:
    fixture = [called_from(line, "steps/a.py:7 > steps/b.py:9") for line in (1, 2)]
    assert len(generate(fixture, 1)) == 1
    assert {mutant.place for seed in range(50) for mutant in generate(fixture, seed)} == {
        statement.place for statement in fixture
    }
    assert len(generate([called_from(line, "steps/b.py:9") for line in (1, 2)], 1)) == 2


def test_a_clause_that_comes_twice_is_two_mutants() -> None:
    sql = "CREATE TABLE t (a UInt8 CODEC(NONE), b UInt8 CODEC(NONE)) ENGINE = Memory"
    assert labels(recorded(sql)) == ["drop", "omit CODEC", "omit CODEC 2"]


@pytest.mark.parametrize("name", ["drop@a.py:1 > b.py:2#3", "omit[SETTINGS x]@a.py:1#1"])
def test_a_name_can_be_read_again(name: str) -> None:
    assert GeneratedMutant.parse(name).name == name


@pytest.mark.parametrize("name", ["replace-does-nothing", "explode@a.py:1#1", "drop@a.py:1"])
def test_another_name_is_refused(name: str) -> None:
    with pytest.raises(UsageError, match="generated mutant"):
        GeneratedMutant.parse(name)


class Server:
    """Remembers what it was asked to execute, and answers it."""

    def __init__(self) -> None:
        self.executed: list[tuple[str, Mapping[str, Any]]] = []
        self.answer: Any = [(1, "a"), (2, "b")]

    def execute(self, sql: str, settings: Mapping[str, Any]) -> Any:
        self.executed.append((sql, settings))
        return self.answer


def intercepted(
    name: str, sql: str, server: Server, settings: Mapping[str, Any] | None = None
) -> tuple[Any, int]:
    """What a mutant answers to a statement at PLACE, and how often it changed something."""
    interceptor = Interceptor()
    interceptor.activate(GeneratedMutant.parse(f"{name}@{PLACE}#1").tamper)
    call = Call(sql, PLACE, 1)
    node: Any = None
    answer = interceptor.intercept(node, call, sql, settings or {}, "me", NATIVE, server.execute)
    return answer, interceptor.changes


def test_drop() -> None:
    server = Server()
    assert intercepted("drop", "DROP TABLE t", server) == ([], 1)
    assert server.executed == []


def test_omit_a_clause() -> None:
    server = Server()
    assert intercepted("omit[SETTINGS x]", CREATE, server)[1] == 1
    assert server.executed == [(CREATE.replace("x = 1, ", ""), {})]


def test_omit_a_setting_of_the_client() -> None:
    server = Server()
    assert intercepted("omit[b]", "SELECT 1", server, {"a": 1, "b": 2})[1] == 1
    assert server.executed == [("SELECT 1", {"a": 1})]


@pytest.mark.parametrize(("code", "counted"), [(36, 1), (62, 0)])
@pytest.mark.parametrize("omitted", ["SETTINGS x", "b"])
def test_a_refusal_for_what_was_omitted_counts_where_it_is_noticed(
    omitted: str, code: int, counted: int
) -> None:
    interceptor = Interceptor()
    interceptor.activate(GeneratedMutant.parse(f"omit[{omitted}]@{PLACE}#1").tamper)
    node: Any = None

    def refuse(_sql: str, _settings: Mapping[str, Any]) -> Any:
        raise ServerException("refused", code)

    with pytest.raises(ServerException):
        interceptor.intercept(node, Call(CREATE, PLACE, 1), CREATE, {"b": 1}, "me", NATIVE, refuse)
    assert interceptor.broken is None
    assert (interceptor.effects(noticed=True), interceptor.effects(noticed=False)) == (counted, 0)


def test_a_clause_that_is_not_there_changes_nothing() -> None:
    server = Server()
    assert intercepted("omit[TTL]", "SELECT 1", server) == (server.answer, 0)


@pytest.mark.parametrize("operator", ["lose-row", "double-row"])
def test_wrong_answers(operator: str) -> None:
    server = Server()
    answer, changes = intercepted(operator, "SELECT 1", server)
    assert changes == 1 and answer != server.answer


@pytest.mark.parametrize("operator", ["change-value", "swap-values"])
def test_wrong_values_count_when_somebody_uses_them(operator: str) -> None:
    server, interceptor = Server(), Interceptor()
    interceptor.activate(GeneratedMutant.parse(f"{operator}@{PLACE}#1").tamper)
    node: Any = None
    call = Call("SELECT 1", PLACE, 1)
    answer = interceptor.intercept(node, call, "SELECT 1", {}, "me", NATIVE, server.execute)
    assert interceptor.changes == 0 and repr(answer) and interceptor.changes == 0
    assert answer != server.answer
    assert interceptor.changes > 0


@pytest.mark.parametrize(
    "use",
    [
        lambda value: value == 7,
        lambda value: value == 7,
        lambda value: value != 7,
        lambda value: f"{value}",
        lambda value: str(value),
        lambda value: [value] == [7],
        lambda value: sorted([(value,), (7,)]),
        lambda value: bool(value),
    ],
)
@pytest.mark.parametrize("value", [7, 7.0, "7", b"7", [7], (7,)])
def test_every_use_of_a_traced_value_is_reported(value: Any, use: Callable[[Any], Any]) -> None:
    uses: list[int] = []
    tracing = traced(value, lambda: uses.append(1))
    assert isinstance(tracing, type(value)) and repr(tracing) and not uses
    with contextlib.suppress(TypeError):
        use(tracing)
    assert uses


def test_looking_a_traced_value_up_is_using_it() -> None:
    uses: list[int] = []
    assert {7: "seven"}[traced(7, lambda: uses.append(1))] == "seven"
    assert uses


def test_a_value_that_cannot_tell_counts_at_once() -> None:
    uses: list[int] = []
    assert traced(None, lambda: uses.append(1)) is None
    assert uses == [1]


def test_wrong_bytes() -> None:
    server = Server()
    server.answer = b"1\n2\n"
    answer, changes = intercepted("lose-row", "SELECT 1 FORMAT TSV", server)
    assert (answer in (b"1\n", b"2\n"), changes) == (True, 1)


@pytest.mark.parametrize(
    ("data", "changed", "count"), [([[1], [2]], ([[2], [2]], [[1], [3]]), 1), ([], ([],), 0)]
)
def test_wrong_json_has_another_value_and_not_another_line(
    data: list[Any], changed: tuple[list[Any], ...], count: int
) -> None:
    server = Server()
    server.answer = json.dumps({"meta": [], "data": data}, indent=1).encode()
    answer, changes = intercepted("change-value", "SELECT n FROM t", server)
    assert json.loads(answer)["data"] in changed and changes == count


def test_no_rows_cannot_be_wrong() -> None:
    server = Server()
    server.answer = []
    assert intercepted("lose-row", "SELECT 1", server) == ([], 0)


def test_a_stale_answer_is_the_one_before() -> None:
    interceptor, server = Interceptor(), Server()
    interceptor.activate(GeneratedMutant.parse("stale@b#1").tamper)
    node: Any = None

    def ask(place: str, answer: Any, sql: str = "SELECT 1") -> Any:
        server.answer = answer
        call = Call(sql, place, 1)
        return interceptor.intercept(node, call, sql, {}, "me", NATIVE, server.execute)

    assert ask("a", [(1,)]) == [(1,)]
    assert ask("b", [(2,)]) == [(1,)]
    assert ask("c", [(3,)]) == [(1,)]  # the same read
    assert ask("d", [(3,)], "SELECT 2") == [(3,)]
    assert interceptor.changes == 2


def test_other_calls_pass() -> None:
    interceptor, server = Interceptor(), Server()
    interceptor.activate(GeneratedMutant.parse(f"drop@{PLACE}#2").tamper)
    node: Any = None
    for call in (None, Call("x", PLACE, 1), Call("x", "elsewhere", 2)):
        interceptor.intercept(node, call, "DROP TABLE t", {}, "me", NATIVE, server.execute)
    assert len(server.executed) == 3 and interceptor.changes == 0


def test_equivalents_are_known_by_operator_and_statement() -> None:
    mutant = GeneratedMutant("omit", "SETTINGS x", PLACE, 1, CREATE)
    for pattern, text, fits in [
        ("omit*", "CREATE TABLE t", True),
        ("omit[SETTINGS x]", "ENGINE = MergeTree", True),
        ("omit[SETTINGS y]", "CREATE TABLE t", False),
        ("drop", "CREATE TABLE t", False),
        ("omit*", "CREATE TABLE u", False),
    ]:
        reason = reason_if_equivalent(mutant, [Equivalent(pattern, text, "so what")])
        assert (reason == "so what") is fits, pattern


def test_equivalents_of_every_scenario_are_data() -> None:
    known = generated.equivalent_everywhere()
    assert len({(entry.mutant, entry.statement) for entry in known}) == len(known) > 20
    mutant = GeneratedMutant("omit", "mutations_sync", "a.py:1", 1, "ALTER TABLE t DELETE WHERE 1")
    assert reason_if_equivalent(mutant, ()) == known[0].reason
    assert reason_if_equivalent(replace(mutant, text="INSERT INTO t VALUES (1)"), ()) is None
