"""How a segment becomes parts of an upload: of one size, enough of them, and the footer in none of them."""

from __future__ import annotations

from typing import Any, cast

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import PreparedQuery, Server
from pipelines.export.commit import commits_below
from pipelines.export.destination import place_destination
from pipelines.export.files import segments as export_task
from pipelines.export.files.segments import upload_sizes
from pipelines.export.transfer.upload import MOST_PARTS, SMALLEST_PART, Segment
from pipelines.export.verify import verify
from pipelines.s3.store import PART, Pending, Place, Store
from tests.pipelines.export.without_spark import Tasks, export

GB = 1024**3
READ = "SELECT count(), toString(sum(cityHash64(s))) FROM {}"


@pytest.fixture
def numbers(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The numbers of the parts that uploads have got, as they come."""
    numbers: list[int] = []
    upload_part = Store.upload_part

    def numbered(self: Store, upload: Pending, number: int, data: bytes) -> str:
        numbers.append(number)
        return upload_part(self, upload, number, data)

    monkeypatch.setattr(Store, "upload_part", numbered)
    return numbers


@pytest.mark.parametrize(
    ("segments", "compressed"), [(1, GB // 2), (10, 5 * GB), (64, 32 * GB), (64, 320 * GB)]
)
def test_there_are_numbers_for_all_bytes(segments: int, compressed: int) -> None:
    size, held = upload_sizes(compressed, 20_000_000, segments, 60)
    segment = Segment(
        cast(Any, None),
        PreparedQuery("", {}, ""),
        cast(Any, None),
        Pending("", "", "", ()),
        1,
        (MOST_PARTS - 1) // segments,
        size,
        held,
        segments == 1,
    )
    sizes = [segment.size_of(number) for number in range(segment.numbers_per_try)]
    assert sum(sizes) > 1.5 * compressed / segments
    # All of what is expected goes into parts of one size.
    if segments == 1:
        assert set(sizes[: compressed // PART]) == {PART}


@pytest.mark.parametrize(
    ("rows", "rows_per_task", "footer", "width"),
    [
        (8_000, 20_000_000, None, "1000"),
        (18_000, 9_000, None, "1000"),
        (18_000, 9_000, 10, "1000"),
        # The bytes of the first task are too few for a part of the upload and come last.
        (18_000, 9_000, None, "if(number < 9000, 10, 1000)"),
    ],
)
def test_a_footer_that_was_not_expected_costs_an_attempt(
    node: EmbeddedNode,
    server: Server,
    store: Store,
    path: str,
    numbers: list[int],
    monkeypatch: pytest.MonkeyPatch,
    rows: int,
    rows_per_task: int,
    footer: int | None,
    width: str,
) -> None:
    """Of one task or of two, with more bytes than one part and what is held back."""
    if footer:
        monkeypatch.setattr(
            export_task, "SMALL_FOOTER", footer - (rows_per_task < rows) * SMALLEST_PART
        )
    node.query("CREATE TABLE t (s String) ENGINE = MergeTree ORDER BY tuple()")
    node.query(f"INSERT INTO t SELECT randomString({width}) FROM numbers({rows})")
    tried: list[str] = []
    stream = Server.stream

    def counted(self: Server, sql: str, settings: Any, *others: Any) -> Any:
        if sql.endswith("FORMAT Parquet") and "query_id" in settings:
            tried.append(settings["query_id"])
        return stream(self, sql, settings, *others)

    monkeypatch.setattr(Server, "stream", counted)
    (outcome,) = export(server, store, path, rows_per_task=rows_per_task)
    assert (outcome.status, outcome.rows) == ("succeeded", rows), outcome.error
    tasks = -(-rows // rows_per_task)
    assert len(tried) == tasks * (2 if footer else 1)
    # What an attempt that failed still does, reading or writing, is not in the way of the next one.
    assert len(set(tried)) == len(tried)
    assert len(set(numbers)) == len(numbers) > 1
    place = Place.parse(path)
    url = f"{store.endpoint}/{place.bucket}/{outcome.key}"
    files = f"s3('{url}', '{store.access_key}', '{store.secret_key}', 'Parquet')"
    assert server.rows(READ.format(files)) == server.rows(READ.format("t"))
    assert [item.violations for item in verify(place_destination(store, path))] == [()]
    assert store.uploads(place) == []


@pytest.mark.parametrize(
    ("rows", "rows_per_task", "by_driver"), [(100, 200, True), (8_000, 9_000, False)]
)
def test_the_only_task_of_a_part_uploads_its_end_unless_that_is_small(
    node: EmbeddedNode,
    server: Server,
    store: Store,
    path: str,
    numbers: list[int],
    rows: int,
    rows_per_task: int,
    by_driver: bool,
) -> None:
    node.query("CREATE TABLE t (s String) ENGINE = MergeTree ORDER BY tuple()")
    node.query(f"INSERT INTO t SELECT randomString(1000) FROM numbers({rows})")
    (outcome,) = export(server, store, path, rows_per_task=rows_per_task)
    assert (outcome.status, outcome.rows) == ("succeeded", rows), outcome.error
    assert numbers == ([MOST_PARTS] if by_driver else [1, 2])
    assert [item.violations for item in verify(place_destination(store, path))] == [()]


def test_tasks_share_the_bandwidth(
    server: Server, store: Store, table: str, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shares: list[float] = []
    together = Tasks.parallelize

    def noted(self: Tasks, items: Any, count: int) -> Tasks:
        shares.extend(segment.bandwidth for _, segment in items)
        return together(self, items, count)

    monkeypatch.setattr(Tasks, "parallelize", noted)
    export(server, store, path, bandwidth=1e9, rows_per_task=500)
    # As many as run at a time have all of it.
    assert set(shares) == {1e9 / Tasks.defaultParallelism}


@pytest.mark.parametrize("columns", [250, 2000])
def test_a_part_of_many_columns(
    node: EmbeddedNode, server: Server, store: Store, path: str, columns: int
) -> None:
    """The fingerprint covers them all: it is not one expression per column nested in the next."""
    named = ", ".join(f"`a column with a long name {at}` Nullable(UInt32)" for at in range(columns))
    node.query(f"CREATE TABLE t ({named}, n UInt64) ENGINE = MergeTree ORDER BY n")
    node.query("INSERT INTO t (n) SELECT number FROM numbers(5)")
    (outcome,) = export(server, store, path)
    assert outcome.status == "succeeded", outcome.error
    (commit,) = commits_below(store, Place.parse(path))
    assert commit.fingerprint and (commit.rows, len(commit.columns)) == (5, columns + 1)
