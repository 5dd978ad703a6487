"""Objects: what a node's S3 disks keep in the store, as the store lists it and as the node does."""

from __future__ import annotations

from collections.abc import Collection

from helpers.cluster.node import Node
from helpers.scenario.context import this
from steps.tables import Table, distinct

BUCKET = "disks"
# Objects by which a plain rewritable disk remembers its folders; the node does not list them as data.
FOLDERS = "/__meta/"


def stored_objects(node: Node) -> set[str]:
    """All objects of this node's disks that the store has."""
    return set(this().cluster.object_store().keys(BUCKET, prefix=f"{node.name}/"))


def known_objects(node: Node) -> set[str]:
    """All objects that this node's disks refer to."""
    return distinct(node.column("SELECT DISTINCT remote_path FROM system.remote_data_paths"))


def objects_of(table: Table, parts: Collection[str], files: str = "%") -> set[str]:
    """The objects of these parts: all of them, or those of files named like this."""
    named = ", ".join(f"'{part}'" for part in parts)
    return distinct(
        table.node.column(
            "SELECT DISTINCT remote_path FROM system.remote_data_paths "
            f"WHERE position(local_path, '{_uuid(table)}') > 0 "
            f"AND splitByChar('/', local_path)[-2] IN ({named}) AND local_path LIKE '%/{files}'"
        )
    )


def lost_and_orphaned(node: Node) -> dict[str, set[str]]:
    """Objects that the node refers to and the store lacks, and those that only the store has."""
    known, stored = known_objects(node), stored_objects(node)
    data = {key for key in stored if FOLDERS not in key}
    return {"lost": known - stored, "orphaned": data - known}


def _uuid(table: Table) -> str:
    return str(
        table.node.value(
            f"SELECT uuid FROM system.tables WHERE database = '{table.database}' "
            f"AND name = '{table.name}'"
        )
    )
