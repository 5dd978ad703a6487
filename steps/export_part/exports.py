"""Exports of parts: tables in a lake to export to, the statement, and what lies in the store afterwards.

The exporter is imported when it is used: it loads PySpark, which takes longer than most scenarios.
"""

from __future__ import annotations

import hashlib
import re
import uuid
from collections.abc import Callable, Collection, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from helpers.cluster.client.interception import action
from helpers.cluster.client.recording import literal
from helpers.cluster.client.session import Row
from helpers.cluster.object_store import ADMIN
from helpers.faults.s3_proxy import Delay, RequestKind, S3FaultProxy
from helpers.scenario.context import this
from helpers.scenario.result import Subject
from steps.export_part.native import export_by_server, is_by_server
from steps.store_folder import StoreFolder, unused_name
from steps.tables import COLUMNS, Table, create_table, fill_and_check

if TYPE_CHECKING:
    from pipelines.export.exporter import Exporter, Outcome
    from pipelines.export.monitoring.log import ExportLog
    from pipelines.s3.store import Store

BUCKET = "exports"
NODE = "export"
COLLECTION = "exports"
ALLOWED: Mapping[str, Any] = {"allow_experimental_export_merge_tree_part": 1}


class Lake(StoreFolder):
    """A folder of exports; its node knows the store's keys."""

    bucket_name = BUCKET

    def s3(self, path: str, **arguments: str) -> str:
        """The arguments of a table function or an engine over a path: Parquet, and the keys by a name."""
        named = {"url": self.url(path), "format": "Parquet", **arguments}
        pairs = [f"{name} = {literal(value)}" for name, value in named.items()]
        return ", ".join([this().cluster.own_name(COLLECTION), *pairs])

    def place(self, path: str) -> str:
        return f"s3://{self.bucket}/{self.filename(path)}"

    def keys(self, end: str = ".parquet", path: str = "") -> list[str]:
        """The objects below a path whose names end like this."""
        return [key for key in self.paths(path) if key.endswith(end)]

    def versions(self) -> dict[str, str]:
        """The files with what changes when one is written anew: the export that wrote it, or else the time,
        of which the store only tells the second."""
        store = self.store.store()
        found = {}
        for key in self.keys():
            _, headers = store.metadata(self.bucket, self.filename(key)) or (0, {})
            found[key] = headers.get("x-amz-meta-export") or headers["last-modified"]
        return found

    def leftovers(self) -> list[str]:
        """What is neither a file nor its commit file: locks, and uploads that nobody completed."""
        from pipelines.s3.store import Place

        place = Place(self.bucket, f"{self.folder}/")
        uploads = [upload.key for upload in self.store.store().uploads(place)]
        return [*uploads, *(key for key in self.keys("") if "_exporting_" in key)]


def new_lake(
    name: str = NODE, config: Mapping[str, str] | None = None, fragments: tuple[str, ...] = ()
) -> Lake:
    """An empty folder; the node reads and writes there without a key in any statement."""
    store = this().cluster.object_store()
    store.make_bucket(store.bucket(BUCKET))
    who = store.identities[ADMIN]
    keys = {"access_key_id": who.access_key, "secret_access_key": who.secret_key}
    collections = {this().cluster.own_name(COLLECTION): keys}
    node = this().node(name, config=config, fragments=fragments, collections=collections)
    return Lake(node, store, unused_name())


def source_table(lake: Lake, **options: Any) -> Table:
    """An empty MergeTree table beside the lake."""
    return create_table("source", node=lake.node, **options)


def filled_source(lake: Lake, partitions: Collection[int] = (1, 2), **options: Any) -> Table:
    """A table with rows in each of these partitions, one part each."""
    table = source_table(lake, **options)
    fill_and_check(table, list(partitions))
    return table


def s3_table(
    lake: Lake,
    *,
    columns: str = COLUMNS,
    partition_by: str = "p",
    engine: str = "S3",
    strategy: str = "hive",
    path: str = "",
) -> Table:
    """An empty table over S3 in a folder of its own."""
    name = this().unique("destination")
    table = Table(lake.node, this().database, name)
    arguments = lake.s3(path or f"{name}/", partition_strategy=strategy)
    lake.node.query(
        f"CREATE TABLE {table} ({columns}) ENGINE = {engine}({arguments}) PARTITION BY {partition_by}"
    )
    return table


def lake_with_tables(name: str = NODE) -> tuple[Lake, Table, Table]:
    """A lake, a table with a part in each of two partitions, and an S3 table that can take them."""
    lake = new_lake(name)
    return lake, filled_source(lake), s3_table(lake)


def part_of(source: Table, partition: str = "1") -> str:
    """The only active part of a partition."""
    (name,) = source.node.column(
        f"SELECT name FROM system.parts WHERE database = '{source.database}' "
        f"AND table = '{source.name}' AND active AND partition_id = '{partition}'"
    )
    return str(name)


def file_of(source: Table, part: str) -> str:
    """The name that the file of a part must have: part and checksum, and the exporter adds the source."""
    (checksum,) = source.node.column(
        f"SELECT hash_of_all_files FROM system.parts WHERE database = '{source.database}' "
        f"AND table = '{source.name}' AND name = '{part}'"
    )
    assert re.fullmatch("[0-9a-f]{32}", checksum), f"{checksum} is no checksum"
    if is_by_server(source.node):
        return f"{part}_{checksum}.parquet"
    ((server, table),) = source.node.query(
        "SELECT toString(serverUUID()), toString(uuid) FROM system.tables "
        f"WHERE database = '{source.database}' AND name = '{source.name}'"
    )
    assert uuid.UUID(table).int, f"the fixture is wrong: {source} has no UUID"
    known = f"{server if uuid.UUID(server).int else ''}\0{table}"
    return f"{part}_{checksum}_{hashlib.sha256(known.encode()).hexdigest()[:16]}.parquet"


