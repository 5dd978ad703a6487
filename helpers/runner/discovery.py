"""Finding the scenarios: every module below scenarios/ is imported, every TestScenario in it counts.

A scenario's name is `/<feature>/[<room>/]<topic>/<scenario>`: folders, file and function with blanks
for underscores. What is wrong with a scenario file is said with file and line before anything runs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from testflows.core import Requirement, TestScenario

from helpers.base.errors import UsageError
from helpers.base.importing import import_file, shown
from helpers.base.paths import SCENARIOS
from helpers.scenario.marks import marks_of
from helpers.scenario.result import Link
from helpers.scenario.scenario import Scenario
from requirements.links import as_words, is_topic

# TestFlows rewrites other characters to look-alikes, so that a pattern somebody types would miss.
NAME = re.compile(r"[A-Za-z0-9 _-]+")


def load(folder: Path = SCENARIOS) -> list[Scenario]:
    """All scenarios below a folder, in the order of files and lines."""
    folder = folder.resolve()
    if not folder.is_dir():
        raise UsageError(f"There is no folder of scenarios at {folder}.")
    scenarios: dict[str, Scenario] = {}
    for file in sorted(file for file in folder.rglob("*.py") if is_topic(file.relative_to(folder))):
        with _links_of_other_versions():
            module = import_file(folder, file)
        for scenario in _scenarios_of(module, folder, file):
            other = scenarios.get(scenario.name)
            if other is not None:
                raise UsageError(
                    f"{scenario.file}:{scenario.line}: two scenarios are called {scenario.name!r}; "
                    f"the other one is {other.file}:{other.line}. Rename one."
                )
            scenarios[scenario.name] = scenario
    if not scenarios:
        raise UsageError(f"There are no scenarios below {folder} (looked for */*.py and */*/*.py).")
    return list(scenarios.values())


def _scenarios_of(module: ModuleType, folder: Path, file: Path) -> list[Scenario]:
    scenarios = [
        _described(test, folder, file)
        for test in vars(module).values()
        if isinstance(test, TestScenario) and test.func.__module__ == module.__name__
    ]
    return sorted(scenarios, key=lambda scenario: scenario.line)


def _described(test: Any, folder: Path, file: Path) -> Scenario:
    function = test.func
    feature, *topics = map(as_words, file.relative_to(folder).with_suffix("").parts)
    title = str(function.name)
    line = function.__code__.co_firstlineno
    for part in (feature, *topics, title):
        if not NAME.fullmatch(part):
            raise UsageError(
                f"{shown(file)}:{line}: the name {part!r} has characters other than letters, "
                "digits, blanks, '-' and '_'."
            )
    links = getattr(function, "requirements", None) or ()
    return Scenario(
        name="/" + "/".join((feature, *topics, title)),
        feature=feature,
        topic="/".join(topics),
        title=title,
        file=shown(file),
        line=line,
        links=tuple(Link(link.name, link.version) for link in links),
        marks=marks_of(function),
        test=test,
    )


@contextmanager
def _links_of_other_versions() -> Iterator[None]:
    """TestFlows refuses to load a link that names another version than the requirement has now. We
    load it as it is written: it shows as *outdated* in the matrix and as an error in the checker."""

    def link(self: Any, *versions: str) -> Any:
        version = self.version if self.version in versions else (versions or ("none",))[-1]
        fields = {name: getattr(self, name) for name in Requirement._fields}
        return Requirement(**{**fields, "version": version})

    original = Requirement.__call__
    Requirement.__call__ = link
    try:
        yield
    finally:
        Requirement.__call__ = original
