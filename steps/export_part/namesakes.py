"""Tables of the same database and name on two servers, which export to one place."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from steps.export_part.exports import Lake, executed, exporter, new_lake, source_table
from steps.tables import COLUMNS, Table

if TYPE_CHECKING:
    from pipelines.export.part import Outcome


def lakes_with_namesakes() -> tuple[tuple[Lake, Lake], tuple[Table, Table]]:
    """Two servers that see one folder, and on each an empty table of the same database and name."""
    lake, other = new_lake(), new_lake("other")
    second = replace(other, folder=lake.folder)
    source = source_table(lake)
    namesake = Table(second.node, source.database, source.name)
    # A definition would bring the UUID along, which is different on every server.
    second.node.query(
        f"CREATE TABLE {namesake} ({COLUMNS}) ENGINE = MergeTree PARTITION BY p ORDER BY i"
    )
    return (lake, second), (source, namesake)


def lakes_with_replicas() -> tuple[tuple[Lake, Lake], tuple[Table, Table]]:
    """Two servers that see one folder, and on each an empty replica of one table."""
    lakes = [new_lake(name, fragments=("replication",)) for name in ("replica1", "replica2")]
    first, second = lakes[0], replace(lakes[1], folder=lakes[0].folder)
    name = this().unique("replicated")
    tables = [Table(lake.node, this().database, name) for lake in lakes]
    for table in tables:
        table.node.query(
            f"CREATE TABLE {table} ({COLUMNS}) ENGINE = ReplicatedMergeTree("
            f"'/{this().database}/{name}', '{table.node.name}') PARTITION BY p ORDER BY i"
        )
        table.node.query(f"SYSTEM STOP MERGES {table}")
    return (first, second), (tables[0], tables[1])


def export_from_all(
    lakes: Sequence[Lake],
    source: Table,
    path: str,
    planned: Callable[[], object] = lambda: None,
    **options: Any,
) -> list[Outcome]:
    """Export all parts of the tables of this name on all servers, in one command.

    `planned` is called between plan and execution.
    """
    from pipelines.export.plan import Request
    from pipelines.export.servers import plan_servers
    from steps.spark.session import server

    def run() -> list[Outcome]:
        store, request = lakes[0].store.store(), Request(str(source), lakes[0].place(path))
        plans = plan_servers([server(lake.node) for lake in lakes], request, store)
        planned()
        return list(exporter(lakes[0], **options).execute(plans))

    outcomes: list[Outcome] | None = executed(run)
    assert outcomes is not None, "the export was left out"
    return outcomes


def rows_in_files(lake: Lake, path: str) -> list[Row]:
    """All rows that a reader finds in the files below a path."""
    arguments = lake.s3(f"{path}**.parquet")
    found = lake.node.query(f"SELECT i, owner FROM s3({arguments})")
    return sorted(found)
