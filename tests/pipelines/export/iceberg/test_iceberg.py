"""Exports registered in Iceberg: all parts in one snapshot, nothing twice, refusals first."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.errors import Unavailable
from pipelines.export.errors import ExportRefused
from pipelines.export.plan import Plan, Request
from pipelines.s3.store import Place, Store
from tests.pipelines.export.without_spark import exporter

pytest.importorskip("pyiceberg", reason="pyiceberg is an extra of the exporter")

from pipelines.export.iceberg.registration import Registration


@pytest.fixture
def registration(tmp_path: Path) -> Registration:
    return Registration(f"sqlite:///{tmp_path}/catalog.db", "lake.t")


def fill(node: EmbeddedNode, key: str = "toYYYYMM(d)") -> None:
    node.query(
        "CREATE TABLE t (d Date, n UInt64, u UInt32, s LowCardinality(String), f Nullable(Float64)) "
        f"ENGINE = MergeTree PARTITION BY {key} ORDER BY n"
    )
    node.query("SYSTEM STOP MERGES t")
    for half in (0, 1):
        node.query(
            f"INSERT INTO t SELECT toDate('2026-01-01') + number % 60, number * 2 + {half}, "
            "4294967295 - number, "
            "concat('k:', toString(number % 7)), if(number % 3 = 0, NULL, number / 2) FROM numbers(600)"
        )


def export(server: Server, store: Store, path: str, **options: Any) -> Plan:
    """Export everything; the plan, whose parts are all there."""
    asked = {
        name: options.pop(name) for name in ("keys_in_file", "name_pattern") if name in options
    }
    plan = exporter(server, store, **options).plan(Request("t", path, **asked))
    outcomes = list(exporter(server, store, **options).execute(plan))
    assert not [outcome.error for outcome in outcomes if outcome.error]
    return plan


SUMS = "count(), toString(sum(n)), toString(sum(u)), uniqExact(s), countIf(f IS NULL), toString(min(d))"


def seen(server: Server, store: Store, path: str, where: str = "1") -> list[Any]:
    """What ClickHouse's own reader of Iceberg finds."""
    place = Place.parse(path)
    url = f"{store.endpoint}/{place.bucket}/{place.prefix}_iceberg/"
    return server.rows(
        f"SELECT {SUMS} FROM icebergS3('{url}', '{store.access_key}', '{store.secret_key}') WHERE {where}"
    )[0]


def source(server: Server, where: str = "1") -> list[Any]:
    return server.rows(f"SELECT {SUMS} FROM t WHERE {where}")[0]


def snapshots(registration: Registration, plan: Plan) -> int:
    return len(registration._table(plan).metadata.snapshots)


def test_an_independent_reader_sees_all_parts_of_an_export(
    node: EmbeddedNode, server: Server, store: Store, path: str, registration: Registration
) -> None:
    fill(node)
    plan = export(server, store, path)
    registration.check([plan])
    assert registration.register([plan]) == len(plan.parts) == 6
    assert seen(server, store, path) == source(server)
    february = "d >= '2026-02-01' AND d < '2026-03-01'"
    assert seen(server, store, path, february) == source(server, february)
    assert snapshots(registration, plan) == 1
    assert registration.register([plan]) == 0
    assert snapshots(registration, plan) == 1
    place = Place.parse(path)
    for key, _ in store.objects(place):
        assert store.secret_key.encode() not in (store.get(place.bucket, key) or b"")


def test_a_merged_part_replaces_its_sources_in_one_snapshot(
    node: EmbeddedNode, server: Server, store: Store, path: str, registration: Registration
) -> None:
    fill(node)
    plan = export(server, store, path)
    registration.register([plan])
    node.query("SYSTEM START MERGES t")
    node.query("OPTIMIZE TABLE t FINAL")
    merged = export(server, store, path, if_exists="overwrite")
    assert len(merged.parts) == 3
    assert registration.register([merged]) == 3
    assert seen(server, store, path) == source(server)
    assert snapshots(registration, merged) == 2
    rewritten = export(
        server, store, path, if_exists="overwrite", settings={"output_format_compression_level": 9}
    )
    assert registration.register([rewritten]) == 3
    assert seen(server, store, path) == source(server)


