"""Assertions that cannot fail, found in the source of scenarios and steps without running them.

| kind | what it finds |
|---|---|
| `same-value` | a value is compared with itself, a function of itself, or a selection of itself |
| `late-before` | the state before an action is read after it, so both sides are the state after it |
| `cut-variants` | a loop runs through a slice of a table of variants; `# part: reason` allows it |
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from requirements.comparisons import (
    DIFFERENT,
    EQUAL,
    called,
    compared,
    is_same,
    is_selection,
    is_sorted_twice,
)
from requirements.links import readable_sources
from requirements.variants import VariantTable

SAME_VALUE, LATE_BEFORE, CUT_VARIANTS = "same-value", "late-before", "cut-variants"
BEFORE = re.compile(r"(?:.*_)?before|before_.*|old|old_.*|(?:.*_)?was")
PART = re.compile(r"#\s*part: \S")
READING_METHODS = frozenset({"query", "value", "column"})
STEPS = frozenset({"Given", "When", "Then", "And", "But", "By"})


class BlindCheck(NamedTuple):
    """A place where a check proves nothing."""

    kind: str
    file: str
    line: int
    column: int
    message: str


class Leaf(NamedTuple):
    """A statement without a block of its own, the step it stands in, and the loops around it."""

    node: ast.stmt
    step: str
    loops: tuple[ast.AST, ...]


def read_blind_checks(root: Path, tables: Iterable[VariantTable]) -> list[BlindCheck]:
    """The blind checks of all scenarios and steps; `tables` are the tables of variants."""
    names = {table.name for table in tables}
    found: list[BlindCheck] = []
    for file, tree, lines in readable_sources(root):
        found += _in_file(tree, file, lines, names)
    return found


def _in_file(
    tree: ast.Module, file: str, lines: Sequence[str], tables: set[str]
) -> Iterator[BlindCheck]:
    readers = _readers(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield from _in_function(node, file, readers)
        elif isinstance(node, ast.For | ast.comprehension):
            cut = _cut_table(node.iter, tables)
            if cut and not PART.search(lines[node.iter.lineno - 1]):
                message = (
                    f"the loop runs through a part of {cut}, so the other variants are not checked"
                )
                yield _at(CUT_VARIANTS, file, node.iter, message)


def _in_function(function: ast.FunctionDef, file: str, readers: set[str]) -> Iterator[BlindCheck]:
    leaves = list(_leaves(function.body, "", ()))
    assigned: dict[str, int] = {}
    for index, leaf in enumerate(leaves):
        for left, right in _pairs(leaf.node):
            found = _why_blind(leaves, index, assigned, readers, left, right)
            if found:
                yield _at(found[0], file, left, found[1])
        for name in _targets(leaf.node):
            assigned[name] = index


def _why_blind(
    leaves: Sequence[Leaf],
    index: int,
    assigned: Mapping[str, int],
    readers: set[str],
    left: ast.expr,
    right: ast.expr,
) -> tuple[str, str] | None:
    """What is wrong with a comparison: the kind, and the message."""
    if is_same(left, right) or is_selection(left, right) or is_selection(right, left):
        return SAME_VALUE, "both sides of the comparison are the same value"
    for side, other in ((left, right), (right, left)):
        at, value = _assigned(leaves, assigned, side)
        other_at, other_value = _assigned(leaves, assigned, other)
        if at is None or value is None:
            continue
        name = ast.unparse(side)
        if is_selection(value, other) or is_sorted_twice(value, side, other):
            return SAME_VALUE, f"{name!r} is made of what it is compared with"
        if not _has_call(value) or _acts_between(leaves, at, index, readers):
            continue
        twice = other_value is not None and is_same(value, other_value)
        if twice and other_at is not None:
            twice = not _acts_between(leaves, other_at, index, readers)
        if twice or is_same(value, other):
            return LATE_BEFORE, f"nothing acts between reading {name!r} and reading it again"
        if BEFORE.fullmatch(name):
            return LATE_BEFORE, f"{name!r} is read after the last action"
    return None


def _assigned(
    leaves: Sequence[Leaf], assigned: Mapping[str, int], side: ast.expr
) -> tuple[int | None, ast.expr | None]:
    """Where a name got its value, and which."""
    at = assigned.get(side.id) if isinstance(side, ast.Name) else None
    if at is None or _names_several(leaves[at].node):
        return None, None
    return at, _value(leaves[at].node)


def _pairs(node: ast.stmt) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What a statement compares: an assertion wants it equal, a condition collects where it is not."""
    if isinstance(node, ast.Assert):
        yield from compared(node.test, EQUAL)
    elif isinstance(node, ast.If):
        yield from compared(node.test, DIFFERENT)


