"""A scenario before it runs, and the job of running it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from helpers.scenario.deviation import Deviation
from helpers.scenario.marks import Marks
from helpers.scenario.result import Link, ScenarioResult, Subject, label

Key = tuple[str, str | None]
"""A scenario's name and the mutant it runs under, if any: what identifies a job in a run."""


@dataclass(frozen=True)
class Scenario:
    """What is known of a scenario before it runs."""

    name: str
    feature: str
    topic: str
    title: str
    file: str
    line: int
    links: tuple[Link, ...]
    marks: Marks
    test: Any

    @property
    def requirements(self) -> list[str]:
        """The names of the requirements that it verifies."""
        return [link.name for link in self.links]

    @property
    def deviations(self) -> list[Deviation]:
        """Its deviations, each with its id: the one of the mark, or one made of topic and title."""
        topic = self.marks.deviations_begin_with or self.topic.rpartition("/")[2]
        name = ".".join(part.replace(" ", "-") for part in (topic, self.title))
        return [
            replace(known, id=known.id or (name if number == 1 else f"{name}-{number}"))
            for number, known in enumerate(self.marks.deviations, start=1)
        ]


@dataclass(frozen=True)
class Job:
    """One execution of a scenario: as it is, or under a mutant, and with its own time limit if given.

    `attempt` counts the executions of the same job, which share its key.
    """

    scenario: Scenario
    mutant: str | None = None
    time_limit: float | None = None
    attempt: int = 1

    @property
    def key(self) -> Key:
        return self.scenario.name, self.mutant

    @property
    def seconds(self) -> float:
        """How long it may take."""
        return self.time_limit or self.scenario.marks.seconds

    @property
    def label(self) -> str:
        """The name that is shown."""
        return label(*self.key)

    def planned(self, rerun: str) -> ScenarioResult:
        """The result before anything ran: NotRun."""
        scenario = self.scenario
        instead = scenario.marks.tests_instead
        return ScenarioResult(
            name=scenario.name,
            file=scenario.file,
            line=scenario.line,
            requirements=scenario.links,
            needs=tuple(capability.value for capability in scenario.marks.needs),
            rerun=rerun,
            subject=Subject.EXPORTER if instead else Subject.CLICKHOUSE,
            instead=instead or None,
            obligations=tuple(
                {"obligation": obligation, "reason": reason}
                for obligation, reason in scenario.marks.left_out
            ),
            mutant=self.mutant,
        )
