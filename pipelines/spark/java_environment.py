"""The environment in which Java starts: PySpark hands on that of its own process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping

# Each of these would start another Spark than ours, or none.
FOREIGN = (
    "PYSPARK_SUBMIT_ARGS",
    "PYSPARK_GATEWAY_PORT",
    "SPARK_REMOTE",
    "SPARK_CONNECT_MODE_ENABLED",
)


@contextlib.contextmanager
def environment(variables: Mapping[str, str]) -> Iterator[None]:
    """PySpark hands its own environment to Java, so it has to be there while Java starts."""
    before = dict(os.environ)
    os.environ.update(variables)
    for name in FOREIGN:
        os.environ.pop(name, None)
    try:
        yield
    finally:
        for name in (*variables, *FOREIGN):
            if name in before:
                os.environ[name] = before[name]
            else:
                os.environ.pop(name, None)