def _leaves(body: Sequence[ast.stmt], step: str, loops: tuple[ast.AST, ...]) -> Iterator[Leaf]:
    """The statements in their order; `And` belongs to the step before it."""
    last = step
    for node in body:
        if isinstance(node, ast.With):
            name = called(node.items[0].context_expr)
            if name in STEPS:
                last = last if name in ("And", "But") and last else name
                yield from _leaves(node.body, last, loops)
                continue
            header = ast.copy_location(ast.Expr(node.items[0].context_expr), node)
            yield Leaf(header, step, loops)
            yield from _leaves(node.body, step, loops)
        elif isinstance(node, ast.For | ast.While):
            yield from _leaves([*node.body, *node.orelse], step, (*loops, node))
        elif isinstance(node, ast.If):
            yield Leaf(node, step, loops)
            yield from _leaves([*node.body, *node.orelse], step, loops)
        elif isinstance(node, ast.Try):
            handlers = [statement for handler in node.handlers for statement in handler.body]
            yield from _leaves([*node.body, *handlers, *node.finalbody], step, loops)
        elif not isinstance(node, ast.FunctionDef | ast.ClassDef):
            yield Leaf(node, step, loops)


def _acts_between(leaves: Sequence[Leaf], first: int, last: int, readers: set[str]) -> bool:
    """Whether anything is done between two statements, or in a loop around the second one only."""
    outer = set(leaves[first].loops)
    repeated = [
        leaf for leaf in leaves[first + 1 :] if set(leaf.loops) & (set(leaves[last].loops) - outer)
    ]
    return any(_acts(leaf, readers) for leaf in [*leaves[first + 1 : last], *repeated])


def _acts(leaf: Leaf, readers: set[str]) -> bool:
    if isinstance(leaf.node, ast.Assert | ast.If):
        return bool(_calls(leaf.node.test) - readers)
    if not _has_call(leaf.node):
        return False
    value = _value(leaf.node)
    if value is None:
        return not (
            isinstance(leaf.node, ast.Expr) and called(leaf.node.value).startswith("assert_")
        )
    return bool(_calls(value) - readers)


def _readers(tree: ast.Module) -> set[str]:
    """What assertions call: these functions read. A function within a scenario may do anything."""
    asserts = (node for node in ast.walk(tree) if isinstance(node, ast.Assert))
    functions = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    local = {
        each.name
        for function in functions
        for each in ast.walk(function)
        if isinstance(each, ast.FunctionDef) and each is not function
    }
    return {name for node in asserts for name in _calls(node)} - local | READING_METHODS


def _cut_table(iterated: ast.expr, tables: set[str]) -> str | None:
    """The table of variants that a loop runs through a part of."""
    for node in ast.walk(iterated):
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            part: ast.expr = node.value
        elif isinstance(node, ast.Call) and called(node) in ("islice", "next"):
            part = node.args[0] if node.args else node
        else:
            continue
        for inner in ast.walk(part):
            if isinstance(inner, ast.Name) and inner.id in tables:
                return inner.id
    return None


def _value(node: ast.stmt) -> ast.expr | None:
    return node.value if isinstance(node, ast.Assign | ast.AnnAssign) else None


def _names_several(node: ast.stmt) -> bool:
    return isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple)


def _targets(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.If):
        return
    for each in ast.walk(node):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id


def _has_call(node: ast.AST) -> bool:
    return any(isinstance(each, ast.Call) for each in ast.walk(node))


def _calls(node: ast.AST) -> set[str]:
    return {called(each) for each in ast.walk(node) if isinstance(each, ast.Call)}


def _at(kind: str, file: str, node: ast.expr, message: str) -> BlindCheck:
    return BlindCheck(kind, file, node.lineno, node.col_offset + 1, message)
