"""Exports registered in a REST catalog: that of SeaweedFS, whose wheel is installed anyway."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.processes.ports import reserve_free
from helpers.cluster.services.seaweed import find_program, remove_orphaned_sockets
from pipelines.clickhouse.server import Server
from pipelines.errors import PipelineError
from pipelines.export.plan import Plan, Request
from pipelines.s3.store import Store
from pipelines.system.waiting import poll
from tests.pipelines.export.without_spark import exporter

pytest.importorskip("pyiceberg", reason="pyiceberg is an extra of the exporter")

from pyiceberg.utils.config import Config

from pipelines.export.iceberg.registration import Registration

KEY, SECRET, WAREHOUSE, BUCKET = "admin", "secret-of-the-catalog", "warehouse", "exports"
SERVICES = ("master", "volume", "filer", "s3", "admin")
# The store starts in a second, and beside other work in a minute.
SECONDS = 180.0
IDENTITY = {
    "name": "admin",
    "credentials": [{"accessKey": KEY, "secretKey": SECRET}],
    "actions": ["Admin", "Read", "List", "Tagging", "Write"],
}


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Store, str]]:
    """A store with a REST catalog: the store, and the URI of the catalog."""
    reserved = reserve_free(2 * len(SERVICES) + 1)
    ports = iter([port.number for port in reserved])
    named = {
        name: next(ports) for each in SERVICES for name in (f"{each}.port", f"{each}.port.grpc")
    }
    uri = f"http://127.0.0.1:{(rest := next(ports))}"
    (tmp_path / "ids.json").write_text(json.dumps({"identities": [IDENTITY]}))
    (tmp_path / "data").mkdir()
    options = {
        "dir": tmp_path / "data",
        "ip": "127.0.0.1",
        "ip.bind": "127.0.0.1",
        "s3.config": tmp_path / "ids.json",
        "s3.port.iceberg": rest,
        "s3.port.lance": 0,
        "admin.ui": "false",
        "webdav": "false",
        "master.telemetry": "false",
        "tableBucket": WAREHOUSE,
        **named,
    }
    command = [find_program(), "-logtostderr", "mini", *(f"-{n}={v}" for n, v in options.items())]
    store = Store(f"http://127.0.0.1:{named['s3.port']}", KEY, SECRET)
    with (
        (tmp_path / "weed.log").open("wb") as log,
        subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path, env={**os.environ}) as weed,
    ):
        try:
            assert poll(lambda: _has_buckets(store), SECONDS), (tmp_path / "weed.log").read_text()
            monkeypatch.setenv("PYICEBERG_CATALOG__EXPORT__WAREHOUSE", f"s3://{WAREHOUSE}/")
            monkeypatch.setenv("PYICEBERG_CATALOG__EXPORT__CREDENTIAL", f"{KEY}:{SECRET}")
            # pyiceberg reads them when it is imported, which another test may have done.
            monkeypatch.setattr("pyiceberg.catalog._ENV_CONFIG", Config())
            yield store, uri
        finally:
            weed.kill()
            weed.wait()
            for port in reserved:
                port.release()
            remove_orphaned_sockets()


def _has_buckets(store: Store) -> bool:
    """Whether the store has started, with the bucket of the catalog, and the one of exports."""
    try:
        with store.errors("Asking"):
            names = {bucket.name for bucket in store.client(retries=0).list_buckets()}
            if BUCKET not in names:
                store.client().make_bucket(BUCKET)
            return BUCKET in names
    except PipelineError:
        return False


def test_exports_in_a_rest_catalog(
    node: EmbeddedNode, server: Server, catalog: tuple[Store, str]
) -> None:
    store, uri = catalog
    node.query(
        "CREATE TABLE t (d Date, n UInt64) ENGINE = MergeTree PARTITION BY toYYYYMM(d) ORDER BY n"
    )
    registration = Registration(uri, "web.visits")

    def registered(**options: str) -> tuple[Plan, int]:
        work = exporter(server, store, **options)
        plan = work.plan(Request("t", f"s3://{BUCKET}/visits"))
        registration.check([plan])
        assert not [one.error for one in work.execute(plan) if one.error]
        return plan, registration.register([plan])

    node.query("INSERT INTO t SELECT toDate('2026-01-01') + number % 60, number FROM numbers(600)")
    plan, added = registered()
    assert added == len(plan.parts) == 3 and registered()[1] == 0
    table = registration._table(plan)
    assert table.location().startswith(f"s3://{WAREHOUSE}/"), table.location()
    assert len(table.metadata.snapshots) == 1
    assert sorted(table.scan().to_arrow()["n"].to_pylist()) == list(range(600))
    node.query("INSERT INTO t SELECT '2026-01-01', 600 + number FROM numbers(5)")
    node.query("OPTIMIZE TABLE t FINAL")
    registered(if_exists="overwrite")
    table = registration._table(plan)
    assert sorted(table.scan().to_arrow()["n"].to_pylist()) == list(range(605))
