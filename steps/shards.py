"""Shards: two nodes that know each other, tables spread over them, and Distributed tables that read both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from xml.sax.saxutils import escape

from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.step import step
from steps.tables import COLUMNS, Table, create_table, fill_and_check

CLUSTER = "shards"
NAMES = ("shard1", "shard2")


@dataclass(frozen=True)
class Sharded:
    """A table on each shard, and a Distributed table over them on each shard, by the shard's name."""

    tables: tuple[Table, ...]
    distributed: dict[str, Table]


@step("I start two shards")
def two_shards() -> tuple[Node, ...]:
    """Two nodes of one cluster, each with the whole cluster in its configuration."""
    cluster = {"cluster": remote_servers(CLUSTER, this().several(NAMES))}
    return this().several(NAMES, config=cluster)


@step("I create sharded tables with partitions {partitions}")
def sharded_pair(shards: Sequence[Node], partitions: Sequence[int]) -> tuple[Sharded, Sharded]:
    """A source and a destination with different rows in the same partitions of every shard."""
    source, destination = (_sharded(name, shards, partitions) for name in ("source", "destination"))
    return source, destination


def _sharded(name: str, shards: Sequence[Node], partitions: Sequence[int]) -> Sharded:
    first = create_table(name, node=shards[0])
    tables = [first]
    for shard in shards[1:]:
        # The same name on every shard: that is how a Distributed table finds them.
        table = Table(shard, first.database, first.name)
        definition = first.node.value(f"SHOW CREATE TABLE {first}")
        shard.query(definition)
        assert shard.value(f"SHOW CREATE TABLE {table}") == definition, f"{table} differs"
        tables.append(table)
    for table in tables:
        fill_and_check(table, partitions)
    distributed = {}
    for shard in shards:
        table = Table(shard, first.database, f"{first.name}_everywhere")
        shard.query(
            f"CREATE TABLE {table} ({COLUMNS}) "
            f"ENGINE = Distributed('{CLUSTER}', '{first.database}', '{first.name}')"
        )
        distributed[shard.name] = table
    return Sharded(tuple(tables), distributed)


def remote_servers(cluster: str, nodes: Sequence[Node]) -> str:
    """A cluster of one shard for each node, as a node's configuration."""
    shards = "".join(
        "<shard><replica>"
        f"<host>{node.address[0]}</host><port>{node.address[1]}</port>"
        f"<user>{escape(node.endpoint.user)}</user>"
        f"<password>{escape(node.endpoint.password)}</password>"
        "</replica></shard>"
        for node in nodes
    )
    return (
        f"<clickhouse><remote_servers><{cluster}>{shards}</{cluster}></remote_servers></clickhouse>"
    )
