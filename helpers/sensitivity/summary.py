"""What the mutants of all runs together prove: the figures and findings that reports show."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from helpers.sensitivity.mutant_ends import (
    ENDS,
    IMMUNE,
    KILLED,
    NOT_APPLICABLE,
    SURVIVED,
    VERDICTS,
    Sensitivity,
    Verdict,
    ends,
    tally,
)

BLIND, IDLE = "blind", "idle"
NEVER_CHANGED = "this mutant never changed anything, so it proved nothing"

HEAD = ("mutants killed", "survived")
"""The columns of mutants in a table of specifications or runs."""

NOT_THOROUGH = "one killed mutant a requirement was enough (--fast)"


@dataclass(frozen=True)
class SensitivityFinding:
    """Something that was not proven, and why; a bad one fails the check."""

    word: str
    name: str
    reason: str
    bad: bool


@dataclass(frozen=True)
class Summary:
    """Over all runs with mutants: the end of each mutant, and the score."""

    mutants: Mapping[str, int]
    requirements: Mapping[str, int]
    verified: int
    proven: int
    findings: tuple[SensitivityFinding, ...]
    thorough: bool

    def __str__(self) -> str:
        others = [f"{count} {end}" for end, count in self.mutants.items() if end != KILLED]
        parts = [
            ", ".join([f"{killed_of(self.mutants)} mutants killed", *others]),
            f"{self.proven} of {self.verified} verified requirements are proven sensitive",
        ]
        return "; ".join(parts if self.thorough else [*parts, NOT_THOROUGH])


def summarize(
    runs: Iterable[Sensitivity | None], verdicts: Mapping[str, Verdict], verified: Iterable[str]
) -> Summary | None:
    """The score, from one verdict for each requirement over all runs; None if no run had mutants."""
    with_mutants = [run for run in runs if run]
    if not with_mutants:
        return None
    verified = set(verified)
    return Summary(
        mutants=mutant_counts(verdict for run in with_mutants for verdict in run.requirements),
        requirements=tally((verdict.verdict for verdict in verdicts.values()), VERDICTS),
        verified=len(verified),
        proven=sum(
            verdict.verdict == KILLED for verdict in verdicts.values() if verdict.name in verified
        ),
        findings=tuple(findings(with_mutants, verdicts.values())),
        thorough=all(run.thorough for run in with_mutants),
    )


def mutant_counts(verdicts: Iterable[Verdict | None]) -> dict[str, int]:
    """What became of the mutants of these requirements."""
    return tally(ends(verdict for verdict in verdicts if verdict).values(), ENDS)


def killed_of(counts: Mapping[str, int]) -> str:
    """How many mutants were killed of those that changed something."""
    effective = sum(count for end, count in counts.items() if end != NOT_APPLICABLE)
    return f"{counts.get(KILLED, 0)} of {effective}"


def cells(counts: Mapping[str, int]) -> list[str]:
    """What stands under HEAD; nothing where no mutant was tried."""
    return [killed_of(counts), str(counts.get(SURVIVED, 0))] if counts else ["", ""]


def findings(
    runs: Sequence[Sensitivity], verdicts: Iterable[Verdict]
) -> Iterable[SensitivityFinding]:
    """What was not proven, the worst first: requirements, scenarios, mutants; then what need not be."""
    order = list(VERDICTS)
    worst_first = sorted(verdicts, key=lambda verdict: order.index(verdict.verdict))
    for verdict in worst_first:
        if verdict.bad:
            yield SensitivityFinding(verdict.verdict, verdict.name, verdict.reason, True)
    blind = {name: reason for run in runs for name, reason in run.blind.items()}
    yield from (SensitivityFinding(BLIND, name, reason, True) for name, reason in blind.items())
    for name in dict.fromkeys(name for run in runs for name in run.idle):
        yield SensitivityFinding(IDLE, name, NEVER_CHANGED, True)
    for verdict in worst_first:
        if not verdict.bad and verdict.verdict in (IMMUNE, NOT_APPLICABLE):
            yield SensitivityFinding(verdict.verdict, verdict.name, verdict.reason, False)
