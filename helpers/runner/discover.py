"""Finding the scenarios: every module below scenarios/ is imported, every TestScenario in it counts.

A scenario's name is `/<feature>/<topic>/<scenario>`: folder, file and function with blanks for
underscores. What is wrong with a scenario file is said with file and line before anything runs.
"""

from __future__ import annotations

import importlib
import re
import sys
import traceback
from dataclasses import dataclass, replace
from pathlib import Path
from types import ModuleType
from typing import Any

from testflows.core import Requirement, TestScenario

from helpers.errors import UsageError
from helpers.marks import Marks, marks_of
from helpers.paths import ROOT, SCENARIOS

# TestFlows rewrites other characters to look-alikes, so that a pattern somebody types would miss.
NAME = re.compile(r"[A-Za-z0-9 _-]+")
AT = " @ "


@dataclass(frozen=True)
class Link:
    """A requirement that a scenario verifies, in the version the scenario was written for."""

    name: str
    version: str


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
    mutant: str | None = None

    def under(self, mutant: str, seconds: float | None = None) -> Scenario:
        """This scenario while a mutant is at work, which has so long for it; names have no '@' of
        their own."""
        marks = replace(self.marks, seconds=seconds or self.marks.seconds)
        return replace(self, name=f"{self.name}{AT}{mutant}", mutant=mutant, marks=marks)


def load(folder: Path = SCENARIOS) -> list[Scenario]:
    """All scenarios below a folder, in the order of files and lines."""
    folder = folder.resolve()
    if not folder.is_dir():
        raise UsageError(f"There is no folder of scenarios at {folder}.")
    if str(folder.parent) not in sys.path:
        sys.path.insert(0, str(folder.parent))
    _let_links_name_other_versions()
    found: dict[str, Scenario] = {}
    for file in sorted(folder.glob("*/*.py")):
        if file.stem.startswith("_"):
            continue
        for scenario in _scenarios_of(_imported(folder, file), file):
            other = found.get(scenario.name)
            if other is not None:
                raise UsageError(
                    f"{scenario.file}:{scenario.line}: two scenarios are called {scenario.name!r}; "
                    f"the other one is {other.file}:{other.line}. Rename one."
                )
            found[scenario.name] = scenario
    if not found:
        raise UsageError(f"There are no scenarios below {folder} (looked for */*.py).")
    return list(found.values())


def _imported(folder: Path, file: Path) -> ModuleType:
    name = ".".join([folder.name, file.parent.name, file.stem])
    try:
        return importlib.import_module(name)
    except Exception as error:
        at = _place_of(error, folder) or f"{_shown(file)}:1"
        raise UsageError(
            f"{at}: this scenario file cannot be loaded: {type(error).__name__}: {error}"
        ) from error


def _place_of(error: Exception, folder: Path) -> str | None:
    """The innermost line of the project that an error came from."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{_shown(Path(error.filename))}:{error.lineno}"
    ours = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(folder)
    ]
    return f"{_shown(Path(ours[-1].filename))}:{ours[-1].lineno}" if ours else None


def _scenarios_of(module: ModuleType, file: Path) -> list[Scenario]:
    found = [
        _described(test, file)
        for test in vars(module).values()
        if isinstance(test, TestScenario) and test.func.__module__ == module.__name__
    ]
    return sorted(found, key=lambda scenario: scenario.line)


def _described(test: Any, file: Path) -> Scenario:
    function = test.func
    feature, topic = (name.replace("_", " ") for name in (file.parent.name, file.stem))
    title = str(function.name)
    line = function.__code__.co_firstlineno
    for part in (feature, topic, title):
        if not NAME.fullmatch(part):
            raise UsageError(
                f"{_shown(file)}:{line}: the name {part!r} has characters other than letters, "
                "digits, blanks, '-' and '_'."
            )
    links = getattr(function, "requirements", None) or ()
    return Scenario(
        name=f"/{feature}/{topic}/{title}",
        feature=feature,
        topic=topic,
        title=title,
        file=_shown(file),
        line=line,
        links=tuple(Link(one.name, one.version) for one in links),
        marks=marks_of(function),
        test=test,
    )


def _shown(file: Path) -> str:
    return str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else str(file)


def _let_links_name_other_versions() -> None:
    """TestFlows refuses to load a link that names another version than the requirement has now. We
    load it as it is written: it shows as *outdated* in the matrix and as an error in the checker."""

    def link(self: Any, *versions: str) -> Any:
        version = self.version if self.version in versions else (versions or ("none",))[-1]
        return Requirement(
            *[version if name == "version" else value for name, value in _fields(self)]
        )

    def _fields(requirement: Any) -> list[tuple[str, Any]]:
        return [(name, getattr(requirement, name)) for name in Requirement._fields]

    Requirement.__call__ = link
