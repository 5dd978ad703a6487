"""Exports by a server that has the statement: a stand-in for such a server shows that the step would work."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.object_store import ObjectStore
from pipelines.clickhouse.server import Server
from pipelines.export.errors import ExportRefused
from pipelines.export.exporter import Outcome
from pipelines.export.statement import STATEMENT, parse
from steps.export_part import native as native_exports
from steps.export_part.native import export_by_server, is_by_server
from tests.pipelines.conftest import BUCKET
from tests.pipelines.export.without_spark import exporter, parts, source_sums

ALLOWED = "allow_experimental_export_merge_tree_part = 1"


class StandIn:
    """A node with the statement: asynchronous, with ClickHouse's codes, and a row in part_log at its end."""

    def __init__(self, node: EmbeddedNode, server: Server, objects: ObjectStore) -> None:
        self.node, self.server, self.objects = node, server, objects
        self.part_log: list[tuple[int, str, int, int]] = []
        self.unflushed: list[tuple[int, str, int, int]] = []
        self.asked: list[str] = []
        self.go_on = threading.Event()

    def query(self, sql: str, **options: Any) -> list[Any]:
        self.asked.append(sql)
        if STATEMENT.fullmatch(sql):
            self._export(sql)
            return []
        if sql == "SYSTEM FLUSH LOGS":
            self.part_log += self.unflushed
            self.unflushed = []
            return []
        assert "FROM system.part_log WHERE event_type = 'ExportPart'" in sql, sql
        found, self.asked_last = list(self.part_log), sql
        self.go_on.set()  # nobody waits for what has not begun
        return found

    def _export(self, sql: str) -> None:
        self.go_on.clear()
        try:
            statement, work = parse(sql), exporter(self.server, self.objects.store())
            options = statement.options(work.options)
            running = work.with_options(options).start(statement.request)
        except ExportRefused as refused:
            raise QueryFailed(
                code=refused.code, message=refused.text, node="n", sql=sql, user="u", seconds=0
            ) from None

        def end() -> None:
            (outcome,) = running.result()
            assert self.go_on.wait(60)
            row = (outcome.code or int(bool(outcome.error)), outcome.error)
            self.unflushed.append((*row, outcome.rows, outcome.size))

        threading.Thread(target=end, daemon=True).start()


@pytest.fixture
def native(node: EmbeddedNode, server: Server, object_store: ObjectStore, table: str) -> StandIn:
    object_store.make_bucket(BUCKET)
    who = object_store.identities["admin"]
    where = (
        f"'{object_store.url}/{BUCKET}/{node.database}/', '{who.access_key}', '{who.secret_key}'"
    )
    node.query(
        f"CREATE TABLE far (p UInt8, n UInt64) ENGINE = S3({where}, 'Parquet', "
        "partition_strategy = 'hive') PARTITION BY p"
    )
    return StandIn(node, server, object_store)


def export(native: StandIn, part: str, to: str = "far", settings: str = ALLOWED) -> Outcome:
    database = native.node.database
    sql = f"ALTER TABLE {database}.t EXPORT PART '{part}' TO TABLE {database}.{to} SETTINGS {settings}"
    return export_by_server(native, sql)  # type: ignore[arg-type]


def test_it_waits_for_the_end_and_tells_how_it_was(native: StandIn, server: Server) -> None:
    first, second, *_ = parts(server)
    for number, part in enumerate((first, second), 1):
        outcome = export(native, part)
        assert (outcome.status, outcome.error, outcome.part) == ("succeeded", "", part)
        assert outcome.rows == source_sums(server, f"_part = '{part}'")[0] > 0
        assert len(native.part_log) == number
    there = server.rows("SELECT count(), toString(sum(cityHash64(p, n))) FROM far")[0]
    assert there == source_sums(server, f"_part IN ('{first}', '{second}')")
    assert f"database = '{native.node.database}'" in native.asked_last
    assert f"part_name = '{second}'" in native.asked_last


def test_an_export_that_fails_says_why(native: StandIn, server: Server) -> None:
    policy = f"{ALLOWED}, export_merge_tree_part_file_already_exists_policy = 'error'"
    part = parts(server)[0]
    export(native, part)
    outcome = export(native, part, settings=policy)
    assert (outcome.status, outcome.code) == ("failed", 504) and "is there already" in outcome.error


@pytest.mark.parametrize(
    ("part", "to", "settings", "name"),
    [
        ("1_77_77_0", "far", ALLOWED, "NO_SUCH_DATA_PART"),
        ("", "t", ALLOWED, "BAD_ARGUMENTS"),
        ("", "far", "allow_experimental_export_merge_tree_part = 0", "SUPPORT_IS_DISABLED"),
    ],
)
def test_refusals_are_those_of_the_exporter(
    native: StandIn, server: Server, part: str, to: str, settings: str, name: str
) -> None:
    with pytest.raises(ExportRefused) as refused:
        export(native, part or parts(server)[0], to, settings)
    assert refused.value.name == name
    assert native.part_log == []


def test_an_export_without_an_end_is_noticed(
    native: StandIn, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(native_exports, "SECONDS", 0.2)
    monkeypatch.setattr(native, "_export", lambda sql: None)
    with pytest.raises(AssertionError, match="no end of the export"):
        export(native, parts(server)[0])


def test_a_server_without_the_statement_leaves_it_to_spark(
    node: EmbeddedNode, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not is_by_server(node)
    monkeypatch.setattr(native_exports, "PROBE", "SELECT 1")
    native_exports._knows_it.cache_clear()
    try:
        assert is_by_server(node)
        monkeypatch.setenv("EXPORT_PART_BY", "spark")
        assert not is_by_server(node)
    finally:
        native_exports._knows_it.cache_clear()
