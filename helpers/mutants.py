"""Sabotage: small, named lies between a scenario and its server, to see which scenarios notice.

A mutant belongs to a feature and is an entry in `scenarios/<feature>/_mutants*.py`:

    @mutant(violates=["RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition"])
    def replace_does_nothing(said: Said) -> Answer:
        '''REPLACE PARTITION answers and does nothing.'''
        if "REPLACE PARTITION" not in said.sql:
            return said.run()
        return said.done()

It is asked for every statement, and either lets it through (`said.run()`), or lies: with another
answer, another statement, a refusal, a deed too many. A mutant that never lied has proved nothing,
and one that stumbles over itself neither (see docs/sensitivity.md).
"""

from __future__ import annotations

import importlib
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from clickhouse_driver.errors import NetworkError, ServerException

from helpers.cluster import http
from helpers.cluster.failures import NodeDied
from helpers.errors import UsageError, nearest
from helpers.paths import SCENARIOS

if TYPE_CHECKING:
    from helpers.cluster.queries import Queries

Answer = Any
FILES = "_mutants*.py"
# What a refusing server makes of a statement, by the native protocol and over HTTP.
REFUSALS = (ServerException, http.Refused)
# A server that is killed on purpose while a mutant talks to it is no fault of the mutant.
GONE = (NetworkError, EOFError, OSError, NodeDied)
_deed = threading.local()


@dataclass(frozen=True)
class Channel:
    """How a statement travels: what the answer without rows looks like there, and a refusal."""

    nothing: Answer
    refusal: Callable[[int, str], Exception]


NATIVE = Channel([], lambda code, text: ServerException(text, code))
HTTP = Channel(b"", http.Refused)


@dataclass
class Said:
    """A statement on its way to a server, and what a mutant may do with it.

    `memory` is the mutant's own, empty at the start of every scenario.
    """

    node: Queries
    sql: str
    user: str
    channel: Channel
    run_as_is: Callable[[str], Answer]
    lied: Callable[[], None]
    memory: dict[str, Any]
    error: BaseException | None = None

    def run(self, sql: str | None = None) -> Answer:
        """Let it through, or another statement in its place, on the same connection."""
        try:
            return self.run_as_is(self.sql if sql is None else sql)
        except BaseException as error:
            self.error = error
            raise

    def lie(self, answer: Answer) -> Answer:
        """Answer this instead of what the server said or would have said."""
        self.lied()
        return answer

    def done(self) -> Answer:
        """Answer that it is done, without rows."""
        return self.lie(self.channel.nothing)

    def refuse(self, code: int, text: str) -> Answer:
        """Say that the server refused."""
        self.lied()
        self.error = self.channel.refusal(code, text)
        raise self.error

    def also(self, sql: str) -> None:
        """Do something behind everybody's back, as the administrator."""
        self.lied()
        self.look(sql)

    def look(self, sql: str, user: str | None = None) -> list[Any]:
        """Ask the server something that only the mutant wants to know."""
        _deed.hidden = True
        try:
            return self.node.query(sql, user=user)
        finally:
            _deed.hidden = False

    @property
    def by_administrator(self) -> bool:
        return self.user == self.node.endpoint.user


@dataclass(frozen=True)
class Mutant:
    """A named sabotage and the requirements that it violates."""

    name: str
    about: str
    violates: tuple[str, ...]
    sabotage: Callable[[Said], Answer]
    tolerated: Mapping[str, str] = field(default_factory=dict)
    on: str = "*"

    def aims_at(self, scenario: str, requirements: Sequence[str]) -> bool:
        """Whether it is to be let loose on a scenario that verifies these requirements."""
        return fnmatchcase(scenario, self.on) and self.violates_any(requirements)

    def violates_any(self, requirements: Sequence[str]) -> bool:
        return any(fnmatchcase(name, one) for name in requirements for one in self.violates)


def mutant(
    *, violates: Sequence[str], tolerated: Mapping[str, str] | None = None, on: str = "*"
) -> Callable[[Callable[[Said], Answer]], Mutant]:
    """Make a mutant of a function. `tolerated` says why a requirement's scenarios cannot notice it;
    `on` is a pattern for the names of scenarios where only some of them say what it lies about."""

    def make(sabotage: Callable[[Said], Answer]) -> Mutant:
        name = sabotage.__name__.replace("_", "-")
        about = (sabotage.__doc__ or "").strip().splitlines()
        if not about or not violates:
            raise UsageError(f"The mutant {name} needs a docstring and a requirement it violates.")
        return Mutant(name, about[0], tuple(violates), sabotage, dict(tolerated or {}), on)

    return make


class Active:
    """The mutant at work in this process, if any, how often it has lied, and what broke it."""

    def __init__(self) -> None:
        self.start(None)

    def start(self, mutant: Mutant | None) -> None:
        self.mutant = mutant
        self.lies = 0
        self.broken: str | None = None
        self.memory: dict[str, Any] = {}

    def speak(
        self,
        node: Queries,
        sql: str,
        user: str,
        run: Callable[[str], Answer],
        channel: Channel = NATIVE,
    ) -> Answer:
        """Every statement goes through here."""
        mutant = self.mutant
        if mutant is None or getattr(_deed, "hidden", False):
            return run(sql)
        said = Said(node, sql, user, channel, run, self._count, self.memory)
        try:
            return mutant.sabotage(said)
        except BaseException as error:
            # What fails under a broken mutant is no scenario's merit.
            if error is not said.error and not isinstance(error, GONE):
                self.broken = f"{type(error).__name__}: {error}".splitlines()[0]
            raise

    def _count(self) -> None:
        self.lies += 1


ACTIVE = Active()


def load(folder: Path = SCENARIOS) -> dict[str, Mutant]:
    """All mutants of all features, by name."""
    folder = folder.resolve()
    if str(folder.parent) not in sys.path:
        sys.path.insert(0, str(folder.parent))
    found: dict[str, Mutant] = {}
    for module in _modules(folder):
        for one in vars(module).values():
            if isinstance(one, Mutant):
                if one.name in found:
                    raise UsageError(f"Two mutants are called {one.name!r}: rename one.")
                found[one.name] = one
    return found


def immune(folder: Path = SCENARIOS) -> dict[str, str]:
    """Requirements that no mutant can violate, with the reason: IMMUNE in a feature's mutants."""
    reasons: dict[str, str] = {}
    for module in _modules(folder.resolve()):
        reasons |= getattr(module, "IMMUNE", {})
    return reasons


def named(name: str, folder: Path = SCENARIOS) -> Mutant:
    known = load(folder)
    if name not in known:
        raise UsageError(
            f"There is no mutant {name!r}."
            + nearest(name, known)
            + " ./regression.py sensitivity --list"
        )
    return known[name]


def _modules(folder: Path) -> list[ModuleType]:
    return [
        importlib.import_module(f"{folder.name}.{file.parent.name}.{file.stem}")
        for file in sorted(folder.glob(f"*/{FILES}"))
    ]
