"""The data source `clickhouse` of the tests, and a table to read."""

from __future__ import annotations

from typing import Any

from pipelines.clickhouse.data_source import ClickHouseSource
from pipelines.clickhouse.server import Server

ROWS = 5000


def source(server: Server, **options: Any) -> ClickHouseSource:
    return ClickHouseSource({**server.options(), **{k: str(v) for k, v in options.items()}})
