"""The Java that services of a cluster run on: the one that Spark runs on."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path

from helpers.base.errors import EnvironmentFailed, failure_of
from pipelines.errors import PipelineError
from pipelines.spark.java import find_java


@functools.cache
def find_java_program() -> Path:
    """The program `java`; EnvironmentFailed where there is none."""
    try:
        return find_java().path / "bin" / "java"
    except PipelineError as error:
        raise EnvironmentFailed(str(error)) from None


def why_not_startable(find_jars: Callable[[], object]) -> str | None:
    """Why a service made of these archives cannot be started here, or None if it can."""
    return failure_of(find_java_program, find_jars)
