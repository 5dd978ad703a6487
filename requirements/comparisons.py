"""Comparisons in the source: what is compared, and whether both sides are the same value."""

from __future__ import annotations

import ast
from collections.abc import Iterator

# That a value is sorted is a property of it, not another value.
PROPERTIES = frozenset({"sorted"})
COPIES = frozenset({"sorted", "list", "tuple", "set", "dict"})
EQUAL = (ast.Eq, ast.LtE, ast.GtE, ast.Is)
DIFFERENT = (ast.NotEq,)


def is_selection(value: ast.expr, other: ast.expr) -> bool:
    """Whether a value is made of the elements of another one. That a value is sorted is a property."""
    copied = set()
    while isinstance(value, ast.Call) and called(value) in COPIES and len(value.args) == 1:
        copied.add(called(value))
        value = value.args[0]
    if isinstance(value, ast.ListComp | ast.SetComp | ast.GeneratorExp):
        return ast.dump(value.generators[0].iter) == ast.dump(other)
    return bool(copied) and "sorted" not in copied and ast.dump(value) == ast.dump(other)


def is_sorted_twice(value: ast.expr, side: ast.expr, other: ast.expr) -> bool:
    """Whether what was sorted before is compared with itself, sorted once more or not."""
    if called(value) != "sorted" or not isinstance(value, ast.Call):
        return False
    again = other.args[0] if isinstance(other, ast.Call) and called(other) == "sorted" else None
    return ast.dump(value.args[0]) == ast.dump(other) or (
        again is not None and ast.dump(again) == ast.dump(side)
    )


def compared(
    test: ast.expr, operators: tuple[type[ast.cmpop], ...]
) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The pairs that are compared by these operators; of two tuples each element."""
    if isinstance(test, ast.BoolOp):
        for part in test.values:
            yield from compared(part, operators)
    elif isinstance(test, ast.Compare):
        sides = [test.left, *test.comparators]
        for left, operator, right in zip(sides, test.ops, sides[1:], strict=False):
            if not isinstance(operator, operators):
                continue
            if isinstance(left, ast.Tuple) and isinstance(right, ast.Tuple):
                yield from zip(left.elts, right.elts, strict=False)
            else:
                yield left, right


def is_same(left: ast.expr, right: ast.expr) -> bool:
    """Whether two expressions have the same value, or one is a function of the other one."""
    if isinstance(left, ast.Constant):
        return False
    return ast.dump(left) == ast.dump(right) or _wraps(left, right) or _wraps(right, left)


def _wraps(outer: ast.expr, inner: ast.expr) -> bool:
    return (
        isinstance(outer, ast.Call)
        and len(outer.args) == 1
        and not outer.keywords
        and not isinstance(inner, ast.Constant)
        and called(outer) not in PROPERTIES
        and ast.dump(outer.args[0]) == ast.dump(inner)
    )


def called(node: ast.expr) -> str:
    """The last word of what is called; '' if nothing is."""
    if not isinstance(node, ast.Call):
        return ""
    function = node.func
    return function.attr if isinstance(function, ast.Attribute) else ast.unparse(function)