def test_two_exports_commit_at_once(
    node: EmbeddedNode, server: Server, store: Store, path: str, registration: Registration
) -> None:
    fill(node)
    plan = export(server, store, path)
    added: list[int] = []
    threads = [
        threading.Thread(target=lambda: added.append(registration.register([plan])))
        for _ in range(3)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(added) == [0, 0, 6]
    assert seen(server, store, path) == source(server)


def test_a_table_of_other_columns_and_a_catalog_that_is_not_there(
    node: EmbeddedNode, server: Server, store: Store, path: str, registration: Registration
) -> None:
    fill(node)
    registration.register([export(server, store, path)])
    node.query("ALTER TABLE t ADD COLUMN more String")
    node.query("INSERT INTO t (d, more) VALUES ('2026-01-01', 'more')")
    plan = export(server, store, path)
    with pytest.raises(ExportRefused, match="exported, but not registered"):
        registration.register([plan])
    with pytest.raises(Unavailable, match="catalog does not answer"):
        Registration("sqlite:////no/such/folder/catalog.db", "lake.t").check([plan])
    with pytest.raises(ExportRefused, match="is namespace"):
        Registration("sqlite://", "t").check([plan])


def test_keys_in_the_file(
    node: EmbeddedNode, server: Server, store: Store, path: str, registration: Registration
) -> None:
    fill(node, "s")
    work = exporter(server, store)
    with pytest.raises(ExportRefused, match="add --keys-in-file"):
        registration.check([work.plan(Request("t", path))])
    plan = export(server, store, path, keys_in_file=True)
    registration.check([plan])
    assert registration.register([plan]) == len(plan.parts)
    assert seen(server, store, path) == source(server)
    assert seen(server, store, path, "s = 'k:3'") == source(server, "s = 'k:3'")


@pytest.mark.parametrize(
    ("columns", "key", "reason"),
    [
        ("d Date, n UInt8", "toMonday(d)", "no transform"),
        ("d DateTime('Asia/Kathmandu'), n UInt8", "toYYYYMM(d)", "another time zone"),
        ("d Date, n UInt64", "tuple()", "Iceberg's largest is 9223372036854775807"),
        ("d Date, n UInt8, i Int128", "tuple()", ""),
    ],
)
def test_what_iceberg_cannot_have(
    server: Server,
    store: Store,
    path: str,
    registration: Registration,
    columns: str,
    key: str,
    reason: str,
) -> None:
    server.run(f"CREATE TABLE t ({columns}) ENGINE = MergeTree PARTITION BY {key} ORDER BY n")
    server.run("INSERT INTO t (d, n) VALUES ('2026-01-01', 18446744073709551615)")
    plan = exporter(server, store).plan(Request("t", path))
    if not reason:  # 16 bytes are a type of Iceberg's
        registration.check([plan])
        return
    with pytest.raises(ExportRefused, match=reason):
        registration.check([plan])
    assert store.objects(Place.parse(path)) == []


def test_merged_parts_whose_rows_are_there_stay_registered_as_they_are(
    node: EmbeddedNode, server: Server, store: Store, path: str, registration: Registration
) -> None:
    fill(node)
    registration.register([export(server, store, path)])
    node.query("SYSTEM START MERGES t")
    node.query("OPTIMIZE TABLE t FINAL")
    merged = export(server, store, path, since_last=True)
    assert registration.register([merged]) == 0
    assert seen(server, store, path) == source(server)
    # A catalog that is lost, or was never asked before.
    assert Registration(registration.catalog, "lake.again").register([merged]) == 6


def test_files_named_by_a_pattern(
    node: EmbeddedNode, server: Server, store: Store, path: str, registration: Registration
) -> None:
    fill(node)
    pattern = "x-{part}"
    assert registration.register([export(server, store, path, name_pattern=pattern)]) == 6
    node.query("SYSTEM START MERGES t")
    node.query("OPTIMIZE TABLE t FINAL")
    merged = export(server, store, path, name_pattern=pattern, if_exists="overwrite")
    assert registration.register([merged]) == 3
    assert seen(server, store, path) == source(server)
    # The same parts are there under other names: they are skipped, and are not added twice.
    assert registration.register([export(server, store, path)]) == 0
    assert seen(server, store, path) == source(server)


def test_a_table_that_is_exported_to_two_places_is_registered_once(
    node: EmbeddedNode, server: Server, store: Store, path: str, registration: Registration
) -> None:
    """Its rows would be there twice: refused before anything is exported, and at the registration."""
    fill(node)
    plan = export(server, store, path)
    registration.register([plan])
    other = export(server, store, f"{path}b")
    for refused in (registration.check, registration.register):
        with pytest.raises(ExportRefused, match="would be there twice"):
            refused([other])
    assert seen(server, store, path) == source(server)
    registration.check([plan])
    assert registration.register([plan]) == 0
    node.query("CREATE TABLE another AS t")
    node.query("INSERT INTO another SELECT * FROM t")
    third = exporter(server, store).plan(Request("another", f"{path}b"))
    registration.check([third])  # rows of another table


def test_parts_of_several_files(
    node: EmbeddedNode, server: Server, store: Store, path: str, registration: Registration
) -> None:
    """All of them in one snapshot; a merge replaces all of them, and a rewrite in one file too."""
    fill(node)
    several: dict[str, Any] = {"rows_per_file": 70}
    plan = export(server, store, path, **several)
    assert registration.register([plan]) > len(plan.parts)
    assert registration.register([plan]) == 0 and snapshots(registration, plan) == 1
    assert seen(server, store, path) == source(server)
    rewritten = export(server, store, path, if_exists="overwrite")
    larger = [planned for planned in plan.parts if planned.part.rows > 70]
    assert registration.register([rewritten]) == len(larger) == 4
    assert seen(server, store, path) == source(server)
    node.query("SYSTEM START MERGES t")
    node.query("OPTIMIZE TABLE t FINAL")
    merged = export(server, store, path, if_exists="overwrite", **several)
    assert registration.register([merged]) > len(merged.parts) == 3
    assert seen(server, store, path) == source(server)
    again = export(server, store, path, if_exists="overwrite", **several)
    assert registration.register([again]) >= 0
    assert seen(server, store, path) == source(server)
