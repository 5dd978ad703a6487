"""Versions: one data directory under servers of different versions, and parts from a server of 2018."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.cluster.binary.cluster import BinaryCluster
from helpers.cluster.binary.program import checked
from helpers.cluster.client.interception import CALLS
from helpers.cluster.client.session import Row
from helpers.cluster.engines.engine import KNOWN
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.drawing import DistinctNumbers
from steps.partitions import replace_each
from steps.parts import rewrite
from steps.tables import COLUMNS, NO_MERGES, Table, contents, create_table, insert

NEWER, OLDER = KNOWN[:2]
PARTITIONS = (1, 2, 3)  # 3 variants
ROWS = 20
MORE_COLUMNS = (
    "n Nullable(String) DEFAULT if(i % 3 = 0, NULL, toString(i)), "
    "l LowCardinality(String) DEFAULT toString(i % 5), "
    "a Array(UInt64) DEFAULT range(i % 7), "
    "d Decimal(18, 4) DEFAULT toDecimal64(i, 4) / 3, "
    "t DateTime64(3, 'UTC') DEFAULT toDateTime64(i, 3, 'UTC'), "
    "m Map(String, UInt64) DEFAULT map(owner, i), "
    "z UInt64 DEFAULT i % 10 = 0"
)
KINDS = {  # 2 variants
    "compact": {"min_rows_for_wide_part": 1_000_000, "min_bytes_for_wide_part": 1_000_000_000},
    "wide": {"min_rows_for_wide_part": 1, "min_bytes_for_wide_part": 0},
}


@dataclass(frozen=True)
class VersionPair:
    """A source and a destination whose parts one server wrote."""

    source: Table
    destination: Table


def server(version: str) -> Node:
    """The node with this engine; its data is what the engine before it has left."""
    return this().node("versions", version=version)


def written_pair(node: Node, kind: str) -> VersionPair:
    """Tables whose parts, of this kind, this server writes now."""
    tables = []
    for name in ("source", "destination"):
        columns = f"{COLUMNS}, {MORE_COLUMNS}"
        table = create_table(
            name, node=node, columns=columns, settings={**NO_MERGES, **KINDS[kind]}
        )
        rows = random_rows(table.name)
        node.query(f"INSERT INTO {table} (p, i, owner) VALUES", data=rows)
        kinds = node.column(
            "SELECT DISTINCT lower(toString(part_type)) FROM system.parts WHERE active "
            f"AND database = '{table.database}' AND table = '{table.name}'"
        )
        assert kinds == [kind], f"the fixture has {kinds} parts"
        tables.append(table)
    return VersionPair(*tables)


def plain_pair(node: Node) -> VersionPair:
    """Tables with the columns that every version knows, written by this server."""
    tables = [create_table(name, node=node) for name in ("source", "destination")]
    for table in tables:
        insert(table, random_rows(table.name))
    return VersionPair(*tables)


def pair_written_in_2018(node: Node) -> VersionPair:
    """Tables on this node with parts that the installed old server writes, attached."""
    tables = [create_table(name, node=node) for name in ("source", "destination")]
    with tempfile.TemporaryDirectory() as scratch:
        rows = {table.name: random_rows(table.name) for table in tables}
        with CALLS.hidden(), BinaryCluster(Path(scratch), checked(None)) as cluster:
            old = cluster.node()
            assert old.version.startswith("18."), f"the old server is {old.version}"
            for name, inserted in rows.items():
                old.query(
                    f"CREATE TABLE default.{name} ({COLUMNS}) "
                    "ENGINE = MergeTree PARTITION BY p ORDER BY i"
                )
                old.query(f"INSERT INTO default.{name} VALUES", data=inserted)
            written = old.folder / "data" / "data" / "default"
        for table in tables:
            _attach(table, sorted((written / table.name).glob("*_*_*_0")))
            assert contents(table) == rows[table.name], f"{table} is not what was written in 2018"
    return VersionPair(*tables)


def replace_across(written: VersionPair, own: VersionPair) -> list[str]:
    """Parts of another version as the source, as the replaced partition, and as both."""
    return [
        *replace_each(own.destination, {1: written.source}, {1: "theirs into ours"}),
        *replace_each(
            written.destination,
            {1: own.source, 2: written.source},
            {1: "ours into theirs", 2: "theirs into theirs"},
        ),
    ]


def rewritten(tables: Sequence[Table]) -> list[list[Row]]:
    """What the tables hold after this server has merged all parts, whichever server wrote them."""
    for table in tables:
        rewrite(table)
    return [contents(table) for table in tables]


def random_rows(owner: str) -> list[tuple[Any, ...]]:
    """Rows for all partitions that carry this name; the numbers are of the run's seed."""
    return drawn_rows(this().numbers, owner)


def drawn_rows(numbers: DistinctNumbers, owner: str) -> list[tuple[Any, ...]]:
    return sorted(
        (partition, number, owner) for partition in PARTITIONS for number in numbers.draw(ROWS)
    )


def _attach(table: Table, parts: Sequence[Path]) -> None:
    assert len(parts) == len(PARTITIONS), f"the old server wrote {parts}"
    (folder,) = table.node.value(
        "SELECT data_paths FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}'"
    )
    for part in parts:
        shutil.copytree(part, Path(folder) / "detached" / part.name)
        table.node.query(f"ALTER TABLE {table} ATTACH PART '{part.name}'")
