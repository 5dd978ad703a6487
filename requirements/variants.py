"""Tables of variants: how many rows each has, and how many its comment `# 12 variants` says.

A scenario that loops over a table proves less when the table loses a row, and no check fails. So the number
stands beside the table, and losing a row without touching the number is an error.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from requirements.links import readable_sources

COMMENT = re.compile(r"#\s*(\d+) variants$")
# Functions whose result runs through what they are given.
THROUGH = frozenset({"enumerate", "zip", "product", "sorted", "reversed", "tuple", "list", "set"})
VIEWS = frozenset({"items", "keys", "values"})
Name = tuple[str, str]
"""A table: its file and its name there."""


class VariantTable(NamedTuple):
    """A table of literals that something loops over; `stated` is None without a comment."""

    file: str
    name: str
    first: int
    last: int
    size: int
    stated: int | None


def read_tables(root: Path) -> list[VariantTable]:
    """The tables of scenarios and steps that a loop there runs through."""
    written: dict[Name, VariantTable] = {}
    looped: set[Name] = set()
    for file, tree, lines in readable_sources(root):
        written |= {(file, table.name): table for table in _tables(tree, file, lines)}
        looped |= set(_looped(tree, file))
    return [table for name, table in sorted(written.items()) if name in looped]


def _tables(tree: ast.Module, file: str, lines: list[str]) -> Iterator[VariantTable]:
    """The module's collections of two or more rows, and its enumerations."""
    for node in tree.body:
        last = node.end_lineno or node.lineno
        if isinstance(node, ast.ClassDef) and any("Enum" in ast.unparse(b) for b in node.bases):
            name, last = node.name, node.lineno
            size = sum(isinstance(statement, ast.Assign) for statement in node.body)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
            name, size = ast.unparse(target), _rows(node.value)
        else:
            continue
        if size > 1:
            found = COMMENT.search(lines[node.lineno - 1]) or COMMENT.search(lines[last - 1])
            yield VariantTable(
                file, name, node.lineno, last, size, int(found[1]) if found else None
            )


def _rows(value: ast.expr | None) -> int:
    """How many different rows a literal has; two equal ones are one variant."""
    if isinstance(value, ast.Dict):
        rows = [
            *(key for key in value.keys if key),
            *(row for key, row in zip(value.keys, value.values, strict=True) if not key),
        ]
    elif isinstance(value, ast.Tuple | ast.List | ast.Set):
        rows = value.elts
    else:
        return 0
    return len({ast.dump(row) for row in rows})


def _looped(tree: ast.Module, file: str) -> Iterator[Name]:
    """The tables that loops of a file run through: its own, and imported ones."""
    imported: dict[str, Name] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            module = node.module.replace(".", "/") + ".py"
            imported |= {each.asname or each.name: (module, each.name) for each in node.names}
    for node in ast.walk(tree):
        if isinstance(node, ast.For | ast.comprehension):
            for name in _through(node.iter):
                known, _, attribute = name.partition(".")
                module, original = imported.get(known, (file, known))
                if attribute:  # a table of an imported module
                    yield f"{module.removesuffix('.py')}/{original}.py", attribute
                else:
                    yield module, original


def _through(iterated: ast.expr) -> Iterator[str]:
    """The names of what a loop over this expression runs through, row for row."""
    match iterated:
        case ast.Name() | ast.Attribute(value=ast.Name()):
            yield ast.unparse(iterated)
        case ast.Starred(value=value) | ast.Subscript(value=value, slice=ast.Slice()):
            yield from _through(value)
        case ast.Tuple(elts=rows) | ast.List(elts=rows):
            for row in rows:
                yield from _through(row) if isinstance(row, ast.Starred) else ()
        case ast.Call(func=ast.Attribute(value=value, attr=attribute)) if attribute in VIEWS:
            yield from _through(value)
        case ast.Call(func=function, args=arguments):
            if ast.unparse(function).rpartition(".")[2] in THROUGH:
                for argument in arguments:
                    yield from _through(argument)
