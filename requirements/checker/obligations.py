"""The rules about obligations: what a step says it checks is asked for, and what is asked for is checked or
left out with a reason."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from requirements.checker.registry import Finding, Project, project_rule
from requirements.links import parsed
from requirements.obligations import matching, obligations_of

MARKS = frozenset({"covers", "leaves_out"})


class Said(NamedTuple):
    """A text given to `covers` or `leaves_out`, and where."""

    text: str
    line: int
    column: int


@project_rule("error", "copy a part of the item or table row that no other one has")
def unknown_obligation(project: Project) -> Iterator[Finding]:
    """A step covers, or a scenario leaves out, what no requirement of its file asks for, or several do."""
    texts = _obligations(project)
    for file, names in _linked(project).items():
        known = list({each for name in names for each in texts.get(name, [])})
        for said, line, column in _said(project, file):
            found = len(matching(said, known))
            if found != 1:
                message = (
                    f"{said!r} is in {found or 'no'} obligation{'s' * (found > 1)} of this file"
                )
                yield Finding(file, line, column, message, len(said) + 2)


@project_rule("error", "write `covers` in the step that checks it, or @leaves_out with the reason")
def unchecked_obligation(project: Project) -> Iterator[Finding]:
    """An item or row of a requirement that has scenarios is neither covered nor left out by any of them."""
    files: defaultdict[str, set[str]] = defaultdict(set)
    for file, names in _linked(project).items():
        for name in names:
            files[name].add(file)
    said = {file: [each.text for each in _said(project, file)] for file in _linked(project)}
    for document in project.documents:
        for requirement in document.specification.requirements:
            asked = obligations_of(requirement.text)
            texts = [text for file in files[requirement.python_name] for text in said[file]]
            if not files[requirement.python_name] or len(asked) == 1:
                continue
            settled = {each for text in texts for each in matching(text, asked)}
            for each in asked:
                if each not in settled:
                    message = f"no step says that it checks {each!r} of {requirement.name}"
                    yield Finding(requirement.file, requirement.line, 1, message)


def _obligations(project: Project) -> dict[str, list[str]]:
    return {
        requirement.python_name: obligations_of(requirement.text)
        for document in project.documents
        for requirement in document.specification.requirements
    }


def _linked(project: Project) -> dict[str, set[str]]:
    """The requirements that each scenario file is linked to."""
    linked: defaultdict[str, set[str]] = defaultdict(set)
    for link in project.links.links:
        linked[link.file].add(link.python_name)
    return linked


def _said(project: Project, file: str) -> Iterator[Said]:
    """The texts given to `covers` and `leaves_out`, out of tables of the module too."""
    source = (project.root / file).read_text(encoding="utf-8")
    if not any(f"{mark}(" in source for mark in MARKS):
        return
    tree = parsed(project.root / file)
    tables = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS:
            for argument in node.args:
                yield from _texts(argument, tables)


def _texts(argument: ast.expr, tables: dict[str, ast.expr]) -> Iterator[Said]:
    """A text as it stands, or all those of the table that it is taken from."""
    if isinstance(argument, ast.Starred):
        argument = argument.value
    places = [argument]
    if isinstance(argument, ast.Subscript) and isinstance(argument.value, ast.Name):
        table = tables.get(argument.value.id)
        places = list(table.values) if isinstance(table, ast.Dict) else []
    for place in places:
        for node in ast.walk(place):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield Said(node.value, node.lineno, node.col_offset + 1)
