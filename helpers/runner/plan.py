"""The plan of a run as a tree, for a person to read before anything happens."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from helpers.runner.discover import Scenario


def tree(scenarios: Sequence[Scenario]) -> str:
    """Feature, topic, scenario; below each scenario what it verifies and what it needs."""
    lines: list[str] = []
    for feature, of_feature in itertools.groupby(scenarios, key=lambda one: one.feature):
        lines.append(f"/{feature}")
        for topic, of_topic in itertools.groupby(of_feature, key=lambda one: one.topic):
            lines.append(f"├── {topic}")
            for scenario in of_topic:
                lines.append(f"│   ├── {scenario.title}  ({scenario.file}:{scenario.line})")
                lines += [f"│   │     {told}" for told in _told(scenario)]
    return "\n".join(lines)


def _told(scenario: Scenario) -> list[str]:
    marks = scenario.marks
    lines = [f"{link.name} {link.version}" for link in scenario.links]
    lines += [f"needs {capability.value}" for capability in marks.needs]
    lines += [f"deviates ({one.when or 'always'}): {one.reason}" for one in marks.deviations]
    return lines
