"""The results of a run: one type from the worker that executes a scenario to the report that shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, NamedTuple

SCHEMA = 1
"""The version of the format of results.json."""


class Result(StrEnum):
    """How a scenario can end, in the order reports count them.

    FIXED: it passes on a server that is newer than the recorded ones, which deviated.
    """

    OK = "OK"
    FAIL = "Fail"
    ERROR = "Error"
    FLAKY = "Flaky"
    XFAIL = "XFail"
    XPASS = "XPass"
    FIXED = "Fixed?"
    SKIP = "Skip"
    NOT_RUN = "NotRun"


UNEXPECTED = frozenset({Result.FAIL, Result.ERROR, Result.FLAKY, Result.XPASS})
"""What fails a run."""

ELSEWHERE = frozenset(
    {"mutant", "changes", "broken", "generated", "reached", "ended", "details", "expected"}
)
"""What a worker sends that is not in the entry of results.json: mutants have sections of their own, and
the details of a failure are in its folder."""

AS_EXPECTED = frozenset({Result.OK, Result.XFAIL, Result.FIXED})
"""What a scenario can end with that ran to its end and found no failure."""


class State(StrEnum):
    """The state of a requirement in one run, worst first: of several that apply the first wins.

    A failure beats everything. A link that names another version or an unread text proves
    nothing about the requirement as it stands, so it beats any passing result. A known
    deviation is knowledge, so it beats what is merely missing. Only a requirement whose
    scenarios all ran and all passed is verified.
    """

    FAILING = "failing"
    OUTDATED = "outdated"
    SUSPECT = "suspect"
    DEVIATES = "deviates"
    NOT_RUN = "not run"
    BLOCKED = "blocked"
    VERIFIED = "verified"
    UNTESTED = "untested"
    PLANNED = "planned"


class Subject(StrEnum):
    """What a scenario tested: the server, or this project's exporter in place of a statement it lacks."""

    CLICKHOUSE = "ClickHouse"
    EXPORTER = "exporter"


class Broke(StrEnum):
    """What ended a scenario where no check of it did."""

    ENVIRONMENT = "environment"
    TIME_LIMIT = "time limit"


class Link(NamedTuple):
    """A requirement that a scenario verifies, in the version the scenario was written for."""

    name: str
    version: str


def label(scenario: str, mutant: str | None) -> str:
    """A scenario, and the mutant it ran under, if any."""
    return f"{scenario} @ {mutant}" if mutant else scenario


@dataclass(frozen=True)
class ScenarioResult:
    """One scenario of one run. The fields up to `attempts` are the keys in results.json.

    `message` says in a few lines what failed, `details` has every compared value and the traceback,
    `expected` the value that was expected, if there is one.
    `attempts` are the results of several attempts in their order; it is empty where there was one.
    `changes` is how often the mutant changed something; it is None where the worker did not live to
    report it. `broken` is the mutant's own failure, `generated` the mutants made from what the
    scenario did, where they were asked for. Where `subject` is not ClickHouse, `instead` says why.
    `broke` is set where something else than a check ended it, `triage` says whose fault a failure is.
    `code` has a digest of what the scenario uses in each module of scenarios and steps.
    `checks` are the names of its checks, `obligations` which obligation which step checks, or why none.
    `reached` are the assertions that it reached as it is, `ended` those at which it ended
    (helpers/sensitivity/assertions.py).
    """

    name: str
    result: Result = Result.NOT_RUN
    reason: str | None = None
    seconds: float = 0.0
    file: str = ""
    line: int = 0
    requirements: tuple[Link, ...] = ()
    step: str | None = None
    message: str | None = None
    expected: str | None = None
    details: str | None = None
    deviation: Mapping[str, Any] | None = None
    needs: tuple[str, ...] = ()
    rerun: str | None = None
    folder: str | None = None
    data: str | None = None
    statements: tuple[str, ...] = ()
    subject: Subject = Subject.CLICKHOUSE
    instead: str | None = None
    broke: Broke | None = None
    triage: str | None = None
    code: Mapping[str, str] = field(default_factory=dict)
    checks: tuple[str, ...] = ()
    obligations: tuple[Mapping[str, str], ...] = ()
    attempts: tuple[str, ...] = ()
    mutant: str | None = None
    changes: int | None = None
    broken: str | None = None
    generated: tuple[Mapping[str, Any], ...] = ()
    reached: tuple[Mapping[str, Any], ...] = ()
    ended: tuple[str, ...] = ()

    @property
    def label(self) -> str:
        """The name that is shown."""
        return label(self.name, self.mutant)

    @property
    def unexpected(self) -> bool:
        return self.result in UNEXPECTED

    @property
    def as_expected(self) -> bool:
        return self.result in AS_EXPECTED

    def as_json(self) -> dict[str, Any]:
        """The entry in results.json."""
        entry = {key: value for key, value in vars(self).items() if key not in ELSEWHERE}
        return {**entry, "requirements": [link._asdict() for link in self.requirements]}

    @classmethod
    def from_event(cls, fields: Mapping[str, Any]) -> ScenarioResult:
        """What a worker has sent: all fields, decoded from JSON."""
        return cls(
            **{
                **fields,
                "result": Result(fields["result"]),
                "subject": Subject(fields["subject"]),
                "broke": Broke(fields["broke"]) if fields["broke"] else None,
                "requirements": tuple(Link(*link) for link in fields["requirements"]),
                "needs": tuple(fields["needs"]),
                "statements": tuple(fields["statements"]),
                "attempts": tuple(fields["attempts"]),
                "checks": tuple(fields["checks"]),
                "obligations": tuple(fields["obligations"]),
                "generated": tuple(fields["generated"]),
                "reached": tuple(fields["reached"]),
                "ended": tuple(fields["ended"]),
            }
        )


@dataclass(frozen=True)
class RequirementState:
    """One requirement in one run, for one subject; the fields are the keys in results.json."""

    name: str
    version: str
    specification: str
    file: str
    line: int
    state: State
    reason: str | None
    scenarios: tuple[str, ...] = ()
    title: str = ""
    section: tuple[str, ...] = ()
    text: str = ""
    hash: str = ""
    subject: Subject = Subject.CLICKHOUSE


@dataclass(frozen=True)
class Change:
    """A requirement, a scenario or a mutant that is not what it was in another run."""

    kind: str
    name: str
    before: str
    after: str
    where: str = ""
    """The runs it is about; empty if it is about all of them."""

    @property
    def what(self) -> str:
        return f"{self.before} → {self.after}" + (f" on {self.where}" if self.where else "")
