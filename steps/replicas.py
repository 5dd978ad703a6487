"""Replicas: tables that several nodes keep together through a coordination service."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from helpers.cluster.background import Background
from helpers.cluster.node import Node
from helpers.cluster.session import Row
from helpers.context import this
from steps.partitions import replacing
from steps.tables import NO_MERGES, Table, by_partition, contents, create_table, fill

NAMES = ("node1", "node2", "node3")
# Each row a block and each block a part: a statement that takes over so many lasts a while.
ROW_BY_ROW = {"max_block_size": 1, "max_insert_block_size": 1, "min_insert_block_size_rows": 1}
MANY = 200


@dataclass(frozen=True)
class Replicated:
    """A table on each of several nodes, and where the coordination service keeps what they share."""

    path: str
    tables: tuple[Table, ...]

    def on(self, node: Node) -> Table:
        return next(table for table in self.tables if table.node is node)


def three_replicas() -> tuple[Node, ...]:
    return tuple(this().node(name) for name in NAMES)


def replicated_table(name: str, nodes: Sequence[Node], partitions: Sequence[int]) -> Replicated:
    """A table on all these nodes, with rows in these partitions that have reached every one."""
    # What is in the coordination service outlives a run that was killed: no path is used twice.
    path = f"/regression/{this().database}/{uuid.uuid4().hex}"
    tables = tuple(
        create_table(name, node=node, engine=f"ReplicatedMergeTree('{path}', '{node.name}')")
        for node in nodes
    )
    table = Replicated(path, tables)
    if partitions:
        fill(tables[0], partitions)
        everywhere(table, by_partition(tables[0]))
    return table


def everywhere(table: Replicated, expected: dict[int, list[Row]]) -> None:
    """Every replica comes to hold exactly these rows."""
    for replica in table.tables:
        this().eventually(partial(by_partition, replica), equals=expected, timeout=30)


def many_parts(name: str, node: Node) -> Table:
    """A table of one node with a partition of many parts."""
    limits = {"parts_to_delay_insert": 2 * MANY, "parts_to_throw_insert": 2 * MANY}
    table = create_table(name, node=node, settings={**NO_MERGES, **limits})
    node.query(
        f"INSERT INTO {table} SELECT 1, number, '{table.name}' FROM "
        f"(SELECT number FROM system.numbers LIMIT {MANY})",
        settings={**ROW_BY_ROW, "max_threads": 1},
    )
    made = node.value(
        "SELECT count() FROM system.parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' AND active"
    )
    assert made == MANY, f"the fixture has {made} parts instead of {MANY}"
    return table


def replace_in_background(destination: Table, source: Table) -> Background:
    """REPLACE PARTITION 1, seen running; the caller collects its outcome."""
    statement = destination.node.background(replacing(destination, source, 1))
    this().eventually(lambda: statement.running, pause=0.002)
    return statement


def fetched_rows(table: Table) -> list[Row]:
    """What a FETCH has put aside, once it is attached to this empty table."""
    assert contents(table) == [], f"{table} has rows of its own"
    table.node.query(f"ALTER TABLE {table} ATTACH PARTITION 1")
    return contents(table)
