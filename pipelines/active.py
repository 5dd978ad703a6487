"""Which session Spark takes to be the one of the thread that asks."""

from __future__ import annotations

from pyspark.sql import SparkSession


def activate(session: SparkSession) -> None:
    """Make it the session of this thread.

    Spark keeps that per thread, the session is started in a thread of its own, and `df.write` finds
    a data source only in the session of its thread.
    """
    SparkSession._get_j_spark_session_class(session._jvm).setActiveSession(session._jsparkSession)
