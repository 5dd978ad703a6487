"""What a check found to be wrong, cell by cell, so that a known deviation can be compared exactly.

    with Then("every damaged part is refused"):
        assert_no_violations({"count.txt removed": "accepted", …})

A scenario collects everything that is wrong in one mapping and asserts once. `@deviates(observed=…)` names
the mapping that is known for an engine: a cell more, a cell less or another observation fails the run.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

Observed = Mapping[str, "str | re.Pattern[str]"]
MOST_SHOWN = 40


class Violations(AssertionError):
    """A requirement is violated in these cells."""

    def __init__(self, cells: Mapping[str, str]) -> None:
        self.cells = dict(cells)
        super().__init__(describe(self.cells))

    @property
    def headline(self) -> str:
        """The first violated cell, and how many there are."""
        cell, observation = min(self.cells.items())
        number = f"{len(self.cells)} violations, the first: " if len(self.cells) > 1 else ""
        return f"{number}{cell}: {observation}"


def assert_no_violations(violations: Mapping[str, object]) -> None:
    """Raise with everything that is wrong, by cell; an empty mapping passes."""
    if violations:
        raise Violations({cell: str(observation) for cell, observation in violations.items()})


def describe(cells: Mapping[str, str]) -> str:
    """The violated cells, one a line, below their number."""
    lines = [f"{cell}: {observation}" for cell, observation in sorted(cells.items())]
    if len(lines) == 1:
        return lines[0]
    more = [f"… and {len(lines) - MOST_SHOWN} more"] if len(lines) > MOST_SHOWN else []
    return "\n  ".join([f"{len(lines)} violations", *lines[:MOST_SHOWN], *more])


def difference(expected: Observed, actual: Mapping[str, str]) -> str:
    """How what was observed differs from what is recorded; '' if it does not."""
    unknown = {cell: text for cell, text in actual.items() if cell not in expected}
    missing = [cell for cell in expected if cell not in actual]
    changed = {
        cell: text
        for cell, text in actual.items()
        if cell in expected and not _matches(expected[cell], text)
    }
    differences = [f"not recorded: {cell}: {text}" for cell, text in unknown.items()]
    differences += [f"recorded, but not observed: {cell}" for cell in missing]
    differences += [
        f"{cell}: recorded {_shown(expected[cell])!r}, observed {text!r}"
        for cell, text in changed.items()
    ]
    return "; ".join(differences)


def _matches(expected: str | re.Pattern[str], text: str) -> bool:
    if isinstance(expected, str):
        return expected == text
    return expected.fullmatch(text) is not None


def _shown(expected: str | re.Pattern[str]) -> str:
    return expected if isinstance(expected, str) else expected.pattern


def differing(name: str, checked: Mapping[str, tuple[object, object]]) -> dict[str, object]:
    """What is not as expected, by cell; each cell has what is there and what is expected."""
    return {
        f"{name}, {cell}": actual
        for cell, (actual, expected) in checked.items()
        if actual != expected
    }
