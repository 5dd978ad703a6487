"""The lake may be partitioned differently from the table, if every part has one value of its key."""

from __future__ import annotations

from typing import Any

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import QueryRefused, Server
from pipelines.export.errors import ExportRefused
from pipelines.export.exporter import Outcome
from pipelines.export.plan import Request
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import exporter, files

YEAR = "toYear(d)"


@pytest.fixture(autouse=True)
def table(node: EmbeddedNode) -> None:
    """Parts of three months of two years."""
    node.query(
        "CREATE TABLE t (d Date, n UInt64, s String) ENGINE = MergeTree PARTITION BY toYYYYMM(d) ORDER BY n"
    )
    for day in ("2025-12-31", "2026-01-01", "2026-02-03"):
        node.query(f"INSERT INTO t SELECT '{day}', number, 'a' FROM numbers(5)")


def export(
    server: Server, store: Store, path: str, key: str | None = YEAR, **options: Any
) -> list[Outcome]:
    return exporter(server, store, **options).export(Request("t", path, lake_key=key))


def folders(store: Store, path: str) -> list[str]:
    start = Place.parse(path).prefix
    return sorted({key.removeprefix(start).rpartition("/")[0] for key in files(store, path)})


def count(server: Server, store: Store, path: str) -> int:
    place = Place.parse(path)
    url = f"{store.endpoint}/{place.bucket}/{place.prefix}**.parquet"
    keys = f"'{store.access_key}', '{store.secret_key}'"
    return int(server.rows(f"SELECT count() FROM s3('{url}', {keys}, 'Parquet', 'n UInt64')")[0][0])


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (YEAR, ["toYear(d)=2025", "toYear(d)=2026"]),
        ("s", ["s=a"]),
        ("(s, toYear(d))", ["s=a/toYear(d)=2025", "s=a/toYear(d)=2026"]),
        ("s, toYear(d)", ["s=a/toYear(d)=2025", "s=a/toYear(d)=2026"]),
        ("tuple()", [""]),
        ("", [""]),
        ("d", ["d=2025-12-31", "d=2026-01-01", "d=2026-02-03"]),
    ],
)
def test_folders_of_another_key(
    server: Server, store: Store, path: str, key: str, expected: list[str]
) -> None:
    outcomes = export(server, store, path, key)
    assert [outcome.error for outcome in outcomes] == [""] * 3
    assert folders(store, path) == expected and count(server, store, path) == 15
    assert {outcome.status for outcome in export(server, store, path, key)} == {"skipped"}


def test_a_part_with_several_values_is_refused_before_anything_is_written(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    with pytest.raises(ExportRefused, match="several values of n, 0 to 4"):
        export(server, store, path, "n")
    node.query("INSERT INTO t SELECT toDate('2026-03-01') + number, number, 'a' FROM numbers(2)")
    with pytest.raises(ExportRefused, match="several values of d, 2026-03-01 to 2026-03-02"):
        export(server, store, path, "d")
    for key in ("toFloat32(n)", "cityHash64(s)"):
        with pytest.raises(ExportRefused, match="Hive partitioning takes"):
            export(server, store, path, key)
    with pytest.raises(QueryRefused, match="nothing"):
        export(server, store, path, "nothing")
    assert store.objects(Place.parse(path)) == []


def test_a_mutation_that_moves_a_part_to_another_folder(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    """The rows are found where they were before."""
    export(server, store, path, "s")
    node.query("ALTER TABLE t UPDATE s = if(n = 0, s, s) WHERE 1", settings={"mutations_sync": 2})
    node.query("ALTER TABLE t UPDATE s = 'b' WHERE 1", settings={"mutations_sync": 2})
    assert {outcome.code for outcome in export(server, store, path, "s")} == {504}
    outcomes = export(server, store, path, "s", if_exists="overwrite", unproved=True)
    assert [outcome.error for outcome in outcomes] == [""] * 3
    assert folders(store, path) == ["s=b"] and count(server, store, path) == 15


def test_what_was_exported_by_the_tables_own_key_is_found(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    export(server, store, path, None)
    before = store.objects(Place.parse(path))
    assert {outcome.status for outcome in export(server, store, path)} == {"skipped"}
    assert store.objects(Place.parse(path)) == before
    outcomes = export(server, store, path, if_exists="overwrite")
    assert [outcome.error for outcome in outcomes] == [""] * 3
    assert folders(store, path) == ["toYear(d)=2025", "toYear(d)=2026"]
    assert count(server, store, path) == 15 and len(files(store, path, "")) == 6


def test_rows_that_are_deleted_have_no_say(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    node.query("INSERT INTO t SELECT '2027-01-01', number, toString(number) FROM numbers(2)")
    node.query("DELETE FROM t WHERE s = '1'", settings={"lightweight_deletes_sync": 2})
    outcomes = export(server, store, path, "s")
    assert [outcome.error for outcome in outcomes] == [""] * 4
    assert folders(store, path) == ["s=0", "s=a"]
    node.query("DELETE FROM t WHERE s = '0'", settings={"lightweight_deletes_sync": 2})
    with pytest.raises(ExportRefused, match="has no row, and so no value of s"):
        export(server, store, f"{path}b", "s")


def test_a_table_of_the_lakes_key(
    node: EmbeddedNode, server: Server, store: Store, path: str
) -> None:
    """Only where the key is named: the statement refuses tables of another key."""
    place = Place.parse(path)
    url = f"{store.endpoint}/{place.bucket}/{place.prefix}"
    node.query(
        f"CREATE TABLE lake (d Date, n UInt64, s String) ENGINE = S3('{url}', '{store.access_key}', "
        f"'{store.secret_key}', format = 'Parquet', partition_strategy = 'hive') PARTITION BY s"
    )
    for key in (None, YEAR):
        with pytest.raises(ExportRefused, match="different partition key"):
            exporter(server, store).plan(Request("t", "lake", lake_key=key))
    outcomes = exporter(server, store).export(Request("t", "lake", lake_key="s"))
    assert [outcome.error for outcome in outcomes] == [""] * 3
    assert server.rows("SELECT count(), uniqExact(d), any(s) FROM lake") == [["15", "3", "a"]] or (
        server.rows("SELECT count(), uniqExact(d), any(s) FROM lake") == [[15, 3, "a"]]
    )
