"""Replicas: tables that several nodes keep together through a coordination service."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from helpers.cluster.client.background import Background
from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.step import step
from steps.partitions import replacing
from steps.tables import COLUMNS, NO_MERGES, Table, by_partition, contents, create_table, fill

NAMES = ("node1", "node2", "node3")
CLUSTER = "three_hosts"
# Each row a block and each block a part: a statement that takes over so many lasts a while.
ROW_BY_ROW = {"max_block_size": 1, "max_insert_block_size": 1, "min_insert_block_size_rows": 1}
MANY = 200
# Read-only for lack of a session, no coordination service, a lost connection to it.
NO_COORDINATION = {242, 225, 999}


@dataclass(frozen=True)
class Replicated:
    """A table on each of several nodes, and where the coordination service keeps what they share."""

    path: str
    tables: tuple[Table, ...]

    def on(self, node: Node) -> Table:
        return next(table for table in self.tables if table.node is node)


@step("I start three replicas")
def three_replicas() -> tuple[Node, ...]:
    return this().several(NAMES, fragments=("replication",))


def hosts_of_cluster() -> tuple[Node, ...]:
    """The same nodes, which know each other as a cluster of three hosts."""
    hosts = "".join(
        f"<shard><replica><host>{node.address[0]}</host><port>{node.address[1]}</port>"
        "</replica></shard>"
        for node in three_replicas()
    )
    text = (
        f"<clickhouse><remote_servers><{CLUSTER}>{hosts}</{CLUSTER}></remote_servers></clickhouse>"
    )
    return this().several(NAMES, fragments=("replication",), config={"cluster": text})


@step("I create a replicated table {name} with partitions {partitions}")
def replicated_table(
    name: str,
    nodes: Sequence[Node],
    partitions: Sequence[int],
    *,
    engine: str = "MergeTree",
    more: str = "",
    columns: str = COLUMNS,
) -> Replicated:
    """A table on all these nodes, with rows in these partitions that have reached every one.

    `more` is appended after the engine's own two arguments.
    """
    # What is in the coordination service outlives a run that was killed: no path is used twice.
    path = f"/regression/{this().database}/{uuid.uuid4().hex}"
    tables = tuple(
        create_table(
            name,
            node=node,
            columns=columns,
            engine=f"Replicated{engine}('{path}', '{node.name}'{more})",
        )
        for node in nodes
    )
    table = Replicated(path, tables)
    if partitions:
        fill(tables[0], partitions)
        everywhere(table, by_partition(tables[0]))
    return table


def replicated_destination(
    partitions: Sequence[int],
) -> tuple[tuple[Node, ...], Replicated, dict[int, list[Row]]]:
    """Three nodes, a destination that is replicated on them, and its rows by partition."""
    nodes = three_replicas()
    destination = replicated_table("destination", nodes, partitions)
    return nodes, destination, by_partition(destination.tables[0])


def source_on(node: Node, partitions: Sequence[int]) -> Table:
    """A table without replicas on this node, with rows of its own in these partitions."""
    source = create_table("source", node=node)
    fill(source, partitions)
    return source


def everywhere(table: Replicated, expected: dict[int, list[Row]]) -> None:
    """Every replica comes to hold exactly these rows."""
    come_to_hold(table.tables, expected)


@step("I wait until the replicas hold the expected rows")
def come_to_hold(replicas: Sequence[Table], expected: dict[int, list[Row]]) -> None:
    """Each of these replicas comes to hold exactly these rows."""
    for replica in replicas:
        this().eventually(partial(by_partition, replica), equals=expected, timeout=30)


def fingerprint(table: Table) -> list[Row]:
    """Of each partition its number of rows and a sum over their hashes, which reads every value."""
    return table.node.query(
        f"SELECT p, count(), sum(cityHash64(p, i, owner)) FROM {table} GROUP BY p ORDER BY p"
    )


@step("I wait until the replicas agree")
def settled(table: Replicated) -> dict[int, list[Row]]:
    """The rows by partition, once every replica has done what was decided and all have the same."""

    def agreed() -> bool:
        waiting = [
            replica.node.value(
                "SELECT count() FROM system.replication_queue "
                f"WHERE database = '{replica.database}' AND table = '{replica.name}'"
            )
            for replica in table.tables
        ]
        prints = [fingerprint(replica) for replica in table.tables]
        return not any(waiting) and prints == [prints[0]] * len(prints)

    this().eventually(agreed, timeout=60)
    rows = [by_partition(replica) for replica in table.tables]
    assert rows == [rows[0]] * len(rows), "replicas with the same fingerprint have other rows"
    return rows[0]


def tries_in_vain(replica: Table) -> bool:
    """Whether this replica has begun with something that was decided, and has not done it yet."""
    return bool(
        replica.node.value(
            "SELECT count() FROM system.replication_queue "
            f"WHERE database = '{replica.database}' AND table = '{replica.name}' AND num_tries > 0"
        )
    )


def origin(rows: Sequence[Row], known: Mapping[str, Sequence[Row]]) -> str | None:
    """The writer of these rows, if they are all of its rows and no others; otherwise None."""
    return next((name for name, expected in known.items() if list(rows) == list(expected)), None)


@dataclass(frozen=True)
class Outcomes:
    """What became of statements that ran at once: by node, what each failed with, or None."""

    errors: dict[str, BaseException | None]
    overlapped: bool

    @property
    def carried_out(self) -> set[str]:
        return {name for name, error in self.errors.items() if error is None}


def replace_on_each(destination: Replicated, sources: Mapping[str, Table]) -> Outcomes:
    """REPLACE PARTITION 1 on all replicas at once, each from its own source."""
    statements = {
        table.node.name: table.node.background(replacing(table, sources[table.node.name], 1))
        for table in destination.tables
    }
    first = next(iter(statements.values()))
    this().eventually(lambda: first.running or first.done, pause=0.002)
    began = max(statement.started for statement in statements.values())
    errors = {name: statement.outcome(120) for name, statement in statements.items()}
    ended = min(statement.started + statement.elapsed for statement in statements.values())
    return Outcomes(errors, overlapped=began < ended)


@step("I create a table {name} of {count} parts")
def many_parts(name: str, node: Node, count: int = MANY) -> Table:
    """A table of one node with a partition of many parts."""
    limits = {"parts_to_delay_insert": 2 * count, "parts_to_throw_insert": 2 * count}
    table = create_table(name, node=node, settings={**NO_MERGES, **limits})
    node.query(
        f"INSERT INTO {table} SELECT 1, number, '{table.name}' FROM "
        f"(SELECT number FROM system.numbers LIMIT {count})",
        settings={**ROW_BY_ROW, "max_threads": 1},
    )
    made = node.value(
        "SELECT count() FROM system.parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' AND active"
    )
    assert made == count, f"the fixture has {made} parts instead of {count}"
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
