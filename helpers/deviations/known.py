"""What is known of ClickHouse's deviations: all `@deviates` marks, each with an id of its own.

The id is made of the scenario's topic and title (`concurrent-replaces.each-client-with-its-own-source`),
or given by the mark. `scenarios/<feature>/reproductions/<id>.sql` reproduces it on a bare server
(helpers/deviations/reproduction.py).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from helpers.base.errors import UsageError
from helpers.base.paths import SCENARIOS
from helpers.deviations.reproduction import Script, read_reproduction
from helpers.runner.discovery import load
from helpers.scenario.deviation import Deviation
from helpers.scenario.scenario import Scenario

REPRODUCTIONS = "reproductions"


@dataclass(frozen=True)
class KnownDeviation:
    """One mark of one scenario."""

    id: str
    scenario: Scenario
    deviation: Deviation
    file: Path
    """Where its reproduction is, or would be."""

    @property
    def requirements(self) -> list[str]:
        """The names of the requirements that ClickHouse deviates from."""
        return self.scenario.requirements

    @property
    def no_sql(self) -> str:
        """Why no script reproduces it; empty if one does or could."""
        return self.deviation.no_sql

    @property
    def rerun(self) -> str:
        """The command line that runs its scenario."""
        return f'./regression.py --only "{self.scenario.name}"'

    @cached_property
    def reproduction(self) -> Script | None:
        """The script that shows it, if there is one."""
        return read_reproduction(self.file) if self.file.exists() else None


def known_deviations(folder: Path = SCENARIOS) -> list[KnownDeviation]:
    """All deviations below a folder of scenarios, in the order of files and lines."""
    deviations: dict[str, KnownDeviation] = {}
    for scenario in load(folder):
        for number, deviation in enumerate(scenario.marks.deviations, start=1):
            name = deviation.id or _default_id(scenario, number)
            other = deviations.get(name)
            if other is not None:
                raise UsageError(
                    f"{scenario.file}:{scenario.line}: the deviation's id {name!r} is that of "
                    f"{other.scenario.name!r} as well; give it one of its own: @deviates(id=…)."
                )
            file = folder / scenario.feature.replace(" ", "_") / REPRODUCTIONS / f"{name}.sql"
            deviations[name] = KnownDeviation(name, scenario, deviation, file)
    _refuse_strays(folder, {each.file for each in deviations.values() if not each.no_sql})
    return list(deviations.values())


def _default_id(scenario: Scenario, number: int) -> str:
    topic = scenario.marks.deviations_begin_with or scenario.topic.rpartition("/")[2]
    name = ".".join(part.replace(" ", "-") for part in (topic, scenario.title))
    return name if number == 1 else f"{name}-{number}"


def _refuse_strays(folder: Path, known: set[Path]) -> None:
    """Raise for a reproduction that belongs to no deviation: it would never run."""
    for file in sorted(folder.glob(f"*/{REPRODUCTIONS}/*")):
        if file not in known:
            raise UsageError(
                f"{file}: no deviation of this id has a script; rename or remove the file."
            )
