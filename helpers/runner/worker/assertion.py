"""A failed assertion in a few lines: what differs, in the first, then examples and the assertion itself.

TestFlows prints the assertion once for each value in it, innermost first, with a caret below the place:

    assert node.value("SELECT 1") == 7, error()
           ^ is = 14
"""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from helpers.base.escaping import shortened
from helpers.runner.worker.comparison import compare

LONGEST = 200
LONGEST_NAME = 80
SOURCE = re.compile(r"was not satisfied\n(?P<source>(?:  .*\n)+)")
VALUES = re.compile(r"^Assertion values\n(?P<values>(?:  .*\n)+)", re.MULTILINE)
CARET = re.compile(r"(?P<indent> *)\^ is (?:= )?(?P<value>.+)")


@dataclass(frozen=True)
class Value:
    """What TestFlows says of the expression at a place of the assertion."""

    line: int
    column: int
    text: str


def explain(message: str, unequal: Sequence[tuple[object, object]] = ()) -> tuple[str, ...]:
    """A failed assertion in lines, from TestFlows' message; no line if it is about something else.

    `unequal` are the operands of each comparison by == that was false.
    """
    match = SOURCE.search(message)
    if match is None:
        return ()
    source = textwrap.dedent(match["source"]).rstrip()
    shown = " ".join(re.sub(r",\s*error\(.*", "", source, flags=re.DOTALL).split())
    try:
        statement = ast.parse(source).body[0]
    except SyntaxError:
        return (f"not satisfied: {shown}",)
    if not isinstance(statement, ast.Assert):
        return (f"not satisfied: {shown}",)
    values = _values(message, len(source.splitlines()))
    expression = _decisive(statement.test, values)
    if isinstance(expression, ast.Compare) and isinstance(expression.ops[0], ast.Eq):
        if not unequal:
            return (f"not satisfied at first, but when evaluated again: {shown}",)
        found = compare(*unequal[0])
        name = shortened(ast.unparse(expression.left), LONGEST_NAME)
        return (f"{name}: {found.headline}", *(f"  {row}" for row in found.rows), f"in: {shown}")
    actual = _value(_operand(expression), values)
    return (f"not satisfied: {shown}" + (f" (is {actual})" if actual else ""),)


def _values(message: str, height: int) -> list[Value]:
    """All values, in the order in which they were computed."""
    match = VALUES.search(message)
    values: list[Value] = []
    line = 0
    for text in match["values"].splitlines() if match else []:
        caret = CARET.fullmatch(text)
        if caret is not None and line:
            values.append(Value((line - 1) % height + 1, len(caret["indent"]) - 2, caret["value"]))
        else:
            line += 1
    return values


def _decisive(expression: ast.expr, values: list[Value]) -> ast.expr:
    """Of several conditions that have to hold, the first that does not."""
    if isinstance(expression, ast.BoolOp) and isinstance(expression.op, ast.And):
        failed = (part for part in expression.values if _value(part, values) in ("False", None))
        return _decisive(next(failed, expression.values[0]), values)
    return expression


def _operand(expression: ast.expr) -> ast.expr:
    """The part of a condition whose value explains it."""
    if isinstance(expression, ast.Compare):
        return expression.left
    return expression.operand if isinstance(expression, ast.UnaryOp) else expression


def _value(expression: ast.expr, values: list[Value]) -> str | None:
    """The value of an expression: written there, or the last one computed within it."""
    try:
        return shortened(repr(ast.literal_eval(expression)), LONGEST)
    except ValueError:
        pass
    start = (expression.lineno, expression.col_offset)
    end = (expression.end_lineno or 0, expression.end_col_offset or 0)
    within = [value for value in values if start <= (value.line, value.column) < end]
    return shortened(within[-1].text, LONGEST) if within else None
