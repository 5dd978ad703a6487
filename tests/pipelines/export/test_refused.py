"""Exports that are refused, before anything is written and without a word of a secret."""

from __future__ import annotations

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.object_store import READ_ONLY, ObjectStore
from pipelines.clickhouse.server import Server
from pipelines.errors import PipelineError
from pipelines.export.destination import check_structure
from pipelines.export.errors import ExportRefused
from pipelines.export.options import Options
from pipelines.export.plan import Request
from pipelines.export.source import ServerTable
from pipelines.s3.store import Store
from tests.pipelines.export.without_spark import exporter


@pytest.mark.parametrize(
    ("request_", "name"),
    [
        (Request("t", "t"), "BAD_ARGUMENTS"),
        (Request("nope", "s3://b/x"), "UNKNOWN_TABLE"),
        (Request("t", "nope"), "UNKNOWN_TABLE"),
        (Request("t", "m"), "NOT_IMPLEMENTED"),
        (Request("m", "s3://b/x"), "NOT_IMPLEMENTED"),
        (Request("t", "s3://no-such-bucket/x"), "S3_ERROR"),
        (Request("t", "s3://lake/x", part="1_9_9_0"), "NO_SUCH_DATA_PART"),
        (Request("t", "s3://lake/x", partition="9"), "NO_SUCH_DATA_PART"),
        (Request("t", "a.b.c"), "BAD_ARGUMENTS"),
    ],
)
def test_refusals_have_the_names_of_clickhouse(
    node: EmbeddedNode,
    server: Server,
    object_store: ObjectStore,
    table: str,
    request_: Request,
    name: str,
) -> None:
    object_store.make_bucket("lake")
    before = object_store.keys("lake")
    node.query("CREATE TABLE m (p UInt8, n UInt64) ENGINE = Memory")
    with pytest.raises(ExportRefused) as refused:
        exporter(server, object_store.store()).plan(request_)
    assert refused.value.name == name
    assert object_store.keys("lake") == before


@pytest.mark.parametrize(
    ("columns", "key", "text"),
    [
        ({"p": "UInt8", "s": "LowCardinality(String)"}, "p", ""),
        ({"s": "String", "p": "UInt8"}, "p", "d.b has s, p"),
        ({"p": "UInt8"}, "p", r"d.b has p\."),
        ({"p": "UInt8", "s": "String", "n": "UInt8"}, "p", "d.b has p, s, n"),
        ({"p": "UInt8", "s": "UInt8"}, "p", "column s is String"),
        ({"p": "UInt8", "s": "Nullable(String)"}, "p", "column s is String"),
        ({"p": "UInt8", "s": "String"}, "s", "different partition key"),
        ({"p": "UInt8", "s": "String"}, "", "has none"),
    ],
)
def test_other_structures_are_refused(columns: dict[str, str], key: str, text: str) -> None:
    source = ServerTable("d", "a", "MergeTree", "", "p", {"p": "UInt8", "s": "String"})
    destination = ServerTable("d", "b", "S3", "", key, columns)
    if not text:
        check_structure(source, destination)
        return
    with pytest.raises(ExportRefused, match=text):
        check_structure(source, destination)


def test_a_store_that_is_read_only(
    server: Server, object_store: ObjectStore, table: str, path: str
) -> None:
    with pytest.raises(ExportRefused, match=r"S3_ERROR.*refused"):
        exporter(server, object_store.store(READ_ONLY)).plan(Request("t", path))


def test_options_that_cannot_be() -> None:
    for options in ({"bandwidth": -1}, {"if_exists": "perhaps"}, {"rows_per_task": 0}):
        with pytest.raises(ExportRefused, match="BAD_ARGUMENTS"):
            Options(**options)


def test_no_secret_is_shown(server: Server, store: Store, table: str, path: str) -> None:
    plan = exporter(server, store).plan(Request("t", path))
    for shown in (repr(plan), repr(server), repr(store)):
        assert store.secret_key not in shown and server.password not in shown
    wrong = Store(store.endpoint, store.access_key, "wrong-secret")
    with pytest.raises(PipelineError) as refused:
        exporter(server, wrong).plan(Request("t", path))
    assert "wrong-secret" not in str(refused.value)
