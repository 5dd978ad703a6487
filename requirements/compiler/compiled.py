"""Reads the compiled specifications: what a run and its reports need, without the Markdown parser."""

from __future__ import annotations

import runpy
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from testflows._core import objects

from requirements.compiler.specification import (
    RequirementText,
    Section,
    Specification,
    content_hash,
    python_name,
)

UNTESTED, PLANNED = "untested: ", "planned"


def read_compiled(root: Path) -> list[Specification]:
    """The specifications of a project, in the order of their files."""
    return [
        _specification(found, path.with_suffix(".md").relative_to(root).as_posix())
        for path in sorted((root / "requirements").glob("srs*.py"))
        for found in _globals(path).values()
        if isinstance(found, objects.Specification)
    ]


def _globals(path: Path) -> Mapping[str, Any]:
    """What a module defines; one that scenarios have imported is not executed again."""
    module = sys.modules.get(f"requirements.{path.stem}")
    if module is not None and module.__file__ == str(path):
        return vars(module)
    return runpy.run_path(str(path))


def _specification(compiled: Any, file: str) -> Specification:
    id, _, title = compiled.name.partition(" ")
    lines: dict[str, int] = {}
    for number, line in enumerate(compiled.content.split("\n"), start=1):
        lines.setdefault(line, number)
    paths = _paths(compiled.headings)
    return Specification(
        id=id,
        title=title,
        file=file,
        line=lines.get(f"# {compiled.name}", 1),
        state=compiled.status or "active",
        reason=compiled.description or "",
        sections=tuple(Section(*heading) for heading in compiled.headings),
        requirements=tuple(
            RequirementText(
                name=each.name,
                version=each.version,
                specification=id,
                heading_path=paths[each.num],
                level=each.level,
                number=each.num,
                file=file,
                line=lines.get(f"{'#' * each.level} {each.name}", 1),
                text=each.description,
                content_hash=content_hash(each.description),
                origin=each.group or "",
                untested_reason=(each.type or "").removeprefix(UNTESTED),
                python_name=python_name(each.name),
            )
            for each in compiled.requirements
        ),
    )


def _paths(headings: Any) -> dict[str, tuple[str, ...]]:
    """The titles above each heading, by its number; that of the document is not among them."""
    paths: dict[str, tuple[str, ...]] = {}
    above: list[tuple[int, str]] = []
    for title, level, number in headings:
        above = [(depth, name) for depth, name in above if depth < level]
        paths[number] = tuple(name for depth, name in above if depth > 1)
        above.append((level, title))
    return paths
