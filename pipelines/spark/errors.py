"""Exceptions of Spark as one PipelineError of one line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from py4j.protocol import Py4JError
from pyspark import SparkContext
from pyspark.errors import PySparkException

from pipelines.errors import PipelineError

LONGEST = 1000
ENDED = "Spark's session has ended: start a new one, and make its DataFrames again."
CRASHED = "Python worker exited unexpectedly"
# A worker's traceback ends with the name of the exception's class, one of this library, and its text.
RAISED = re.compile(r"^pipelines(?:\.\w+)+: (.+)$", re.MULTILINE)
CLASS = re.compile(r"^\[(\w[\w.]*)\] ")


@contextmanager
def clear_errors() -> Iterator[None]:
    """Runs Spark actions; whatever they raise becomes one PipelineError of one line.

    An error of a data source happens in a worker, and Spark wraps it in its own stack traces:
    the line that the data source wrote is taken out of them again.
    """
    try:
        yield
    except (PySparkException, Py4JError, ConnectionError) as error:
        raise PipelineError(message_of(error)) from None
    except (AttributeError, AssertionError):
        # PySpark asks a context that was stopped for what it no longer has.
        if SparkContext._active_spark_context is not None:
            raise
        raise PipelineError(ENDED) from None


def message_of(error: BaseException) -> str:
    """The one line that says what happened, out of an exception of Spark."""
    text = str(error)
    if raised := RAISED.search(text):
        return raised[1]
    if isinstance(error, ConnectionError) or "Error while sending or receiving" in text:
        return ENDED
    if CRASHED in text:
        return "A Python process of Spark was killed, by somebody or for want of memory: try again."
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) > 1 and lines[0].startswith("An error occurred while calling"):
        lines[0] = lines[1].removeprefix(": ")  # what Java said, and not what it was asked
    first = CLASS.sub("", lines[0]) if lines else type(error).__name__
    # A Python error that is not ours is named by the last line of its traceback.
    if "Traceback" in text and (
        causes := re.findall(r"^(\w[\w.]*(?:Error|Exception): .+)$", text, re.M)
    ):
        first = causes[0]
    return f"Spark: {first[:LONGEST]}"
