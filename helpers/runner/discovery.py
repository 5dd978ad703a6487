"""Finding the scenarios: every module below scenarios/ is imported, every TestScenario in it counts.

A scenario's name is `/<feature>/[<room>/]<topic>/<scenario>`: folders, file and function with blanks
for underscores. What is wrong with a scenario file is said with file and line before anything runs.

A `@TestOutline(Scenario)` with `@Examples` is a scenario for each row, named after the row's first value:
`…/<outline>/<row>`. A row that deviates is a scenario of its own instead, which calls the outline.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

from testflows.core import Requirement, TestOutline, TestScenario
from testflows.core import Scenario as TestFlowsScenario

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
    scenarios = []
    for test in vars(module).values():
        own = getattr(getattr(test, "func", None), "__module__", None) == module.__name__
        if own and isinstance(test, TestScenario):
            scenarios.append(_described(test, folder, file))
        elif own and isinstance(test, TestOutline) and test.type is TestFlowsScenario:
            scenarios += _examples(test, folder, file)
    return sorted(scenarios, key=lambda scenario: scenario.line)


def _examples(outline: Any, folder: Path, file: Path) -> Iterator[Scenario]:
    """A scenario for each row of an outline's examples."""
    line = outline.func.__code__.co_firstlineno
    if not outline.examples:
        raise UsageError(
            f"{shown(file)}:{line}: the outline {outline.func.name!r} has no examples."
        )
    if marks_of(outline.func).deviations:
        raise UsageError(
            f"{shown(file)}:{line}: @deviates holds for a row of {outline.func.name!r} only; make that row a "
            "scenario of its own that calls the outline."
        )
    for row in outline.examples:
        yield _described(
            _example(outline.func, row._asdict()), folder, file, outline.func, str(row[0])
        )


def _example(outline: Any, arguments: dict[str, Any]) -> Any:
    """The test that runs an outline with the values of a row."""

    def example(self: Any) -> Any:
        return outline(self, **arguments)

    for attribute in ("__module__", "name", "description", "requirements"):
        if hasattr(outline, attribute):
            setattr(example, attribute, getattr(outline, attribute))
    return TestScenario(example)


def _described(test: Any, folder: Path, file: Path, outline: Any = None, row: str = "") -> Scenario:
    """What is known of a test, or of a row of an outline."""
    function = outline or test.func
    feature, *topics = map(as_words, file.relative_to(folder).with_suffix("").parts)
    titles = [str(function.name), row] if outline else [str(function.name)]
    title = "/".join(titles)
    line = function.__code__.co_firstlineno
    for part in (feature, *topics, *titles):
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
