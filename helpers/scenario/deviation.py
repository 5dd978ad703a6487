"""A known deviation: what is observed instead of the requirement, whose fault that is, and how bad it is."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, TypeVar

from helpers.base.errors import UsageError
from helpers.base.versions import RECORDED_UP_TO, is_newer_than_recorded, numbers
from helpers.cluster.capabilities import Capability
from helpers.scenario.violations import Observed

_COMPARISON = re.compile(r"\s*clickhouse\s*(>=|<=|==|!=|>|<)\s*(\d+(?:\.\d+)*)\s*")
_OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
}
LINK = re.compile(r"https://\S+\.\S+")
Choice = TypeVar("Choice", bound=StrEnum)


class DeviationKind(StrEnum):
    """Why the product differs from the requirement, in the order of reports."""

    BUG = "bug"
    """It contradicts ClickHouse's own documentation, or loses or changes data."""
    BY_DESIGN = "by design"
    """It is documented, or upstream has answered that it is meant."""
    REQUIREMENT = "requirement"
    """The requirement is too strict, outdated, or contradicts another one."""
    ENVIRONMENT = "environment"
    """An effect of the environment; other servers do what is required."""
    EXPORTER = "exporter"
    """The exporter of this project (pipelines/export) does it, and not ClickHouse."""


class Origin(StrEnum):
    """Who wrote the requirement."""

    SOURCE = "source"
    OURS = "ours"


class Severity(StrEnum):
    """What a user suffers, worst first."""

    DATA_LOST = "data lost"
    WRONG_ANSWER = "wrong answer"
    WRONG_REFUSAL = "wrong refusal or acceptance"
    MESSAGE = "message"


@dataclass(frozen=True)
class Deviation:
    """What the product does instead of what the requirement says: how it shows, why, and how bad it is."""

    reason: str
    step: str
    observed: Observed
    when: str | None = None
    upstream: str | None = None
    id: str | None = None
    where: Capability | None = None
    no_sql: str = ""
    kind: DeviationKind | None = None
    severity: Severity | None = None

    def applies_to(self, version: str) -> bool:
        """Whether this server deviates; `when` compares as many numbers as it gives.

        A server newer than all that were recorded is expected to deviate as the newest of these.
        """
        if self.when is None:
            return True
        if is_newer_than_recorded(version):
            version = RECORDED_UP_TO
        return all(_holds(comparison, version) for comparison in self.when.split(" and "))


def check_condition(when: str | None) -> None:
    """Raise for a condition that cannot be read, or that names a version nobody has recorded."""
    for comparison in when.split(" and ") if when is not None else ():
        _holds(comparison, "0.0")
        if is_newer_than_recorded(comparison):
            raise UsageError(
                f"@deviates(when={comparison!r}) names a version newer than {RECORDED_UP_TO}, the newest "
                "that deviations are recorded on: raise RECORDED_UP_TO in helpers/base/versions.py."
            )


def judged(
    kind: str | None, severity: str | None, upstream: str | None
) -> tuple[DeviationKind | None, Severity | None]:
    """The kind and severity that a mark names; raises where they are incomplete or contradict."""
    if (kind is None) != (severity is None):
        raise UsageError(
            "@deviates takes kind= and severity= together: whose fault it is and how bad it is."
        )
    if upstream is not None and not LINK.fullmatch(upstream):
        raise UsageError(
            f"@deviates(upstream={upstream!r}) is not a link that begins with https://."
        )
    chosen = _one_of(DeviationKind, "kind", kind)
    if chosen is DeviationKind.BY_DESIGN and not upstream:
        raise UsageError(
            "@deviates(kind='by design') needs upstream=: the link to the documentation or the answer "
            "that says so. Without one it is a bug, or the requirement is wrong."
        )
    return chosen, _one_of(Severity, "severity", severity)


def _one_of(choices: type[Choice], what: str, given: str | None) -> Choice | None:
    if given is None:
        return None
    try:
        return choices(given)
    except ValueError:
        known = ", ".join(map(repr, map(str, choices)))
        raise UsageError(f"@deviates({what}={given!r}) is unknown; there are {known}.") from None


def _holds(comparison: str, version: str) -> bool:
    parsed = _COMPARISON.fullmatch(comparison)
    if parsed is None:
        raise UsageError(
            f"@deviates(when={comparison!r}) cannot be read; write it like 'clickhouse >= 26.6' "
            "and join several with ' and '."
        )
    wanted = numbers(parsed[2])
    actual = numbers(version)[: len(wanted)]
    return _OPERATORS[parsed[1]](actual, wanted)
