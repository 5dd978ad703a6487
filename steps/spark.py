"""Spark as the second opinion: the run's session, rows in it, and what a table must hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import Future
from typing import Any

from pyspark.sql import DataFrame, SparkSession

from helpers.cluster.node import Node
from pipelines import actual, oracle
from pipelines.server import Server
from pipelines.session import session_in_background, spark_session
from steps.tables import Table


def spark() -> SparkSession:
    """The one session of this worker, on SPARK_MASTER or this machine; the first call starts it."""
    return spark_session()


def spark_in_background() -> Future[SparkSession]:
    """Begin to start the session, so that it is there when it is needed."""
    return session_in_background()


def server(node: Node, database: str = "") -> Server:
    """A node as the pipelines see it."""
    where = node.endpoint
    return Server(
        f"http://{where.host}:{where.http_port}",
        where.user,
        where.password,
        database or node.database or "default",
    )


def dataframe(rows: Iterable[Sequence[Any]], columns: str) -> DataFrame:
    """Rows in Spark; `columns` as Spark writes them: "k bigint, v string"."""
    return spark().createDataFrame([tuple(row) for row in rows], columns)


def assert_equals_expected(
    table: Table,
    expected: DataFrame,
    *,
    final: bool = False,
    where: str = "",
    columns: Sequence[str] = (),
    key: Sequence[str] = (),
) -> None:
    """The table holds exactly the expected rows, in any order; else the failure names those that differ.

    `final`, `where` and `columns` choose what to look at in the table; `key` names the columns by
    which a row with other values is recognised as the same row.
    """
    held = actual.table(
        server(table.node, table.database), table.name, final=final, where=where, columns=columns
    )
    difference = oracle.compare(expected, held, key=key)
    assert difference is None, str(difference)
