"""Lakes of another layout than Hive's by the table's key: another key, and Iceberg."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from helpers.cluster.client.interception import action
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from steps.export_part.exports import Lake, executed, exporter
from steps.tables import Table

if TYPE_CHECKING:
    from pipelines.export.iceberg.registration import Registration
    from pipelines.export.plan import Plan


def to_lake_key(lake: Lake, source: Table, path: str, key: str) -> list[str]:
    """Export all parts by a key of the lake; the errors of each, or that of the refusal."""
    from pipelines.export.errors import ExportRefused
    from pipelines.export.plan import Request

    request = Request(str(source), lake.place(path), lake_key=key)
    try:
        outcomes = executed(lambda: exporter(lake).export(request))
    except ExportRefused as refused:
        return [str(refused)]
    assert outcomes is not None, "the export was left out"
    return [outcome.error for outcome in outcomes]


def by_folder(lake: Lake, path: str) -> dict[str, list[int]]:
    """The column p of the rows in each folder below a path."""
    arguments = lake.s3(f"{path}/**.parquet", structure="p UInt64, i UInt64, owner String")
    rows = lake.node.query(
        "SELECT extract(_path, '([^/]+)/[^/]+$'), groupArray(p) FROM (SELECT _path, p "
        f"FROM s3({arguments}) ORDER BY p) GROUP BY 1",
        settings={"use_hive_partitioning": 0},
    )
    return {str(folder): sorted(map(int, values)) for folder, values in rows}


def export_with_keys(lake: Lake, source: Table, path: str, **options: Any) -> None:
    """Export all parts with the columns of the key in the files, as Iceberg needs them."""
    outcomes = executed(lambda: list(exporter(lake, **options).execute(_plan(lake, source, path))))
    assert outcomes is not None, "the export was left out"
    assert [outcome.error for outcome in outcomes if outcome.error] == []


def _registration(path: str) -> Registration:
    from pipelines.export.iceberg.registration import Registration

    return Registration(f"sqlite:///{this().folder}/{path}.db", "lake.t")


def _plan(lake: Lake, source: Table, path: str) -> Plan:
    from pipelines.export.plan import Request

    return exporter(lake).plan(Request(str(source), lake.place(path), keys_in_file=True))


@action
def register(lake: Lake, source: Table, path: str, as_place: str = "") -> str:
    """Register what was exported to a path, in the catalog of `as_place` if that is given; the number of
    files that were added, or why it was refused."""
    from pipelines.export.errors import ExportRefused

    try:
        return str(_registration(as_place or path).register([_plan(lake, source, path)]))
    except ExportRefused as refused:
        return str(refused)


def snapshots(lake: Lake, source: Table, path: str) -> int:
    """How many snapshots the table of a path has."""
    table = _registration(path)._table(_plan(lake, source, path))
    return len(table.metadata.snapshots)


def iceberg_rows(lake: Lake, path: str) -> list[Row]:
    """The columns i and owner as ClickHouse's reader of Iceberg finds them."""
    arguments = lake.s3(f"{path}/_iceberg/")
    return sorted(lake.node.query(f"SELECT i, owner FROM icebergS3({arguments})"))
