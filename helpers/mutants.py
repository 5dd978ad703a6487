"""Sabotage: small, named lies between a scenario and its server, to see which scenarios notice.

A mutant belongs to a feature and is an entry in `scenarios/<feature>/_mutants.py`:

    @mutant(violates=["RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition"])
    def replace_does_nothing(said: Said) -> Answer:
        '''REPLACE PARTITION answers and does nothing.'''
        if "REPLACE PARTITION" not in said.sql:
            return said.run()
        return said.lie([])

It is asked for every statement, and either lets it through (`said.run()`), or lies: with another
answer, another statement, a refusal, a deed too many. A mutant that never lied has proved nothing.
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

from clickhouse_driver.errors import ServerException

from helpers.errors import UsageError, nearest
from helpers.paths import SCENARIOS

if TYPE_CHECKING:
    from helpers.cluster.queries import Queries

Answer = Any
FILE = "_mutants"
_deed = threading.local()


@dataclass
class Said:
    """A statement on its way to a server, and what a mutant may do with it."""

    node: Queries
    sql: str
    user: str
    run_as_is: Callable[[str], Answer]
    lied: Callable[[], None]

    def run(self, sql: str | None = None) -> Answer:
        """Let it through, or another statement in its place, on the same connection."""
        return self.run_as_is(self.sql if sql is None else sql)

    def lie(self, answer: Answer) -> Answer:
        """Answer this instead of what the server said or would have said."""
        self.lied()
        return answer

    def refuse(self, code: int, text: str) -> Answer:
        """Say that the server refused."""
        self.lied()
        raise ServerException(text, code)

    def also(self, sql: str) -> None:
        """Do something behind everybody's back, as the administrator."""
        self.lied()
        _deed.hidden = True
        try:
            self.node.query(sql)
        finally:
            _deed.hidden = False

    def look(self, sql: str) -> list[Any]:
        """Ask the server something that only the mutant wants to know."""
        _deed.hidden = True
        try:
            return self.node.query(sql)
        finally:
            _deed.hidden = False


@dataclass(frozen=True)
class Mutant:
    """A named sabotage and the requirements that it violates."""

    name: str
    about: str
    violates: tuple[str, ...]
    sabotage: Callable[[Said], Answer]
    tolerated: Mapping[str, str] = field(default_factory=dict)

    def violates_any(self, requirements: Sequence[str]) -> bool:
        return any(fnmatchcase(name, one) for name in requirements for one in self.violates)


def mutant(
    *, violates: Sequence[str], tolerated: Mapping[str, str] | None = None
) -> Callable[[Callable[[Said], Answer]], Mutant]:
    """Make a mutant of a function. `tolerated` says why a requirement's scenarios cannot notice it."""

    def make(sabotage: Callable[[Said], Answer]) -> Mutant:
        name = sabotage.__name__.replace("_", "-")
        about = (sabotage.__doc__ or "").strip().splitlines()
        if not about or not violates:
            raise UsageError(f"The mutant {name} needs a docstring and a requirement it violates.")
        return Mutant(name, about[0], tuple(violates), sabotage, dict(tolerated or {}))

    return make


class Active:
    """The mutant at work in this process, if any, and how often it has lied."""

    def __init__(self) -> None:
        self.mutant: Mutant | None = None
        self.lies = 0

    def start(self, mutant: Mutant | None) -> None:
        self.mutant, self.lies = mutant, 0

    def speak(self, node: Queries, sql: str, user: str, run: Callable[[str], Answer]) -> Answer:
        """Every statement goes through here."""
        if self.mutant is None or getattr(_deed, "hidden", False):
            return run(sql)
        return self.mutant.sabotage(Said(node, sql, user, run, self._count))

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
        importlib.import_module(f"{folder.name}.{file.parent.name}.{FILE}")
        for file in sorted(folder.glob(f"*/{FILE}.py"))
    ]
