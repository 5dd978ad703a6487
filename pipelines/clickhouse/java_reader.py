"""Rows of ClickHouse as a DataFrame that tasks read inside of Java, where that is possible and pays.

Python's workers would receive and send on what Java can receive itself. Statements are prepared here, in the
driver; the Java is pipelines/clickhouse/ClickHouseReads.java.
"""

from __future__ import annotations

import urllib.parse
import uuid
from collections.abc import Sequence
from typing import Any

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from pipelines.clickhouse.java_reads import JAR
from pipelines.clickhouse.server import Server, Statement
from pipelines.clickhouse.types import FLAT
from pipelines.spark.errors import clear_errors

CLASS = "pipelines.ClickHouseReads"
# Fastest of the sizes that were tried; larger ones probably exceed what Arrow's allocator pools.
BLOCKS = {"max_block_size": 65_536, "preferred_block_size_bytes": 3_000_000}


def is_possible(session: SparkSession, server: Server, schema: StructType) -> bool:
    """Whether the session has the Java, and all columns are of types that it takes.

    A server with TLS, whose certificate Python checks, or far away, which compresses, is read by Python.
    """
    near = urllib.parse.urlsplit(server.url).scheme == "http" and server.is_near
    # Columns of these types are shown to Spark as they arrive; Python brings all others into Spark's types.
    flat = all(isinstance(field.dataType, FLAT) for field in schema.fields)
    return near and flat and session.sparkContext.getConf().get("spark.jars", "").endswith(JAR)


def dataframe_in_java(
    session: SparkSession, server: Server, schema: StructType, where: str, slices: Sequence[Any]
) -> DataFrame:
    """The rows of these slices, one task for each."""
    reads = session._jvm.pipelines.ClickHouseReads
    gateway = session.sparkContext._gateway
    parts = gateway.new_array(session._jvm.java.lang.Object, len(slices))
    for number, part in enumerate(slices):
        rows = -1 if part.rows is None else part.rows
        parts[number] = reads.part(*_request(server, part.statement), part.condition, rows)
    name = str(uuid.uuid4())
    with clear_errors():
        reads.put(name, schema.json(), where, server.url, server.user, parts)
        return session.read.format(CLASS).option("read", name).load()


def _request(server: Server, statement: Statement) -> tuple[Any, ...]:
    """Host, port, path, query id, headers and body of the request by which a task asks."""
    where = urllib.parse.urlsplit(server.url)
    settings = {
        "database": server.database,
        "default_format": "ArrowStream",
        "output_format_arrow_string_as_string": 1,
        "output_format_arrow_compression_method": "none",
        **statement.settings,
    }
    headers = {
        "Host": where.netloc,
        "X-ClickHouse-User": server.user,
        "X-ClickHouse-Key": server.password,
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    path = f"/?{urllib.parse.urlencode(settings)}"
    return where.hostname, where.port or 8123, path, statement.query_id, lines, statement.sql
