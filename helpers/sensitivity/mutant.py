"""Mutants: small, named changes between a scenario and its server, to see which scenarios notice.

A mutant belongs to a feature and is defined in `scenarios/<feature>/mutants/`:

    @mutant(violates=["RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition"])
    def replace_does_nothing(statement: InterceptedStatement) -> Answer:
        '''REPLACE PARTITION answers and does nothing.'''
        if "REPLACE PARTITION" not in statement.sql:
            return statement.execute()
        return statement.acknowledge()

It is called for every statement, and either executes it or changes something: another answer, another
statement, a refusal, an additional statement. A mutant that never changed anything has proved nothing,
and neither has one that failed itself (see docs/sensitivity.md).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase

from clickhouse_driver.errors import ServerException

from helpers.base.errors import UsageError
from helpers.cluster.client.tampering import Answer, InterceptedStatement, Tamper
from pipelines.clickhouse.http import Refused

__all__ = ["REFUSALS", "Answer", "InterceptedStatement", "Mutant", "mutant", "split_name"]

# What a refused statement raises, over the native protocol and over HTTP.
REFUSALS = (ServerException, Refused)


# Between the name of a mutant and the assertion that is switched off under it.
WITHOUT = " without "


def split_name(name: str | None) -> tuple[str | None, str | None]:
    """The name of a mutant, and the place of the assertion that is switched off, if any."""
    mutant, _, place = (name or "").partition(WITHOUT)
    return mutant or None, place or None


@dataclass(frozen=True)
class Mutant:
    """A named change and the requirements that it violates."""

    name: str
    about: str
    violates: tuple[str, ...]
    tamper: Tamper
    tolerated: Mapping[str, str] = field(default_factory=dict)
    on: str = "*"

    def targets(self, scenario: str, requirements: Sequence[str]) -> bool:
        """Whether it is tried on a scenario that verifies these requirements."""
        return fnmatchcase(scenario, self.on) and self.violates_any(requirements)

    def violates_any(self, requirements: Sequence[str]) -> bool:
        return any(fnmatchcase(name, pattern) for name in requirements for pattern in self.violates)


def mutant(
    *, violates: Sequence[str], tolerated: Mapping[str, str] | None = None, on: str = "*"
) -> Callable[[Tamper], Mutant]:
    """Make a mutant of a function. `tolerated` says why a requirement's scenarios cannot notice it;
    `on` is a pattern for the names of scenarios where only some of them send what it changes."""

    def make(tamper: Tamper) -> Mutant:
        name = tamper.__name__.replace("_", "-")
        about = (tamper.__doc__ or "").strip().splitlines()
        if not about or not violates:
            raise UsageError(f"The mutant {name} needs a docstring and a requirement it violates.")
        return Mutant(name, about[0], tuple(violates), tamper, dict(tolerated or {}), on)

    return make
