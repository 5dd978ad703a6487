"""Statements that may be accepted or refused: what came of them, and what is wrong with that.

A matrix of such statements is one scenario: it collects what is wrong in any of its cells and asserts
that the list is empty, so that one bad cell does not hide the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.step import step
from steps.parts import Part, parts
from steps.tables import Table, contents


@dataclass(frozen=True)
class Attempt:
    """What came of a statement: accepted, or refused with this code and message."""

    code: int | None = None
    message: str = ""

    @property
    def accepted(self) -> bool:
        return self.code is None

    def __str__(self) -> str:
        return "accepted" if self.accepted else f"refused with code {self.code}: {self.message}"


@step("I try {sql}")
def attempt(node: Node, sql: str, **options: Any) -> Attempt:
    """Run a statement that may be refused."""
    try:
        node.query(sql, **options)
    except QueryFailed as refused:
        return Attempt(refused.code, refused.message)
    return Attempt()


@step("I try {sql} over HTTP")
def attempt_over_http(node: Node, sql: str) -> Attempt:
    """The same where a refusal may quote bytes that are not UTF-8, as those of a damaged file."""
    try:
        node.http(sql)
    except QueryFailed as refused:
        return Attempt(refused.code, refused.message)
    return Attempt()


@dataclass(frozen=True)
class TableState:
    """What a table holds at a moment: its rows and its parts."""

    rows: list[Row]
    parts: list[Part]


def state(table: Table) -> TableState:
    rows, its_parts = contents(table), parts(table)
    number = sum(part.rows for part in its_parts)
    assert len(rows) == number, f"{table} has {len(rows)} rows and parts with {number}"
    return TableState(rows, its_parts)


def wrong_refusal(
    destination: Table, sql: str, *, code: int, text: str, **options: Any
) -> str | None:
    """What is wrong with how a statement was refused that must leave the destination alone."""
    before = state(destination)
    assert before.rows, f"the fixture is empty: {destination} has nothing to lose"
    outcome = attempt(destination.node, sql, **options)
    if outcome.accepted:
        changed = state(destination) != before
        return "accepted and carried out" if changed else "accepted, but nothing was replaced"
    if outcome.code != code or text not in outcome.message:
        return f"{outcome} (expected code {code} and {text!r})"
    if state(destination) != before:
        return "refused, but the destination is not what it was"
    return None


class Refusal(NamedTuple):
    """A statement, and the code and a part of the message that it has to be refused with."""

    sql: str
    code: int
    text: str


@step("I try statements on {destination} that have to be refused")
def wrong_refusals(destination: Table, expected: Mapping[str, Refusal]) -> dict[str, str]:
    """What is wrong with the refusals of these statements, by name; nothing, if all is well."""
    reasons = {
        name: wrong_refusal(destination, refusal.sql, code=refusal.code, text=refusal.text)
        for name, refusal in expected.items()
    }
    return {name: reason for name, reason in reasons.items() if reason}
