"""How a segment becomes parts of an upload: of one size, enough of them, and the footer in none of them."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

import pytest

from helpers.cluster.embedded_node import EmbeddedNode
from pipelines import export_task
from pipelines.clickhouse_server import Server, Statement
from pipelines.export_destination import place_destination
from pipelines.export_task import PartExport
from pipelines.export_upload import MOST_PARTS, SMALLEST_PART, Segment
from pipelines.export_verify import verify
from pipelines.s3 import PART, Pending, Place, Store

from .exports import export

GB = 1024**3
READ = "SELECT count(), toString(sum(cityHash64(s))) FROM {}"


@pytest.mark.parametrize(
    ("segments", "compressed"), [(1, GB // 2), (10, 5 * GB), (64, 32 * GB), (64, 320 * GB)]
)
def test_there_are_numbers_for_all_bytes(segments: int, compressed: int) -> None:
    part = SimpleNamespace(compressed=compressed)
    work = SimpleNamespace(planned=SimpleNamespace(part=part), plan=SimpleNamespace(columns="abc"))
    size, held = PartExport._layout(cast(Any, work), 20_000_000, segments, 1_000_000)
    segment = Segment(
        cast(Any, None),
        Statement("", {}, ""),
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
    ("rows", "rows_per_task", "footer"),
    [
        (8_000, 20_000_000, None),
        (18_000, 9_000, None),
        (18_000, 9_000, 10),
    ],
)
def test_a_footer_that_was_not_expected_costs_an_attempt(
    node: EmbeddedNode,
    server: Server,
    store: Store,
    path: str,
    monkeypatch: pytest.MonkeyPatch,
    rows: int,
    rows_per_task: int,
    footer: int | None,
) -> None:
    """Of one task or of two, each with more bytes than one part and what is held back."""
    if footer:
        monkeypatch.setattr(
            export_task, "SMALL_FOOTER", footer - (rows_per_task < rows) * SMALLEST_PART
        )
    node.query("CREATE TABLE t (s String) ENGINE = MergeTree ORDER BY tuple()")
    node.query(f"INSERT INTO t SELECT randomString(1000) FROM numbers({rows})")
    tried: list[str] = []
    stream = Server.stream

    def counted(self: Server, sql: str, *others: Any) -> Any:
        tried.extend([sql] * sql.endswith("FORMAT Parquet"))
        return stream(self, sql, *others)

    monkeypatch.setattr(Server, "stream", counted)
    (outcome,) = export(server, store, path, rows_per_task=rows_per_task)
    assert (outcome.status, outcome.rows) == ("succeeded", rows), outcome.error
    tasks = -(-rows // rows_per_task)
    # One of them is the plan's, for no rows.
    assert len(tried) - 1 == tasks * (2 if footer else 1)
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
    monkeypatch: pytest.MonkeyPatch,
    rows: int,
    rows_per_task: int,
    by_driver: bool,
) -> None:
    node.query("CREATE TABLE t (s String) ENGINE = MergeTree ORDER BY tuple()")
    node.query(f"INSERT INTO t SELECT randomString(1000) FROM numbers({rows})")
    numbers: list[int] = []
    upload = Store.upload_part

    def counted(self: Store, pending: Pending, number: int, data: bytes) -> str:
        numbers.append(number)
        return upload(self, pending, number, data)

    monkeypatch.setattr(Store, "upload_part", counted)
    (outcome,) = export(server, store, path, rows_per_task=rows_per_task)
    assert (outcome.status, outcome.rows) == ("succeeded", rows), outcome.error
    assert numbers == ([MOST_PARTS] if by_driver else [1, 2])
    assert [item.violations for item in verify(place_destination(store, path))] == [()]
