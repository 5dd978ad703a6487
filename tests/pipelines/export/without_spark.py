"""Exports without Spark: tasks run one after the other in this process, and errors come as they are."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pipelines.clickhouse.server import Server
from pipelines.export.exporter import Exporter, Outcome
from pipelines.export.options import Options
from pipelines.export.plan import Request
from pipelines.s3.store import Place, Store


@dataclass
class Tasks:
    """What an export asks of a Spark session."""

    items: tuple[Any, ...] = ()
    defaultParallelism: int = 2  # noqa: N815 - PySpark's name

    @property
    def sparkContext(self) -> Tasks:  # noqa: N802 - PySpark's name
        return self

    def addJobTag(self, tag: str) -> None:  # noqa: N802 - PySpark's name
        pass

    removeJobTag = cancelJobsWithTag = addJobTag  # noqa: N815 - PySpark's names

    def parallelize(self, items: Iterable[Any], count: int) -> Tasks:
        return Tasks(tuple(items))

    def map(self, function: Callable[[Any], Any]) -> Tasks:
        return Tasks(tuple(map(function, self.items)))

    def collect(self) -> list[Any]:
        return list(self.items)


def exporter(server: Server, store: Store, **options: Any) -> Exporter:
    log = options.pop("log", None)
    return Exporter(server, store, Options(**options), log=log, session=Tasks)


def export(
    server: Server, store: Store, path: str, part: str = "", **options: Any
) -> list[Outcome]:
    """Export a part of the table t, or all of them."""
    outcomes = exporter(server, store, **options).export(Request("t", path, part=part))
    return sorted(outcomes, key=lambda outcome: outcome.part)


def parts(server: Server) -> list[str]:
    rows = server.rows(
        "SELECT name FROM system.parts WHERE database = currentDatabase() AND table = 't' AND active "
        "ORDER BY 1"
    )
    return [str(name) for (name,) in rows]


def files(store: Store, path: str, end: str = ".parquet") -> list[str]:
    return [key for key, _ in store.objects(Place.parse(path)) if key.endswith(end)]


def sums(server: Server, store: Store, path: str) -> list[Any]:
    """What a reader sees in the files, in ClickHouse's own words."""
    place = Place.parse(path)
    url = f"{store.endpoint}/{place.bucket}/{place.prefix}**.parquet"
    function = (
        f"s3('{url}', '{store.access_key}', '{store.secret_key}', 'Parquet', 'p UInt8, n UInt64')"
    )
    return server.rows(f"SELECT count(), toString(sum(cityHash64(p, n))) FROM {function}")[0]


def source_sums(server: Server, where: str = "1") -> list[Any]:
    return server.rows(f"SELECT count(), toString(sum(cityHash64(p, n))) FROM t WHERE {where}")[0]
