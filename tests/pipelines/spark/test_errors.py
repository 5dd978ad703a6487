"""What Spark says is told in one line, and what is no error of Spark is left alone."""

from __future__ import annotations

import pytest
from py4j.protocol import Py4JError, Py4JNetworkError
from pyspark import SparkContext
from pyspark.errors import PySparkException

from pipelines.errors import PipelineError
from pipelines.spark.errors import ENDED, clear_errors

WORKER = """Job aborted due to stage failure: Task 0 in stage 1.0 failed 1 times
Traceback (most recent call last):
  File "x.py", line 1, in read
pipelines.clickhouse.server.QueryRefused: ClickHouse at http://x refused (code 60): no t.

\tat org.apache.spark.api.python.BasePythonRunner"""
FOREIGN = """[SOME.CLASS] Job aborted
Traceback (most recent call last):
  File "x.py", line 1, in <lambda>
ZeroDivisionError: division by zero
"""
CRASHED = """An error occurred while calling o1.count.
: org.apache.spark.SparkException: Job aborted due to stage failure: Task 0 in stage 1.0 failed:
org.apache.spark.SparkException: Python worker exited unexpectedly (crashed)
\tat org.apache.spark.api.python.BasePythonRunner"""
JAVA = """An error occurred while calling o1.count.
: java.lang.OutOfMemoryError: Java heap space
\tat java.base/java.util.Arrays.copyOf"""


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (PySparkException(WORKER), "ClickHouse at http://x refused (code 60): no t."),
        (PySparkException(FOREIGN), "Spark: ZeroDivisionError: division by zero"),
        (PySparkException("[SOME.CLASS] No such column.\nPlan: x"), "Spark: No such column."),
        (Py4JError(CRASHED), "A Python process of Spark was killed"),
        (Py4JError(JAVA), "Spark: java.lang.OutOfMemoryError: Java heap space"),
        (Py4JError(""), "Spark: Py4JError"),
        (Py4JNetworkError("Error while sending or receiving"), ENDED),
        (ConnectionRefusedError(111, "Connection refused"), ENDED),
        (PySparkException("long " * 1000), "Spark: long long"),
    ],
    ids=[str(number) for number in range(9)],
)
def test_what_spark_says_is_one_line(error: Exception, line: str) -> None:
    with pytest.raises(PipelineError) as caught, clear_errors():
        raise error
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 1100
    assert caught.value.__suppress_context__


def test_a_context_that_was_stopped_is_told_and_other_mistakes_are_left_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(SparkContext, "_active_spark_context", None)
    for error in (AttributeError("'NoneType' object has no attribute 'sc'"), AssertionError()):
        with pytest.raises(PipelineError, match="session has ended"), clear_errors():
            raise error
    monkeypatch.setattr(SparkContext, "_active_spark_context", object())
    for mistake in (AttributeError, AssertionError, KeyError):
        with pytest.raises(mistake), clear_errors():
            raise mistake
