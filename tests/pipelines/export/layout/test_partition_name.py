"""The folders of an expression in the key can have a name that readers can use."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.export.errors import ExportRefused
from pipelines.export.plan import Request
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import exporter, files

KEY = "(s, toYYYYMM(d))"


@pytest.fixture(autouse=True)
def table(node: EmbeddedNode) -> None:
    node.query(
        f"CREATE TABLE t (d Date, n UInt64, s String) ENGINE = MergeTree PARTITION BY {KEY} ORDER BY n"
    )
    for day in ("2025-12-31", "2026-01-01"):
        node.query(f"INSERT INTO t SELECT '{day}', number, 'a' FROM numbers(5)")


def folders(store: Store, path: str) -> list[str]:
    start = Place.parse(path).prefix
    return sorted({str(Path(key.removeprefix(start)).parent) for key in files(store, path)})


def test_the_expression_has_its_name_and_the_column_keeps_its_own(
    server: Server, store: Store, path: str
) -> None:
    request = Request("t", path, folder_names="month")
    outcomes = exporter(server, store).export(request)
    assert [outcome.error for outcome in outcomes] == ["", ""]
    assert folders(store, path) == ["s=a/month=202512", "s=a/month=202601"]
    place = Place.parse(path)
    url = f"{store.endpoint}/{place.bucket}/{place.prefix}**.parquet"
    keys = f"'{store.access_key}', '{store.secret_key}'"
    sql = f"SELECT month, s, count() FROM s3('{url}', {keys}) GROUP BY ALL ORDER BY ALL"
    assert server.rows(sql) == [[202512, "a", 5], [202601, "a", 5]]
    assert {outcome.status for outcome in exporter(server, store).export(request)} == {"skipped"}


@pytest.mark.parametrize("first", ["", "month"])
def test_rows_that_lie_under_another_name_are_not_written_again(
    server: Server, store: Store, path: str, first: str
) -> None:
    assert not any(
        one.error for one in exporter(server, store).export(Request("t", path, folder_names=first))
    )
    before = files(store, path)
    again = exporter(server, store).export(Request("t", path, folder_names="yyyymm"))
    assert files(store, path) == before, [(one.status, one.error) for one in again]


@pytest.mark.parametrize("names", ["month,year", "d", "s", "a b", "m=1", ",", "month,month"])
def test_names_that_cannot_be(server: Server, store: Store, path: str, names: str) -> None:
    with pytest.raises(ExportRefused, match="cannot name the folders"):
        exporter(server, store).plan(Request("t", path, folder_names=names))


def test_a_table_names_its_folders_itself(server: Server, store: Store) -> None:
    with pytest.raises(ExportRefused, match="its key names the folders"):
        exporter(server, store).plan(Request("t", "lake", folder_names="month"))
