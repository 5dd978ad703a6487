"""Verification of exported files against the parts that they were made of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from helpers.cluster.client.interception import action
from steps.export_part.exports import Lake, exporter
from steps.tables import Table

if TYPE_CHECKING:
    from pipelines.export.commit import Commit
    from pipelines.export.verify_rows import SourcePart


def _sources(lake: Lake, source: Table, path: str) -> Iterator[tuple[Commit, SourcePart]]:
    """The commit files below a path, with the parts that they name."""
    from pipelines.export.commit import commits_below
    from pipelines.export.verify_rows import SourcePart, Sources
    from pipelines.s3.store import Place

    sources = Sources([exporter(lake).server])
    for commit in commits_below(lake.store.store(), Place.parse(lake.place(path))):
        found = sources.find(commit)
        assert isinstance(found, SourcePart), f"{commit.part}: {found}"
        assert found.table.name == source.name, f"{commit.part} is of {found.table}"
        yield commit, found


def verified_rows(lake: Lake, source: Table, path: str) -> dict[str, list[str]]:
    """What differs between each part and its files: bytes, and rows as Spark reads them."""
    from pipelines.export.commit import violations
    from pipelines.export.verify_rows import differences
    from steps.spark.session import spark

    store = lake.store.store()
    return {
        commit.part: violations(store, lake.bucket, commit)
        or differences(spark(), store, lake.bucket, commit, found)
        for commit, found in _sources(lake, source, path)
    }


def prune_statements(lake: Lake, source: Table, path: str, *, with_rows: bool = False) -> list[str]:
    """The statements that detach the parts whose files are as committed, and whose rows are the parts'."""
    wrong = verified_rows(lake, source, path) if with_rows else {}
    return [
        found.detach for commit, found in _sources(lake, source, path) if not wrong.get(commit.part)
    ]


@action
def replace_file(lake: Lake, source: Table, path: str, part: str) -> None:
    """Another row in the file of a part, and a commit file that agrees with the new bytes."""
    store = lake.store.store()
    (key,) = (
        lake.filename(key) for key in lake.keys("", path=path) if f"/_commit_{part}_" in f"/{key}"
    )
    said = json.loads(store.get(lake.bucket, key) or b"")
    content = exporter(lake).server.execute(
        f"SELECT i, if(i = (SELECT min(i) FROM {source} WHERE _part = '{part}'), 'forged', owner) AS owner "
        f"FROM {source} WHERE _part = '{part}' FORMAT Parquet",
        {},
    )
    piece = {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
    store.put(lake.bucket, said["key"], content)
    store.put(
        lake.bucket, key, json.dumps({**said, "size": len(content), "pieces": [piece]}).encode()
    )
