"""The rule about obligations: what a step says it checks is asked for by a requirement of its scenario."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from requirements.checker.registry import Finding, Project, project_rule
from requirements.links import parsed
from requirements.obligations import matching, obligations_of

MARKS = frozenset({"covers", "leaves_out"})


@project_rule("error", "copy a part of the item or table row that no other one has")
def unknown_obligation(project: Project) -> Iterator[Finding]:
    """A step covers, or a scenario leaves out, what no requirement of its file asks for, or several do."""
    texts = {
        requirement.python_name: obligations_of(requirement.text)
        for document in project.documents
        for requirement in document.specification.requirements
    }
    linked: defaultdict[str, set[str]] = defaultdict(set)
    for link in project.links.links:
        linked[link.file].add(link.python_name)
    for file, names in linked.items():
        source = (project.root / file).read_text(encoding="utf-8")
        if not any(f"{mark}(" in source for mark in MARKS):
            continue
        known = list({each for name in names for each in texts.get(name, [])})
        for said, line, column in _said(parsed(project.root / file)):
            found = len(matching(said, known))
            if found != 1:
                message = (
                    f"{said!r} is in {found or 'no'} obligation{'s' * (found > 1)} of this file"
                )
                yield Finding(file, line, column, message, len(said) + 2)


def _said(tree: ast.Module) -> Iterator[tuple[str, int, int]]:
    """The texts given to `covers` and `leaves_out`, with line and column; computed ones are not judged."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in MARKS:
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value, argument.lineno, argument.col_offset + 1
