"""What verifies exports: commit files, and what differs from them."""

from __future__ import annotations

import dataclasses
import json

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.rows import ClickHouseRows
from pipelines.clickhouse.server import Server
from pipelines.compare import fingerprint
from pipelines.export.destination import locate, place_destination
from pipelines.export.errors import ExportRefused
from pipelines.export.plan import Request
from pipelines.export.source import find_table
from pipelines.export.verify import verify
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import export, exporter, files, parts, source_sums, sums


def test_verify_names_what_is_wrong(server: Server, store: Store, table: str, path: str) -> None:
    export(server, store, path)
    place = Place.parse(path)
    assert not any(item.violations for item in verify(place_destination(store, path)))
    damaged, gone, *_ = files(store, path)
    content = bytearray(store.get(place.bucket, damaged) or b"")
    content[10] ^= 1
    store.put(place.bucket, damaged, bytes(content))
    store.remove(place.bucket, [gone])
    store.put(place.bucket, f"{place.prefix}p=1/stray.parquet", b"x")
    found = [text for item in verify(place_destination(store, path)) for text in item.violations]
    assert len(found) == 3
    assert f"{damaged} has other bytes than were committed" in found
    assert any("stray.parquet is there" in text for text in found)


def test_killed_before_the_commit_file(server: Server, store: Store, table: str, path: str) -> None:
    part = parts(server)[0]
    export(server, store, path, part)
    (commit,) = [key for key, _ in store.objects(Place.parse(path)) if "_commit_" in key]
    first = json.loads(store.get(Place.parse(path).bucket, commit) or b"")
    store.remove(Place.parse(path).bucket, [commit])
    export(server, store, path, part)
    second = json.loads(store.get(Place.parse(path).bucket, commit) or b"")
    assert (second["rows"], second["fingerprint"]) == (first["rows"], first["fingerprint"])
    assert [item.violations for item in verify(place_destination(store, path))] == [()]
    assert sums(server, store, path) == source_sums(server, f"_part = '{part}'")


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"rows": 1}, "rows, 1 were committed"),
        ({"size": 1}, "bytes, 1 were committed"),
        ({"pieces": []}, "has other bytes than were committed"),
    ],
)
def test_each_statement_of_a_commit_file_is_compared(
    server: Server, store: Store, table: str, path: str, change: dict[str, object], text: str
) -> None:
    export(server, store, path, parts(server)[0])
    place = Place.parse(path)
    (commit,) = [key for key in files(store, path, "") if "_commit_" in key]
    said = json.loads(store.get(place.bucket, commit) or b"")
    if "pieces" in change:
        change = {"pieces": [{**piece, "sha256": "0" * 64} for piece in said["pieces"]]}
    store.put(place.bucket, commit, json.dumps({**said, **change}).encode())
    (item,) = verify(place_destination(store, path))
    (violation,) = item.violations
    assert text in violation


@pytest.mark.parametrize("keys_in_files", [False, True])
def test_rows_in_a_table_are_compared_with_the_fingerprint(
    node: EmbeddedNode, server: Server, store: Store, table: str, path: str, keys_in_files: bool
) -> None:
    def s3_table(name: str, arguments: str) -> None:
        place = Place.parse(path)
        node.query(
            f"CREATE TABLE {name} (p UInt8, n UInt64) ENGINE = S3('{store.endpoint}/{place.bucket}/"
            f"{place.prefix}', '{store.access_key}', '{store.secret_key}', {arguments}, "
            "partition_strategy = 'hive') PARTITION BY p"
        )

    s3_table("d", f"'Parquet', partition_columns_in_data_file = {int(keys_in_files)}")
    s3_table("csv", "'CSV'")
    with pytest.raises(ExportRefused, match="has the format CSV, not Parquet"):
        exporter(server, store).plan(Request("t", "csv"))
    part = parts(server)[0]
    (outcome,) = exporter(server, store).export(Request("t", "d", part=part))
    assert outcome.status == "succeeded"
    destination = locate(find_table(server, server.database, "d"), store)
    (item,) = verify(destination, server)
    assert item.violations == ()
    (commit,) = [key for key in files(store, path, "") if "_commit_" in key]
    bucket = destination.place.bucket
    said = json.loads(store.get(bucket, commit) or b"")
    assert list(said["columns"]) == (["p", "n"] if keys_in_files else ["n"])
    columns = ", ".join(said["columns"])
    source = f"(SELECT {columns} FROM t WHERE _part = '{part}')"
    held = fingerprint.of_clickhouse(ClickHouseRows(server, "t", source, said["columns"]))
    assert said["fingerprint"] == dataclasses.asdict(held)
    other = {name: value + (name != "rows") for name, value in said["fingerprint"].items()}
    store.put(bucket, commit, json.dumps({**said, "fingerprint": other}).encode())
    (item,) = verify(destination, server)
    assert [text.partition(" in ")[0] for text in item.violations] == [
        f"{outcome.key} has other rows"
    ]
