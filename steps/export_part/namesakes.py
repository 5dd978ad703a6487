"""Tables of the same database and name on two servers, which export to one place."""

from __future__ import annotations

from dataclasses import replace

from helpers.cluster.client.session import Row
from steps.export_part.exports import Lake, new_lake, source_table
from steps.tables import COLUMNS, Table


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


def rows_in_files(lake: Lake, path: str) -> list[Row]:
    """All rows that a reader finds in the files below a path."""
    arguments = lake.s3(f"{path}**.parquet")
    found = lake.node.query(f"SELECT i, owner FROM s3({arguments})")
    return sorted(found)
