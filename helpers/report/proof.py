"""What the sabotage of all runs together proves: the figures and findings that reports show."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from helpers.report.sensitivity import (
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

HEAD = ("mutants killed", "survived")
"""The columns of mutants in a table of specifications or runs."""

NOT_THOROUGH = "one killed mutant a requirement was enough (--fast)"


@dataclass(frozen=True)
class Finding:
    """Something that was not proven, and why; a bad one fails the check."""

    word: str
    name: str
    reason: str
    bad: bool


@dataclass(frozen=True)
class Proof:
    """Over all runs with sabotage: what became of the mutants, and what that says."""

    mutants: Mapping[str, int]
    requirements: Mapping[str, int]
    verified: int
    proven: int
    findings: tuple[Finding, ...]
    thorough: bool

    def __str__(self) -> str:
        others = [f"{count} {end}" for end, count in self.mutants.items() if end != KILLED]
        told = [
            ", ".join([f"{score(self.mutants)} mutants killed", *others]),
            f"{self.proven} of {self.verified} verified requirements are proven sensitive",
        ]
        return "; ".join(told if self.thorough else [*told, NOT_THOROUGH])


def prove(
    runs: Iterable[Sensitivity | None], verdicts: Mapping[str, Verdict], verified: Iterable[str]
) -> Proof | None:
    """The proof, from one verdict for each requirement over all runs; None if nothing was sabotaged."""
    sabotaged = [run for run in runs if run]
    if not sabotaged:
        return None
    verified = set(verified)
    return Proof(
        mutants=mutant_counts(one for run in sabotaged for one in run.requirements),
        requirements=tally((one.verdict for one in verdicts.values()), VERDICTS),
        verified=len(verified),
        proven=sum(one.verdict == KILLED for one in verdicts.values() if one.name in verified),
        findings=tuple(_findings(sabotaged, verdicts.values())),
        thorough=all(run.thorough for run in sabotaged),
    )


def mutant_counts(verdicts: Iterable[Verdict | None]) -> dict[str, int]:
    """What became of the mutants of these requirements."""
    return tally(ends(one for one in verdicts if one).values(), ENDS)


def score(counts: Mapping[str, int]) -> str:
    """How many mutants were killed of those that lied."""
    lied = sum(count for end, count in counts.items() if end != NOT_APPLICABLE)
    return f"{counts.get(KILLED, 0)} of {lied}"


def cells(counts: Mapping[str, int]) -> list[str]:
    """What stands under HEAD; nothing where no mutant was let loose."""
    return [score(counts), str(counts.get(SURVIVED, 0))] if counts else ["", ""]


def _findings(runs: Sequence[Sensitivity], verdicts: Iterable[Verdict]) -> Iterable[Finding]:
    order = list(VERDICTS)
    told = sorted(verdicts, key=lambda one: order.index(one.verdict))
    yield from (Finding(one.verdict, one.name, one.reason, True) for one in told if one.bad)
    blind = {name: reason for run in runs for name, reason in run.blind.items()}
    yield from (Finding(BLIND, name, reason, True) for name, reason in blind.items())
    for name in dict.fromkeys(name for run in runs for name in run.idle):
        yield Finding(IDLE, name, "this mutant never lied, so it proved nothing", True)
    for one in told:
        if not one.bad and one.verdict in (IMMUNE, NOT_APPLICABLE):
            yield Finding(one.verdict, one.name, one.reason, False)
