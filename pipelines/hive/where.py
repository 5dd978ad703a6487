"""Conditions on folder columns, by which files are left out before any is opened.

`year >= 2024 AND city = 'Köln' AND day IS NOT NULL`. They are an option of the data source and not
Spark's filter push-down, because up to Spark 4.3 a pushed filter stays with the DataFrame it was
derived from: `lake.where("year = 2024").count()` would make `lake` itself lose the other years.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from typing import Any

from pyspark.sql.types import DataType

from pipelines.errors import PipelineError
from pipelines.hive.layout import Value, typed

CONDITION = re.compile(
    r"""\s*(?:`(?P<quoted>[^`]+)`|(?P<name>\w+))\s*
    (?:(?P<null>IS\s+(?P<no>NOT\s+)?NULL)
     | (?P<operator><=|>=|!=|=|<|>)\s*(?:'(?P<text>(?:[^']|'')*)'|(?P<plain>[\w.\-]+)))
    \s*(?P<more>AND\b|$)""",
    re.VERBOSE | re.IGNORECASE,
)
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
Test = Callable[[Mapping[str, Value]], bool]


def parse_where(text: str, types: Mapping[str, DataType]) -> Test:
    """A question to a file's folder values; an empty text lets all files pass."""
    tests: list[Test] = []
    at, more = 0, bool(text.strip())
    while more:
        condition = CONDITION.match(text, at)
        if condition is None:
            raise PipelineError(
                f"The option 'where' cannot be understood from '{text[at:].strip()}' on: it is "
                "conditions like year >= 2024 or city = 'Rome' with AND between them."
            )
        tests.append(_test(condition, types))
        at, more = condition.end(), bool(condition["more"])
    return lambda values: all(test(values) for test in tests)


def _test(condition: re.Match[str], types: Mapping[str, DataType]) -> Test:
    name = condition["quoted"] or condition["name"]
    if name not in types:
        known = ", ".join(types) or "none"
        raise PipelineError(f"No folders are named after {name}: folder columns are {known}.")
    if condition["null"]:
        wanted = not condition["no"]
        return lambda values: (values[name] is None) == wanted
    plain = (
        condition["plain"] if condition["text"] is None else condition["text"].replace("''", "'")
    )
    value, compare = typed(name, plain, types[name]), OPERATORS[condition["operator"]]
    # As in SQL, nothing is true of NULL.
    return lambda values: (held := values[name]) is not None and compare(held, value)
