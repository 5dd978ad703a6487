"""The plan of a run as a tree, for a person to read before anything happens."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from helpers.scenario.scenario import Scenario


def tree(scenarios: Sequence[Scenario]) -> str:
    """Feature, topic, scenario; below each scenario what it verifies and what it needs."""
    lines: list[str] = []
    for feature, of_feature in itertools.groupby(scenarios, key=lambda scenario: scenario.feature):
        lines.append(f"/{feature}")
        for topic, of_topic in itertools.groupby(of_feature, key=lambda scenario: scenario.topic):
            lines.append(f"├── {topic}")
            for scenario in of_topic:
                lines.append(f"│   ├── {scenario.title}  ({scenario.file}:{scenario.line})")
                lines += [f"│   │     {detail}" for detail in _details(scenario)]
    return "\n".join(lines)


def _details(scenario: Scenario) -> list[str]:
    marks = scenario.marks
    lines = [f"{link.name} {link.version}" for link in scenario.links]
    lines += [f"needs {capability.value}" for capability in marks.needs]
    lines += [
        f"deviates ({deviation.when or 'always'}): {deviation.reason}"
        for deviation in marks.deviations
    ]
    return lines
