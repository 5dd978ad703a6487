"""What is known of ClickHouse's deviations: all `@deviates` marks, each with an id of its own.

The id is made of the scenario's topic and title (`concurrent-replaces.each-client-with-its-own-source`),
or given by the mark. Marks of several scenarios that give the same id and the same reason are one deviation.
`scenarios/<feature>/reproductions/<id>.sql` reproduces it on a bare server
(helpers/deviations/reproduction.py).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from helpers.base.errors import UsageError
from helpers.base.paths import ROOT, SCENARIOS
from helpers.deviations.reproduction import Script, read_reproduction
from helpers.runner.discovery import load
from helpers.scenario.deviation import Deviation, DeviationKind, Origin, Severity
from helpers.scenario.scenario import Scenario
from requirements.compiler.compiled import read_compiled

REPRODUCTIONS = "reproductions"


@dataclass(frozen=True)
class KnownDeviation:
    """One deviation: the mark of a scenario, or marks of several that give one id."""

    id: str
    scenario: Scenario
    deviation: Deviation
    file: Path
    """Where its reproduction is, or would be."""
    origin: Origin = Origin.SOURCE
    """Ours if all its requirements are."""
    others: tuple[Scenario, ...] = ()
    """Further scenarios that it shows in; what they observe is in the deviation."""

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """All scenarios that it shows in."""
        return (self.scenario, *self.others)

    @property
    def requirements(self) -> list[str]:
        """The names of the requirements that ClickHouse deviates from."""
        names = (name for scenario in self.scenarios for name in scenario.requirements)
        return list(dict.fromkeys(names))

    @property
    def of_exporter(self) -> bool:
        """Whether it is the exporter that deviates, and not ClickHouse."""
        return self.deviation.kind is DeviationKind.EXPORTER or bool(
            self.scenario.marks.tests_instead
        )

    @property
    def order(self) -> tuple[int, int, str]:
        """What sorts the worst first; what is not judged is last."""
        kinds, severities = list(DeviationKind), list(Severity)
        kind, severity = self.deviation.kind, self.deviation.severity
        return (
            kinds.index(kind) if kind else len(kinds),
            severities.index(severity) if severity else len(severities),
            self.id,
        )

    @property
    def no_sql(self) -> str:
        """Why no script reproduces it; empty if one does or could."""
        return self.deviation.no_sql

    @property
    def rerun(self) -> str:
        """The command line that runs its scenarios."""
        names = " ".join(f'"{scenario.name}"' for scenario in self.scenarios)
        return f"./regression.py --only {names}"

    @cached_property
    def reproduction(self) -> Script | None:
        """The script that shows it, if there is one."""
        return read_reproduction(self.file) if self.file.exists() else None


def known_deviations(folder: Path = SCENARIOS) -> list[KnownDeviation]:
    """All deviations below a folder of scenarios, in the order of files and lines."""
    deviations: dict[str, KnownDeviation] = {}
    ours = {
        text.name
        for specification in read_compiled(ROOT)
        for text in specification.requirements
        if text.origin == Origin.OURS
    }
    for scenario in load(folder):
        for deviation in scenario.deviations:
            name = str(deviation.id)
            other = deviations.get(name)
            if other is not None:
                deviations[name] = _joined(other, scenario, deviation)
                continue
            file = folder / scenario.feature.replace(" ", "_") / REPRODUCTIONS / f"{name}.sql"
            deviations[name] = KnownDeviation(
                name,
                scenario,
                deviation,
                file,
                Origin.OURS if ours.issuperset(scenario.requirements) else Origin.SOURCE,
            )
    _refuse_strays(folder, {each.file for each in deviations.values() if not each.no_sql})
    return list(deviations.values())


def _joined(known: KnownDeviation, scenario: Scenario, deviation: Deviation) -> KnownDeviation:
    """A deviation that shows in one more scenario; raises where it is another one of the same id."""
    observed = {**known.deviation.observed, **deviation.observed}
    joined = replace(known.deviation, observed=observed, step=deviation.step)
    if joined != replace(deviation, observed=observed):
        raise UsageError(
            f"{scenario.file}:{scenario.line}: the deviation's id {known.id!r} is that of "
            f"{known.scenario.name!r} as well; give it one of its own: @deviates(id=…)."
        )
    return replace(known, deviation=joined, others=(*known.others, scenario))


def _refuse_strays(folder: Path, known: set[Path]) -> None:
    """Raise for a reproduction that belongs to no deviation: it would never run."""
    for file in sorted(folder.glob(f"*/{REPRODUCTIONS}/*")):
        if file not in known:
            raise UsageError(
                f"{file}: no deviation of this id has a script; rename or remove the file."
            )
