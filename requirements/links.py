"""Which scenario verifies which requirement, read from the scenarios' source without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

# Without an argument, an outline or sketch is a function that tests call and no test itself.
NO_SCENARIOS = frozenset({"mutants", "reproductions"})
SCENARIOS = frozenset({"TestScenario", "TestCase", "TestCheck"})
TEMPLATES = frozenset({"TestOutline", "TestSketch"})


class SourceLink(NamedTuple):
    """One requirement in a scenario's `@Requirements`; `version` is None if it was not given."""

    python_name: str
    version: str | None
    file: str
    line: int
    column: int
    scenario: str


class SourceScenario(NamedTuple):
    """One test function: its name in the run, where it stands, and whether the run loads it."""

    name: str
    function: str
    file: str
    line: int
    column: int
    loaded: bool
    links: tuple[SourceLink, ...]


class Problem(NamedTuple):
    """A file or a link that cannot be read."""

    file: str
    line: int
    column: int
    message: str


class Links(NamedTuple):
    """All scenarios of a project and what could not be read of them."""

    scenarios: tuple[SourceScenario, ...]
    problems: tuple[Problem, ...]
    topics: tuple[str, ...]

    @property
    def links(self) -> tuple[SourceLink, ...]:
        """The links of all scenarios that a run loads."""
        return tuple(link for each in self.scenarios if each.loaded for link in each.links)


def read_links(root: Path) -> Links:
    """Reads every Python file under `scenarios/`; those that `is_topic` names are loaded."""
    scenarios: list[SourceScenario] = []
    problems: list[Problem] = []
    topics: list[str] = []
    for path in sorted((root / "scenarios").rglob("*.py")):
        file = path.relative_to(root).as_posix()
        try:
            tree = parsed(path)
        except (SyntaxError, ValueError, OSError) as error:
            line, column = getattr(error, "lineno", 1) or 1, getattr(error, "offset", 1) or 1
            problems.append(Problem(file, line, column, f"cannot be read: {error}"))
            continue
        if is_topic(path.relative_to(root / "scenarios")):
            topics.append(file)
        reader = _Reader(path.relative_to(root), file)
        reader.visit(tree)
        scenarios += reader.scenarios
        problems += reader.problems
    return Links(tuple(scenarios), tuple(problems), tuple(topics))


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a Python file, cached as long as the file does not change."""
    return _parsed(path, path.stat().st_mtime_ns)


def readable_sources(root: Path) -> Iterator[tuple[str, ast.Module, list[str]]]:
    """Each Python file of scenarios and steps that can be read: its path, syntax tree and lines.

    One that cannot be read is reported as an unreadable scenario.
    """
    for folder in ("scenarios", "steps"):
        for path in sorted((root / folder).rglob("*.py")):
            if NO_SCENARIOS & set(path.relative_to(root).parts):
                continue
            try:
                tree = parsed(path)
            except (SyntaxError, ValueError, OSError):
                continue
            lines = path.read_text(encoding="utf-8").split("\n")
            yield path.relative_to(root).as_posix(), tree, lines


@cache
def _parsed(path: Path, changed: int) -> ast.Module:
    return ast.parse(path.read_bytes(), filename=path.name)


def is_topic(path: Path) -> bool:
    """Whether a run loads a file of scenarios/: `<feature>/<topic>.py`, with or without a room between."""
    private = any(part.startswith("_") or part in NO_SCENARIOS for part in path.parts)
    return 2 <= len(path.parts) <= 3 and not private


def as_words(name: str) -> str:
    """A folder's, module's or function's name as TestFlows shows it: blanks for underscores."""
    return name.replace("_", " ")


class _Reader(ast.NodeVisitor):
    """Collects the test functions of one file."""

    def __init__(self, path: Path, file: str) -> None:
        self._loaded = is_topic(Path(*path.parts[1:]))
        self._prefix = "/".join(as_words(part) for part in path.with_suffix("").parts[1:])
        self._file = file
        self.scenarios: list[SourceScenario] = []
        self.problems: list[Problem] = []

    def generic_visit(self, node: ast.AST) -> None:
        """Descends into statements alone: no test is defined in an expression."""
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.stmt):
                self.visit(child)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """Reads the decorators; functions within functions are no tests."""
        if not any(_makes_scenario(decorator) for decorator in node.decorator_list):
            return
        name = f"/{self._prefix}/{_stated_name(node) or as_words(node.name)}"
        links = tuple(self._links(node, name))
        self.scenarios.append(
            SourceScenario(
                name, node.name, self._file, node.lineno, node.col_offset + 1, self._loaded, links
            )
        )

    def _links(self, node: ast.FunctionDef, scenario: str) -> list[SourceLink]:
        links = []
        for call in node.decorator_list:
            if not isinstance(call, ast.Call) or _identifier(call.func) != "Requirements":
                continue
            for argument in call.args:
                name, versions = _requirement(argument)
                line, column = argument.lineno, argument.col_offset + 1
                if not name:
                    message = 'not a requirement with its version, like RQ_SRS_032_X("1.0")'
                    self.problems.append(Problem(self._file, line, column, message))
                for version in versions if name else ():
                    links.append(SourceLink(name, version, self._file, line, column, scenario))
        return links


def _makes_scenario(decorator: ast.expr) -> bool:
    if isinstance(decorator, ast.Call):
        name, arguments = _identifier(decorator.func), decorator.args
        return name in SCENARIOS or (name in TEMPLATES and bool(arguments))
    return _identifier(decorator) in SCENARIOS


def _stated_name(node: ast.FunctionDef) -> str:
    for decorator in node.decorator_list:
        if (
            isinstance(decorator, ast.Call)
            and _identifier(decorator.func) == "Name"
            and decorator.args
            and isinstance(decorator.args[0], ast.Constant)
        ):
            return str(decorator.args[0].value)
    return ""


def _requirement(node: ast.expr) -> tuple[str, tuple[str | None, ...]]:
    """The Python name and the versions of one argument of `@Requirements`."""
    if not isinstance(node, ast.Call):
        return _identifier(node), (None,)
    versions = tuple(
        argument.value
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
        else None
        for argument in node.args
    )
    return _identifier(node.func), versions or (None,)


def _identifier(node: ast.expr) -> str:
    if isinstance(node, ast.Name):
        return node.id
    return node.attr if isinstance(node, ast.Attribute) else ""
