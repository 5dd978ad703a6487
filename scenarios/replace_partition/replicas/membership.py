"""Partitions that are replaced on several replicas at once, and while replicas come and go."""

import itertools

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.node import Node
from helpers.scenario.context import this
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas,
)
from steps.partitions import replacing
from steps.replicas import (
    come_to_hold,
    many_parts,
    replace_in_background,
    replicated_destination,
    source_on,
    three_replicas,
)
from steps.tables import Table, by_partition, create_table, drop_table

NEEDS = (Capability.REPLICATION,)
PARTITIONS = list(range(1, 13))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"))
def different_partitions_on_different_replicas(self):
    """Each replica replaces other partitions at the same time: all replicas have the rows of the sources."""
    with Given("a destination on three replicas, and a source on each"):
        nodes, destination, expected = replicated_destination([*PARTITIONS, 99])
        sources = {node: source_on(node, PARTITIONS) for node in nodes}

    with When("the replicas replace partitions in turn, all of them at once"):
        turns = zip(PARTITIONS, itertools.cycle(nodes), strict=False)
        statements = {}
        for partition, node in turns:
            sql = replacing(destination.on(node), sources[node], partition)
            statements[partition, node] = node.background(sql)
        outcomes = {case: statement.outcome(120) for case, statement in statements.items()}

    with Then("each partition has the rows of its source, or the statement failed and has its own"):
        for (partition, node), failed in outcomes.items():
            if failed is None:
                expected[partition] = by_partition(sources[node])[partition]
        assert sum(failed is None for failed in outcomes.values()) > len(nodes), error()
        come_to_hold(destination.tables, expected)

    with And("statements met on several replicas"):
        starts = sorted(statement.started for statement in statements.values())
        ends = sorted(statement.started + statement.elapsed for statement in statements.values())
        assert starts[1] < ends[0], error()


def new_replica(node: Node, path: str) -> Table:
    """One more replica of the table, in addition to that of the node."""
    return create_table(
        "joined", node=node, engine=f"ReplicatedMergeTree('{path}', '{node.name}_joined')"
    )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"))
def replicas_come_and_go(self):
    """A replica that is added and one that is dropped while a partition is replaced: the others agree."""
    with Given("a destination on three replicas, and a source of many parts on one"):
        nodes, destination, expected = replicated_destination([1, 2])
        source = many_parts("source", nodes[0])
        expected[1] = by_partition(source)[1]
        leaving = new_replica(nodes[2], destination.path)
        this().eventually(lambda: by_partition(leaving).keys(), equals={1, 2}, timeout=30)

    with When("a replica is added and another one dropped while the partition is replaced"):
        replace = replace_in_background(destination.on(nodes[0]), source)
        joined = new_replica(nodes[1], destination.path)
        drop_table(leaving)
        replace.wait(120)

    with Then("all replicas that are left have the source's rows, the new one too"):
        come_to_hold([*destination.tables, joined], expected)

    with And("what is replaced on the new one reaches the others"):
        other = source_on(nodes[1], [2])
        nodes[1].query(replacing(joined, other, 2))
        expected[2] = by_partition(other)[2]
        come_to_hold([*destination.tables, joined], expected)
        assert len(three_replicas()) == len(destination.tables), error()
