"""The deviations that runs saw: whose fault each is, how bad it is, and since which version."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from helpers.base.escaping import counted
from helpers.base.versions import RECORDED_UP_TO
from helpers.report.columns import Column
from helpers.report.seen_versions import read_seen, seen_on
from helpers.scenario.deviation import DeviationKind, Severity
from helpers.scenario.result import Result

NOT_JUDGED = "not judged"
KINDS: Mapping[str, str] = {
    DeviationKind.BUG: "ClickHouse contradicts its own documentation, or loses or changes data",
    DeviationKind.BY_DESIGN: "ClickHouse documents it, or has answered that it is meant",
    DeviationKind.REQUIREMENT: "the requirement is too strict, outdated, or contradicts another one",
    DeviationKind.ENVIRONMENT: "an effect of this environment, not of ClickHouse",
    DeviationKind.EXPORTER: "the exporter of this project does it, not ClickHouse",
    NOT_JUDGED: "nobody has said yet whose fault it is",
}
"""Whose fault a deviation is, in the order of reports."""

SEVERITIES = (*Severity, "")


@dataclass(frozen=True)
class SeenDeviation:
    """A deviation that scenarios showed, in one column or several."""

    id: str
    scenarios: tuple[str, ...]
    kind: str
    severity: str
    reason: str
    versions: str
    upstream: str
    requirements: tuple[str, ...]
    columns: tuple[str, ...]

    @property
    def order(self) -> tuple[int, int, str]:
        """What sorts the worst first."""
        return list(KINDS).index(self.kind), SEVERITIES.index(self.severity), self.id


def seen_deviations(columns: Sequence[Column]) -> list[SeenDeviation]:
    """Each deviation once, the worst first."""
    seen: dict[str, SeenDeviation] = {}
    recorded = read_seen()
    for column in columns:
        for scenario in column.scenarios:
            if scenario.result != Result.XFAIL:
                continue
            mark = scenario.deviation or {}
            id = str(mark.get("id") or scenario.name)
            known = seen.get(id)
            names = tuple(name for name, _ in scenario.requirements)
            seen[id] = SeenDeviation(
                id=id,
                scenarios=_joined(known.scenarios if known else (), (scenario.name,)),
                kind=_one_of(mark.get("kind"), KINDS, NOT_JUDGED),
                severity=_one_of(mark.get("severity"), SEVERITIES, ""),
                reason=str(mark.get("reason") or scenario.reason or ""),
                versions=seen_on(id, recorded) or versions(mark.get("when")),
                upstream=str(mark.get("upstream") or ""),
                requirements=_joined(known.requirements if known else (), names),
                columns=_joined(known.columns if known else (), (column.label,)),
            )
    return sorted(seen.values(), key=lambda deviation: deviation.order)


def _joined(known: tuple[str, ...], more: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*known, *more)))


def versions(when: object) -> str:
    """The versions that a mark's `when` names, and up to which one anybody looked."""
    shown = str(when).replace("clickhouse ", "") if when else "all that were tried"
    return f"{shown}, recorded up to {RECORDED_UP_TO}"


def headline(deviations: Iterable[SeenDeviation]) -> str:
    """`23 bugs (9 lose data) · 46 by design · …`; empty where there are none."""
    found = list(deviations)
    kinds = Counter(deviation.kind for deviation in found)
    lost = sum(
        deviation.kind == DeviationKind.BUG and deviation.severity == Severity.DATA_LOST
        for deviation in found
    )
    shown = {
        DeviationKind.BUG: counted(kinds[DeviationKind.BUG], "bug")
        + (f" ({lost} lose{'s' if lost == 1 else ''} data)" if lost else ""),
        DeviationKind.BY_DESIGN: f"{kinds[DeviationKind.BY_DESIGN]} by design",
        DeviationKind.REQUIREMENT: f"{kinds[DeviationKind.REQUIREMENT]} by a wrong requirement",
        DeviationKind.ENVIRONMENT: f"{kinds[DeviationKind.ENVIRONMENT]} of the environment",
        DeviationKind.EXPORTER: f"{kinds[DeviationKind.EXPORTER]} of the exporter",
        NOT_JUDGED: f"{kinds[NOT_JUDGED]} not judged",
    }
    return " · ".join(text for kind, text in shown.items() if kinds[kind])


def data(deviations: Iterable[SeenDeviation]) -> dict[str, Any]:
    """For the page and for programs."""
    found = list(deviations)
    return {
        "headline": headline(found),
        "kinds": dict(KINDS),
        "severities": list(Severity),
        "seen": [asdict(deviation) for deviation in found],
    }


def _one_of(value: object, known: Iterable[str], default: str) -> str:
    """The value if it is known: results of another version of this program may have others."""
    return next((name for name in known if name == value), default)
