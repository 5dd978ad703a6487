"""What verifies exports: commit files, and what differs from them."""

from __future__ import annotations

import json

from pipelines.clickhouse_server import Server
from pipelines.export_destination import place_destination
from pipelines.export_verify import verify
from pipelines.s3 import Place, Store

from .exports import export, files, parts, source_sums, sums


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
