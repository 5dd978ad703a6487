"""File names by a pattern: rows are there once, and no file of another part is replaced."""

from __future__ import annotations

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.export.destination import place_destination
from pipelines.export.errors import ExportRefused
from pipelines.export.part import Outcome
from pipelines.export.plan import Request
from pipelines.export.verify import verify
from pipelines.s3.store import Store
from tests.pipelines.export.test_two_servers import Pair, asked, insert, pair, rows
from tests.pipelines.export.without_spark import exporter, files, source_sums, sums

__all__ = ["pair"]


def named(
    server: Server, store: Store, path: str, pattern: str, policy: str = "skip"
) -> list[Outcome]:
    return exporter(server, store, if_exists=policy).export(
        Request("t", path, name_pattern=pattern)
    )


def test_a_pattern_names_files(server: Server, store: Store, table: str, path: str) -> None:
    outcomes = named(server, store, path, "{database}.{table}-{part}")
    expected = sorted(f"{server.database}.t-{outcome.part}.parquet" for outcome in outcomes)
    assert sorted(key.rpartition("/")[2] for key in files(store, path)) == expected
    assert sums(server, store, path) == source_sums(server)
    assert not any(item.violations for item in verify(place_destination(store, path)))


def test_another_name_does_not_double_rows(
    server: Server, store: Store, table: str, path: str
) -> None:
    named(server, store, path, "{part}")
    for pattern in ("{part}", "x{part}", "{part}_{checksum}_{source}"):
        assert {outcome.status for outcome in named(server, store, path, pattern)} == {"skipped"}
    outcomes = named(server, store, path, "x{part}", "overwrite")
    assert {outcome.status for outcome in outcomes} == {"succeeded"}
    assert all("/x" in key for key in files(store, path))
    assert sums(server, store, path) == source_sums(server)
    assert not any(item.violations for item in verify(place_destination(store, path)))


@pytest.mark.parametrize("policy", ["skip", "overwrite"])
def test_names_that_collide_replace_nothing(
    pair: Pair, store: Store, path: str, policy: str
) -> None:
    """Equal rows, equal part names and equal numbers of rows, on two servers."""
    for node in pair:
        insert(node, 0)
    first, second = map(asked, pair)
    (done,) = named(first, store, path, "{part}", policy)
    assert done.status == "succeeded", done.error
    (refused,) = named(second, store, path, "{part}", policy)
    assert refused.code == 504 and "export under another name" in refused.error
    assert rows(first, store, path) == list(range(5))
    (other,) = named(second, store, path, "{part}-{source}", policy)
    assert other.status == "succeeded", other.error
    assert rows(first, store, path) == sorted([*range(5)] * 2)


@pytest.mark.parametrize("pattern", ["x", "", "{part}/x", "_{part}", "{part}{nope}", "{part}}"])
def test_a_pattern_that_cannot_be_is_refused(
    node: EmbeddedNode, server: Server, store: Store, table: str, path: str, pattern: str
) -> None:
    with pytest.raises(ExportRefused, match="name pattern"):
        exporter(server, store).plan(Request("t", path, name_pattern=pattern))


def test_a_shard_is_the_servers_macro(server: Server, store: Store, table: str, path: str) -> None:
    with pytest.raises(ExportRefused, match="no macro 'shard'"):
        exporter(server, store).plan(Request("t", path, name_pattern="{shard}-{part}"))
