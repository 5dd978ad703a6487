"""The changes since a base run, as a report shows them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from helpers.results import Change


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
