"""Choosing scenarios by pattern. A pattern that matches nothing is an error, never an empty run."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase, translate
from typing import TYPE_CHECKING

from helpers.base.errors import UsageError, nearest

if TYPE_CHECKING:  # --help answers before anything that a scenario needs is installed
    from helpers.scenario.scenario import Scenario


LEVEL = "\N{WHITE SQUARE}"  # stands for `:`; no name has it
ROOT = "/regression"  # how the top test of other suites is called


def select(
    scenarios: Sequence[Scenario],
    *,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    requirements: Sequence[str] = (),
    known_requirements: Iterable[str] = (),
) -> list[Scenario]:
    """The scenarios that an `only` pattern matches and no `skip` pattern does."""
    chosen = list(scenarios)
    if only:
        chosen = _matching(chosen, only, "--only")
    if requirements:
        chosen = _verifying(chosen, requirements, list(known_requirements))
    if skip:
        skipped = {scenario.name for scenario in _matching(scenarios, skip, "--skip")}
        chosen = [scenario for scenario in chosen if scenario.name not in skipped]
        if not chosen:
            raise UsageError("--skip leaves nothing to run.")
    return chosen


@dataclass(frozen=True)
class Shard:
    """One of several parts of equal size into which the chosen scenarios are divided."""

    number: int
    count: int

    def __str__(self) -> str:
        return f"{self.number}/{self.count}"

    @classmethod
    def parse(cls, text: str) -> Shard:
        number, _, count = text.partition("/")
        digits = number.isdecimal() and count.isdecimal() and text.isascii()
        if not digits or not 1 <= int(number) <= int(count) <= 1000:
            raise UsageError(f"--shard {text!r} is not like 1/4, the first of four parts.")
        return cls(int(number), int(count))

    def of(self, scenarios: Sequence[Scenario]) -> list[Scenario]:
        """Every n-th scenario, so that slow topics are spread over all parts."""
        part = list(scenarios[self.number - 1 :: self.count])
        if not part:
            raise UsageError(
                f"--shard {self.number}/{self.count}: there are only {len(scenarios)} scenarios."
            )
        return part


def matches(name: str, pattern: str) -> bool:
    """Whether a pattern names this scenario, or a folder above it; a trailing /* is optional."""
    return any(part.match(name) for part in _compiled(pattern))


@functools.cache
def _compiled(pattern: str) -> list[re.Pattern[str]]:
    """A pattern as TestFlows writes them, too: `:` is any name of one level, /regression/ may lead."""
    pattern = pattern if pattern.startswith(("/", "*", "?", "[")) else f"/{pattern}"
    if pattern == ROOT or pattern.startswith(f"{ROOT}/"):
        pattern = pattern.removeprefix(ROOT)
    exact = pattern.removesuffix("/*").rstrip("/") or "*"
    # What `translate` adds of its own holds `?s:`, so a colon is marked first.
    marked = [translate(part.replace(":", LEVEL)) for part in (exact, f"{exact}/*")]
    return [re.compile(part.replace(LEVEL, "[^/]*")) for part in marked]


def _matching(
    scenarios: Sequence[Scenario], patterns: Sequence[str], option: str
) -> list[Scenario]:
    for pattern in patterns:
        if not any(matches(scenario.name, pattern) for scenario in scenarios):
            raise UsageError(
                f"{option} {pattern!r} matches no scenario."
                + _meant(pattern, scenarios)
                + " ./regression.py --list shows them all."
            )
    return [
        scenario
        for scenario in scenarios
        if any(matches(scenario.name, pattern) for pattern in patterns)
    ]


def _meant(pattern: str, scenarios: Sequence[Scenario]) -> str:
    """A suggestion: the pattern as a part of names if some contain it, otherwise similar names."""
    word = pattern.strip("*/").lower()
    if any(fnmatchcase(scenario.name, f"*{word}*") for scenario in scenarios):
        return f" Did you mean '*{word}*'?"
    above = {name for scenario in scenarios for name in _prefixes(scenario.name)}
    return nearest(pattern, sorted(above))


def _prefixes(name: str) -> list[str]:
    parts = name.split("/")[1:]
    return ["/" + "/".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _verifying(
    scenarios: Sequence[Scenario], patterns: Sequence[str], known: list[str]
) -> list[Scenario]:
    linked = {name for scenario in scenarios for name in scenario.requirements}
    for pattern in patterns:
        if any(fnmatchcase(name, pattern) for name in linked):
            continue
        if any(fnmatchcase(name, pattern) for name in known):
            raise UsageError(
                f"--requirement {pattern!r} is known, but no scenario that could run verifies it."
            )
        raise UsageError(
            f"--requirement {pattern!r} matches no requirement."
            + nearest(pattern, [*linked, *known])
        )
    return [
        scenario
        for scenario in scenarios
        if any(fnmatchcase(name, pattern) for name in scenario.requirements for pattern in patterns)
    ]
