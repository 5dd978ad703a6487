"""Destinations with replicas: what is replaced on one is replaced on all."""

from dataclasses import replace

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Fetch,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas,
)
from scenarios.replace_partition._marks import deviates_in_2018
from steps.outages import stopped
from steps.partitions import replace_partition
from steps.refusals import attempt
from steps.replicas import (
    CLUSTER,
    come_to_hold,
    everywhere,
    fetched_rows,
    hosts_of_cluster,
    many_parts,
    origin,
    replace_in_background,
    replicated_destination,
    replicated_table,
    source_on,
    three_replicas,
)
from steps.tables import COLUMNS, by_partition, contents, drop_table, fill, one_part_pair

DEVIATIONS = "replicas"  # the beginning of their ids

KEYS = "ENGINE = MergeTree PARTITION BY p ORDER BY i"


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"))
@needs(Capability.REPLICATION)
def source_on_one_replica(self):
    """Executed on any replica, with a source that only this one has, the statement reaches all."""
    with Given("a destination on three replicas"):
        nodes, destination, expected = replicated_destination([1, 2, 3, 4])

    for partition, node in enumerate(nodes, start=1):
        with And(f"a source on {node.name} alone, with other rows"):
            source = source_on(node, [partition])
            rows = contents(source)
            assert rows and rows != expected[partition], error()
            others = [other.value(f"EXISTS TABLE {source}") for other in nodes if other is not node]
            assert others == [0, 0], error()

        with When(f"I replace a partition on {node.name}"):
            replace_partition(destination.on(node), source=source, partition=partition)
            expected[partition] = rows

        with Then("every replica has its rows, and what it had in all other partitions"):
            everywhere(destination, expected)

        with And("the source keeps them"):
            assert contents(source) == rows, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"))
@needs(Capability.REPLICATION)
def source_with_replicas(self):
    """The source may have replicas too: then the statement can be executed on any of them."""
    with Given("a source and a destination on three replicas each"):
        nodes, destination, expected = replicated_destination([1, 2, 3, 4])
        source = replicated_table("source", nodes, [1, 2, 3])
        rows = by_partition(source.tables[0])

    for partition, node in enumerate(nodes, start=1):
        with When(f"I replace a partition on {node.name}"):
            assert rows[partition] != expected[partition], error()
            replace_partition(destination.on(node), source=source.on(node), partition=partition)
            expected[partition] = rows[partition]

        with Then("every replica of the destination has it"):
            everywhere(destination, expected)

        with And("every replica of the source keeps it"):
            everywhere(source, rows)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"))
@needs(Capability.REPLICATION, Capability.PROCESS_CONTROL)
def replica_that_was_away(self):
    """A replica that is down meanwhile has the new rows when it is back, though the source is gone."""
    with Given(
        "a destination on three replicas, one of which will go down, and a source on the first"
    ):
        nodes, destination, before = replicated_destination([1, 2])
        source = source_on(nodes[0], [1])
        expected = {**before, 1: contents(source)}

    with stopped(nodes[2]), When("I replace a partition and drop the source"):
        replace_partition(destination.tables[0], source=source, partition=1)
        come_to_hold(destination.tables[1:2], expected)
        drop_table(source)

    with Then("every replica comes to have its rows, the one that was away too"):
        everywhere(destination, expected)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition("1.0"))
@needs(Capability.REPLICATION)
def on_every_host_of_a_cluster(self):
    """ON CLUSTER replaces the partition on every host, from the source that each of them has."""
    with Given("a source and a destination on each of three hosts, with rows of their own"):
        nodes = hosts_of_cluster()
        source, destination = one_part_pair(partitions=2, node=nodes[0])
        pairs = [(replace(source, node=node), replace(destination, node=node)) for node in nodes]
        for pair in pairs[1:]:
            for table in pair:
                table.node.query(f"CREATE TABLE {table} ({COLUMNS}) {KEYS}")
                fill(table, [1, 2])
        before = [contents(source) for source, _ in pairs]
        expected = [
            contents(taken, partition=1) + contents(kept, partition=2) for taken, kept in pairs
        ]

    with When("I replace a partition on the cluster"):
        outcome = attempt(
            nodes[0],
            f"ALTER TABLE {destination} ON CLUSTER {CLUSTER} REPLACE PARTITION 1 FROM {source}",
        )

    with Then("every host keeps its source"):
        assert [contents(kept) for kept, _ in pairs] == before, error()

    with And("every host has the rows of its own source there"):
        if not outcome.accepted:
            assert_no_violations(
                {"statement": f"refused with code {outcome.code}: {outcome.message}"}
            )
        assert [contents(replaced) for _, replaced in pairs] == expected, error()


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Manipulating_Partitions_Fetch(
        "1.0"
    )
)
@needs(Capability.REPLICATION)
def fetch_waits_for_replace(self):
    """FETCH PARTITION issued while the partition is being replaced brings the new rows."""
    with Given("a destination with replicas, a source of many parts, and a table to fetch into"):
        nodes = three_replicas()
        destination = replicated_table("destination", nodes[:1], [1])
        source = many_parts("source", nodes[0])
        old, new = contents(destination.tables[0]), contents(source)
        assert old and new and old != new, error()
        copy = replicated_table("copy", nodes[1:2], []).tables[0]

    with When("I fetch the partition while it is being replaced"):
        replace = replace_in_background(destination.tables[0], source)
        fetch = copy.node.background(
            f"ALTER TABLE {copy} FETCH PARTITION 1 FROM '{destination.path}'"
        )
        this().eventually(lambda: fetch.done or fetch.running, pause=0.002)
        met = replace.running
        fetch.wait()
        waited = not replace.running
        replace.wait()

    with Then("both were running at the same time"):
        assert met, error()

    with And("what it brought are the old rows or the new ones, and not some of both"):
        brought = origin(fetched_rows(copy), {"old": old, "new": new})
        assert brought is not None, error()

    with And("the fetch returned no earlier than the replacement, with the new rows"):
        violations = {}
        if not waited or brought == "old":
            when = "after" if waited else "while"
            violations["fetch"] = (
                f"returned {when} the partition was being replaced, with the {brought} rows"
            )
        assert_no_violations(violations)


deviates_in_2018(
    on_every_host_of_a_cluster,
    step="every host has the rows of its own source there",
    observed={"statement": "refused with code 48: Unsupported type of ALTER query"},
    reason="ON CLUSTER knows no REPLACE PARTITION",
    kind="by design",
    severity="wrong refusal or acceptance",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/10314",
    no_sql="it takes servers with a cluster and a coordination service in their configuration",
)
deviates_in_2018(
    fetch_waits_for_replace,
    step="the fetch returned no earlier than the replacement, with the new rows",
    observed={"fetch": "returned while the partition was being replaced, with the old rows"},
    reason="the requirement asks for an order that ClickHouse promises nowhere: FETCH PARTITION takes what "
    "the other replica has at that time",
    kind="requirement",
    severity="wrong refusal or acceptance",
    no_sql="it takes a second replica, which fetches while the first one replaces the partition",
)
