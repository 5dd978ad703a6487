"""Modes of reading with FINAL: settings that must not change the answer, each proved to have been used."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.context import this
from steps.replacing_merge_tree.stored_rows import in_order
from steps.statement_log import finished_statements
from steps.tables import Table


@dataclass(frozen=True)
class ReadMode:
    """Settings of a query, and how its plan differs with them: how many lines have each of these texts.

    For MOST_INPUTS it is the largest number of inputs that a merging step has.
    """

    name: str
    settings: Mapping[str, Any]
    plan: Mapping[str, str]

    @property
    def condition(self) -> str:
        """The condition on the lines of the plan."""
        return " AND ".join(f"{_measured(text)} {number}" for text, number in self.plan.items())


MOST_INPUTS = "inputs of ReplacingSorted"


def _measured(text: str) -> str:
    if text == MOST_INPUTS:
        return "max(toUInt64OrZero(extract(explain, 'ReplacingSorted ([0-9]+)')))"
    return f"countIf(position(explain, '{text}') > 0)"


def assert_used(
    mode: ReadMode, usual: ReadMode, table: Table, *, what: str = "PIPELINE", where: str = ""
) -> None:
    """With its settings the plan of a query with FINAL is as the mode says and not as the usual one,
    and with the usual settings it is the reverse.

    `what` is PIPELINE, or options of the plan.
    """
    condition = f" WHERE {where}" if where else ""
    plan = f"EXPLAIN {what} SELECT * FROM {table} FINAL{condition}"
    sql = f"SELECT {mode.condition}, {usual.condition} FROM ({plan})"
    shown = table.node.query(sql, settings=mode.settings)
    assert shown == [(1, 0)], f"{mode.name}: {plan} does not show it: {shown}"
    shown = table.node.query(sql, settings=usual.settings)
    assert shown == [(0, 1)], f"{mode.name}: {plan} shows it {usual.name} too: {shown}"


def new_query_id() -> str:
    """An identifier that no other query has, of this run or of one before."""
    return f"{this().database}_{uuid4()}"


def finished(node: Node, identifiers: Iterable[str], settings: Iterable[str] = ()) -> list[Row]:
    """What the server's log says of these queries: which have finished, and with which of these
    settings changed."""
    names, queries = (", ".join(f"'{text}'" for text in texts) for texts in (settings, identifiers))
    return finished_statements(
        node,
        f"query_id, mapFilter((name, value) -> has(CAST([{names}] AS Array(String)), name), Settings)",
        f"query_id IN ({queries}) ORDER BY query_id",
    )


@dataclass
class LoggedReads:
    """Reads, and remembers with which settings each query was to be executed."""

    node: Node
    asked: dict[str, Mapping[str, Any]] = field(default_factory=dict)

    def query(self, sql: str, settings: Mapping[str, Any]) -> list[Row]:
        identifier = new_query_id()
        self.asked[identifier] = settings
        return self.node.query(sql, settings=settings, query_id=identifier)

    def assert_executed(self, *expected: Mapping[str, Any]) -> None:
        """There were queries with each of these settings and with no others, and the server's log has
        each of them with exactly its settings, as far as they differ in them."""
        unexpected = [settings for settings in self.asked.values() if settings not in expected]
        missing = [settings for settings in expected if settings not in self.asked.values()]
        assert not unexpected and not missing, f"not asked with {missing}, but with {unexpected}"
        known = {name for settings in expected for name in settings}
        executed = finished(self.node, self.asked, sorted(known))
        asked = sorted(
            (identifier, {name: str(value) for name, value in settings.items()})
            for identifier, settings in self.asked.items()
        )
        assert executed == asked, f"queries were executed with other settings: {executed}"


class Reader:
    """Reads a table with FINAL in several modes."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._reads = LoggedReads(table.node)

    def assert_executed(self, *modes: ReadMode) -> None:
        """It was read in each of these modes and in no other."""
        self._reads.assert_executed(*(mode.settings for mode in modes))

    def rows(self, mode: ReadMode, where: str = "") -> list[Row]:
        condition = f" WHERE {where}" if where else ""
        sql = f"SELECT * FROM {self._table} FINAL{condition}"
        return in_order(self._reads.query(sql, mode.settings))

    def count(self, mode: ReadMode) -> int:
        ((rows,),) = self._reads.query(f"SELECT count() FROM {self._table} FINAL", mode.settings)
        return int(rows)
