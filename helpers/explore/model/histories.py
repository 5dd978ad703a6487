"""Histories: what is drawn at random, as data, and what was different when one was executed."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from helpers.explore.model.schema import SIMPLE, Schema
from helpers.explore.model.statements import HistoryStatement
from helpers.explore.model.tables import ModelState

Client = tuple[HistoryStatement, ...]
TOGETHER = HistoryStatement("concurrent")
"""What differs if it takes several statements."""
NOTHING_SENT = HistoryStatement("before any statement")
"""What a server was at that died between two histories."""
ACCEPTED = "accepted"
READ_BETWEEN = "a client has read what no order of the statements explains"
CANCELLED_AND_DONE = "it was answered as cancelled, and it took effect"
BETWEEN = "neither what was before the statement nor what comes after it"


def answer(refusal: int | None) -> str:
    """What a statement was answered with, in words."""
    return ACCEPTED if refusal is None else f"refused with code {refusal}"


@dataclass(frozen=True)
class History:
    """Tables by name and kind, statements one after the other, then clients side by side.

    `interruption` is the moment at which the last statement of the crash profile is met by a SIGKILL of
    the server: so many milliseconds behind its invocation or, below zero, when so many new parts are there.
    """

    kinds: Mapping[str, str]
    statements: tuple[HistoryStatement, ...] = ()
    clients: tuple[Client, ...] = ()
    schema: Schema = SIMPLE
    interruption: int | None = None

    @property
    def length(self) -> int:
        return len(self.statements) + sum(map(len, self.clients))

    @property
    def tiered(self) -> bool:
        """Whether a server needs disks for it."""
        return "tiered" in self.kinds.values()

    @property
    def needs_store(self) -> bool:
        return "s3" in self.kinds.values()

    @property
    def weight(self) -> tuple[int, int]:
        """What a shorter or simpler history has less of: statements; types, settings and numbers."""
        special = sum(value != getattr(SIMPLE, name) for name, value in vars(self.schema).items())
        special += len(self.schema.settings)
        special += sum(kind != "plain" for kind in self.kinds.values())
        for statement in self.every_statement:
            special += (statement.number != 1) + (statement.partition != 1) + len(statement.rows)
        return self.length, special

    @property
    def every_statement(self) -> tuple[HistoryStatement, ...]:
        return (*self.statements, *itertools.chain.from_iterable(self.clients))

    def shorter(self) -> Iterator[History]:
        """The same without one of many clients, then without some of its statements: half of them, a
        quarter, and so on; then one at a time."""
        if len(self.clients) > 2:
            for number in range(len(self.clients)):
                yield self._with_client(number, ())
        size = len(self.statements) // 2
        while size > 1:
            for start in range(0, len(self.statements), size):
                yield replace(self, statements=_without(self.statements, start, size))
            size //= 2
        for index in reversed(range(len(self.statements))):
            yield replace(self, statements=_without(self.statements, index))
        for number, client in enumerate(self.clients):
            for index in reversed(range(len(client))):
                yield self._with_client(number, _without(client, index))
        yield from self._simpler()

    def _simpler(self) -> Iterator[History]:
        """The same with one type, setting, kind of a table or number less."""
        for name, value in vars(self.schema).items():
            if value != getattr(SIMPLE, name):
                yield replace(self, schema=replace(self.schema, **{name: getattr(SIMPLE, name)}))
        for setting in self.schema.settings if len(self.schema.settings) > 1 else ():
            left = tuple(other for other in self.schema.settings if other != setting)
            yield replace(self, schema=replace(self.schema, settings=left))
        for name, kind in self.kinds.items():
            if kind != "plain":
                yield replace(self, kinds={**self.kinds, name: "plain"})
        for index, statement in enumerate(self.statements):
            for change in ({"partition": 1}, {"number": 1}, {"rows": statement.rows[:1]}):
                simpler = replace(statement, **change)
                if simpler != statement:
                    statements = (*self.statements[:index], simpler, *self.statements[index + 1 :])
                    yield replace(self, statements=statements)

    def _with_client(self, number: int, client: Client) -> History:
        clients = [*self.clients[:number], client, *self.clients[number + 1 :]]
        return replace(self, clients=tuple(filter(None, clients)))


@dataclass(frozen=True)
class Sent:
    """What was sent, when (seconds since the history began), by whom, and what came of it."""

    sql: str
    outcome: str
    expected: str = ACCEPTED
    client: int = 0
    began: float = 0.0
    ended: float = 0.0


@dataclass(frozen=True)
class HistoryDifference:
    """Where server and model part: at which statement, in which way, what was expected and found."""

    statement: HistoryStatement
    kind: str
    expected: str
    actual: str
    history: History
    sent: tuple[Sent, ...] = ()
    log: str = ""
    database: str = ""
    table: str = ""
    """The table whose contents differ; empty where the answer does."""
    state: ModelState | None = None
    """The state of the tables after the statement, according to the model."""
    meeting: tuple[str, ...] = ()
    """The kinds of the statements of several clients that met, if it takes all of them."""
    keys: frozenset[int] = frozenset()
    """The keys of the rows that differ."""
    causes: tuple[str, ...] = ()
    """The weaknesses that explain it together, where they were searched for."""

    @property
    def family(self) -> str:
        """What stays the same while a history is made shorter."""
        return f"{self.statement.kind}: {self.kind}"

    @property
    def signature(self) -> str:
        """What makes two differences the same finding."""
        if not self.meeting:
            return self.family
        met = "; ".join(self.causes) or f"{' and '.join(self.meeting)} at once"
        return f"{met}: {self.kind}"

    def contains(self, other: HistoryDifference) -> bool:
        """Whether the other one, and maybe more, happens in this history."""
        if not self.meeting or not other.meeting:
            return self.signature == other.signature
        if self.causes or other.causes:
            return (
                self.kind == other.kind and {*other.causes} <= {*self.causes} and bool(other.causes)
            )
        return self.kind == other.kind and Counter(other.meeting) <= Counter(self.meeting)

    def is_form_of(self, other: HistoryDifference) -> bool:
        """Whether this one, of a shorter history, is still the other one: of no other cause."""
        same_causes = {*self.causes} <= {*other.causes} and bool(self.causes) == bool(other.causes)
        return self.family == other.family and same_causes


@dataclass
class Counts:
    """What was done so far, for the line that shows progress."""

    histories: int = 0
    statements: int = 0
    undecided: int = 0
    states: set[int] = field(default_factory=set)
    transitions: set[str] = field(default_factory=set)


class Differs(Exception):
    """A history in which the server did not behave as the model."""

    def __init__(self, difference: HistoryDifference) -> None:
        self.difference = difference
        super().__init__(difference.signature)


def _without(statements: Client, start: int, count: int = 1) -> Client:
    return (*statements[:start], *statements[start + count :])