def rows_of(source: Table, part: str) -> list[Row]:
    """The rows that a reader of a part sees."""
    return sorted(source.node.query(f"SELECT * FROM {source} WHERE _part = '{part}'"))


def statement(source: Table, part: str, destination: Table, **settings: Any) -> str:
    """The statement that exports a part."""
    given = ", ".join(f"{name} = {value!r}" for name, value in {**ALLOWED, **settings}.items())
    return f"ALTER TABLE {source} EXPORT PART '{part}' TO TABLE {destination} SETTINGS {given}"


def exporter(
    lake: Lake,
    *,
    log: ExportLog | None = None,
    store: Store | None = None,
    user: str = "",
    **options: Any,
) -> Exporter:
    """The exporter of this library on the run's Spark session, its statements sent by the node."""
    from pipelines.export.exporter import Exporter
    from pipelines.export.options import Options
    from steps.spark.session import server, spark

    this().subjects.add(Subject.EXPORTER)
    asks, store = server(lake.node, user=user), store or lake.store.store()
    return Exporter(asks, store, Options(**options), log=log, session=spark)


def export(lake: Lake, sql: str, **options: Any) -> Outcome:
    """Execute the statement and wait for the end of the export: by the server if it can, else by Spark.

    What options are about (a log, another store, a user) only the exporter has. After a success the files
    of the destination are what their commit files say.
    """
    from pipelines.export.statement import execute, parse

    if not options and is_by_server(lake.node):
        this().subjects.add(Subject.CLICKHOUSE)
        return export_by_server(lake.node, sql)
    outcome: Outcome | None = executed(lambda: execute(exporter(lake, **options), sql))
    assert outcome is not None, "the export was left out"
    if outcome.status == "succeeded":
        wrong = violations_of(lake, parse(sql).destination)
        assert wrong == [], f"a commit file and the exported rows differ: {wrong}"
    return outcome


def export_to_place(lake: Lake, source: Table, part: str, path: str, **options: Any) -> Outcome:
    """Export a part to a place that no table is named for."""
    return export_parts_to_place(lake, source, path, part, **options)[0]


def export_parts_to_place(
    lake: Lake, source: Table, path: str, part: str = "", **options: Any
) -> list[Outcome]:
    """Export all parts of a table to a place, or the one that is named."""
    from pipelines.export.plan import Request

    request = Request(str(source), lake.place(path), part=part)
    outcomes = executed(lambda: exporter(lake, **options).export(request))
    assert outcomes is not None, "the export was left out"
    return list(outcomes)


def begin_export(
    lake: Lake, source: Table, part: str, path: str, **options: Any
) -> Future[list[Outcome]]:
    """The same without waiting for its end."""
    from pipelines.export.plan import Request

    return exporter(lake, **options).start(Request(str(source), lake.place(path), part=part))


@contextmanager
def waiting_export(
    lake: Lake,
    source: Table,
    part: str,
    path: str,
    at: RequestKind = RequestKind.COMPLETE_UPLOAD,
    **options: Any,
) -> Iterator[Future[list[Outcome]]]:
    """An export to a place that waits for the store, at its end unless another request is named; it goes
    on when the block ends."""
    with S3FaultProxy(lake.store.url) as proxy:
        with proxy.fault(at, Delay(600), times=None, key=part) as slow:
            store = behind(lake, proxy)
            running = begin_export(lake, source, part, path, store=store, **options)
            this().eventually(lambda: slow.hits > 0, timeout=120)
            yield running
        wait([running], timeout=120)


def behind(lake: Lake, proxy: S3FaultProxy) -> Store:
    """The lake's store as it is seen through a proxy."""
    return replace(lake.store.store(), endpoint=proxy.url)


def violations_of(lake: Lake, table: Table | str) -> list[str]:
    """In what the files of a table that `s3_table` made, and the rows that the server reads from them,
    differ from what their commit files say. Those of a server's own exports say other things."""
    from pipelines.export import source as export_source
    from pipelines.export.destination import Destination
    from pipelines.export.verify import verify
    from pipelines.s3.store import Place
    from steps.spark.session import server

    if is_by_server(lake.node):
        return []
    database, _, name = str(table).partition(".")
    place = Place.parse(lake.place(name))
    described = export_source.ServerTable(database, name, "S3", "", "", {})
    destination = Destination(lake.store.store(), place, described)
    checked = list(verify(destination, server(lake.node)))
    assert checked, "there is nothing to verify"
    return [text for item in checked for text in item.violations]


def refusal(lake: Lake, sql: str, **options: Any) -> str:
    """The name of the error and its text, or 'accepted' where the export was not refused."""
    return _refused(lambda: export(lake, sql, **options))


def place_refusal(lake: Lake, source: Table, part: str, path: str, **options: Any) -> str:
    """The same of an export to a place."""
    return _refused(lambda: export_to_place(lake, source, part, path, **options))


def _refused(run: Callable[[], Outcome]) -> str:
    from pipelines.errors import PipelineError
    from pipelines.export.errors import ExportRefused

    try:
        outcome = run()
    except ExportRefused as refused:
        return f"{refused.name}: {refused.text}"
    except PipelineError as error:  # a store that does not answer, or does not prove who it is
        return str(error)
    return outcome.error or "accepted"


@action
def executed(run: Any) -> Any:
    """An export acts on the store behind the server's back; left out, there is no outcome."""
    return run()
