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
from typing import NamedTuple

from helpers.base.escaping import shortened
from helpers.runner.worker.comparison import Comparison, compare, text_of

LONGEST = 200
FALSE = ("False", "None", "0", "0.0", "[]", "()", "{}", "set()", "''", None)
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


class Unequal(NamedTuple):
    """A comparison by == that was false: its place in the assertion, and which of a chain it is."""

    place: tuple[int, int, int, int]
    number: int
    left: object
    right: object


class Explanation(NamedTuple):
    """A failed assertion in lines; no line if the message is about something else."""

    lines: tuple[str, ...] = ()
    expected: str | None = None
    """The value that a comparison expected."""


def place_of(expression: ast.expr) -> tuple[int, int, int, int]:
    """Where an expression begins and ends in the text of its assertion."""
    end = (expression.end_lineno or 0, expression.end_col_offset or 0)
    return (expression.lineno, expression.col_offset, *end)


def explain(message: str, unequal: Sequence[Unequal] = ()) -> Explanation:
    """Explain a failed assertion from TestFlows' message and its comparisons that were false."""
    match = SOURCE.search(message)
    if match is None:
        return Explanation()
    source = textwrap.dedent(match["source"]).rstrip()
    shown = " ".join(re.sub(r",\s*error\(.*", "", source, flags=re.DOTALL).split())
    try:
        statement = ast.parse(source).body[0]
    except SyntaxError:
        return Explanation((f"not satisfied: {shown}",))
    if not isinstance(statement, ast.Assert):
        return Explanation((f"not satisfied: {shown}",))
    values = _values(message, len(source.splitlines()))
    expression = _decisive(statement.test, values)
    if isinstance(expression, ast.Compare):
        place = place_of(expression)
        for comparison in unequal:
            if comparison.place == place:
                return _compared(expression, comparison, shown)
        if all(isinstance(operator, ast.Eq) for operator in expression.ops):
            return Explanation((f"not satisfied at first, but when evaluated again: {shown}",))
    actual = _value(_operand(expression), values)
    return Explanation((f"not satisfied: {shown}" + (f" (is {actual})" if actual else ""),))


def _compared(expression: ast.Compare, false: Unequal, shown: str) -> Explanation:
    """How the two operands differ. The expected one is on the right, unless only the left one can be it."""
    operands = (expression.left, *expression.comparators)[false.number :][:2]
    (actual, expected), subject = (false.left, false.right), operands[0]
    if _says_expected(operands[0]) and not _says_expected(operands[1]):
        actual, expected, subject = expected, actual, operands[1]
    try:
        found = compare(actual, expected)
    except Exception as error:  # of a class in a scenario
        found = Comparison(f"differs, and cannot be described: {type(error).__name__}: {error}")
    name = shortened(ast.unparse(subject), LONGEST_NAME)
    lines = (f"{name}: {found.headline}", *(f"  {row}" for row in found.rows), f"in: {shown}")
    return Explanation(lines, text_of(expected))


def _says_expected(operand: ast.expr) -> bool:
    """Whether an operand is written there, or is named as a constant or as what is expected."""
    if isinstance(operand, ast.Name):
        return operand.id.isupper() or operand.id.startswith("expected")
    try:
        ast.literal_eval(operand)
    except ValueError:
        return False
    return True


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
        failed = (part for part in expression.values if _value(part, values) in FALSE)
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
