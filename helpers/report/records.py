"""The records of a report: how a scenario ended, what it says about a requirement, what changed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class ScenarioResult:
    """One scenario of one run, as results.json records it."""

    name: str
    result: str
    reason: str | None = None
    seconds: float = 0.0
    file: str = ""
    line: int = 0
    requirements: tuple[tuple[str, str], ...] = ()
    step: str | None = None
    message: str | None = None
    deviation: Mapping[str, str | None] | None = None
    rerun: str | None = None
    folder: str | None = None
    statements: tuple[str, ...] = ()


@dataclass(frozen=True)
class RequirementState:
    """One requirement in one run; the fields are the keys in results.json."""

    name: str
    version: str
    specification: str
    file: str
    line: int
    state: str
    reason: str | None
    scenarios: tuple[str, ...] = ()
    title: str = ""
    section: tuple[str, ...] = ()
    text: str = ""
    hash: str = ""


@dataclass(frozen=True)
class Change:
    """A requirement or a scenario that is not what it was."""

    kind: str
    name: str
    before: str
    after: str


@dataclass(frozen=True)
class Comparison:
    """The report against a base."""

    base: str
    added: tuple[str, ...]
    changed: tuple[str, ...]
    removed: tuple[str, ...]
    new: tuple[Change, ...] = ()
    fixed: tuple[Change, ...] = ()
    regressed: tuple[Change, ...] = ()

    def results(self) -> Iterable[tuple[str, tuple[Change, ...]]]:
        """The lists of results, worst first."""
        return (("regressed", self.regressed), ("fixed", self.fixed), ("new", self.new))

    def texts(self) -> Iterable[tuple[str, tuple[str, ...]]]:
        """The lists of requirements."""
        return (("added", self.added), ("changed", self.changed), ("removed", self.removed))
