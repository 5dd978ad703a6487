"""Spark as the second opinion: the run's session, rows in it, and a node as the pipelines see it."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import IO, Any

from pyspark.sql import DataFrame, SparkSession

from helpers.cluster.client.queries import NO_SETTINGS
from helpers.cluster.node import Node
from helpers.scenario.context import this
from pipelines.clickhouse.server import PreparedQuery, Server, Settings
from pipelines.spark.session import spark_session

_background = ThreadPoolExecutor(max_workers=1, thread_name_prefix="spark")


def spark() -> SparkSession:
    """The one session of this worker, on the Spark of its cluster, on SPARK_MASTER or on this machine;
    the first call starts it."""
    beside = this().cluster.spark()
    return spark_session() if beside is None else spark_session(beside.master, conf=beside.conf)


def spark_in_background() -> Future[SparkSession]:
    """Begin to start the session, so that it is there when it is needed."""
    return _background.submit(spark)


class NodeServer(Server):
    """A node as the pipelines see it: every statement goes through the node, which records and
    intercepts it. Spark's workers send statements themselves, after the node has seen them here."""

    node: Node

    def __init__(self, node: Node, database: str, user: str = "") -> None:
        where = node.endpoint
        who = user or where.user
        super().__init__(where.http_url, who, node.password(who), database)
        object.__setattr__(self, "node", node)

    def __reduce__(self) -> tuple[Any, ...]:
        return Server, (self.url, self.user, self.password, self.database)

    def execute(self, sql: str, settings: Settings, data: Iterable[bytes] | None = None) -> bytes:
        body = None if data is None else b"".join(data)
        parameters: dict[str, Any] = {"database": self.database, **settings}
        return self.node.http(sql, user=self.user, body=body, **parameters)

    @contextmanager
    def stream(
        self, sql: str, settings: Settings, data: Iterable[bytes] | None = None
    ) -> Iterator[IO[bytes]]:
        yield io.BytesIO(self.execute(sql, settings, data))

    def prepare(self, sql: str, settings: Settings) -> PreparedQuery:
        statement = super().prepare(sql, settings)
        seen = self.node.prepare(
            sql, user=self.user, database=self.database, query_id=statement.query_id, **settings
        )
        kept = {name: value for name, value in seen.settings.items() if name not in NO_SETTINGS}
        return PreparedQuery(seen.sql, kept, statement.query_id, seen.answer)


def server(node: Node, database: str = "", user: str = "") -> Server:
    """A node as the pipelines see it, who ask as this user or as the node's own."""
    return NodeServer(node, database or node.database or "default", user)


def dataframe(rows: Iterable[Sequence[Any]], columns: str) -> DataFrame:
    """Rows in Spark; `columns` as Spark writes them: "k bigint, v string"."""
    return spark().createDataFrame([tuple(row) for row in rows], columns)
