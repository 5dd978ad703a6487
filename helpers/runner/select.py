"""Choosing scenarios by pattern. A pattern that matches nothing is an error, never an empty run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fnmatch import fnmatchcase

from helpers.errors import UsageError, nearest
from helpers.runner.discover import Scenario


def select(
    scenarios: Sequence[Scenario],
    *,
    only: Sequence[str] = (),
    skip: Sequence[str] = (),
    requirements: Sequence[str] = (),
    known_requirements: Iterable[str] = (),
) -> list[Scenario]:
    """Those that some `only` pattern names and no `skip` pattern does."""
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


def matches(name: str, pattern: str) -> bool:
    """Whether a pattern names this scenario, or a folder above it; a trailing /* is optional."""
    pattern = pattern if pattern.startswith(("/", "*", "?", "[")) else f"/{pattern}"
    exact = pattern.removesuffix("/*").rstrip("/") or "*"
    return fnmatchcase(name, exact) or fnmatchcase(name, f"{exact}/*")


def _matching(
    scenarios: Sequence[Scenario], patterns: Sequence[str], option: str
) -> list[Scenario]:
    for pattern in patterns:
        if not any(matches(scenario.name, pattern) for scenario in scenarios):
            above = {name for one in scenarios for name in _prefixes(one.name)}
            raise UsageError(
                f"{option} {pattern!r} matches no scenario."
                + nearest(pattern, sorted(above))
                + " ./regression.py --list shows them all."
            )
    return [one for one in scenarios if any(matches(one.name, pattern) for pattern in patterns)]


def _prefixes(name: str) -> list[str]:
    parts = name.split("/")[1:]
    return ["/" + "/".join(parts[:count]) for count in range(1, len(parts) + 1)]


def _verifying(
    scenarios: Sequence[Scenario], patterns: Sequence[str], known: list[str]
) -> list[Scenario]:
    linked = {link.name for scenario in scenarios for link in scenario.links}
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
        if any(fnmatchcase(link.name, pattern) for link in scenario.links for pattern in patterns)
    ]
