"""Tables spread over two shards, read through Distributed tables."""

import re

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards,
)
from scenarios.replace_partition._marks import deviates_in_2018
from steps.partitions import replace_partition, replacing
from steps.refusals import attempt
from steps.shards import Sharded, sharded_pair, two_shards
from steps.tables import Table, contents

PARTITIONS = (1, 2, 3)  # 3 variants


def through(sharded: Sharded, shard: Node, *, partition: int) -> list[Row]:
    """What a Distributed table returns for a partition, asked on this shard."""
    return contents(sharded.distributed[shard.name], partition=partition)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards("1.0"))
def replaced_on_every_shard(self):
    """Replaced on each shard, a partition reads the same through both Distributed tables, whichever
    shard is asked; all other partitions are what they were."""
    with Given("a source and a destination on two shards, with Distributed tables over both"):
        shards = two_shards()
        source, destination = sharded_pair(shards, PARTITIONS)
        kept = {p: through(source, shards[0], partition=p) for p in PARTITIONS}
        others = {p: through(destination, shards[0], partition=p) for p in (1, 3)}

    with And("rows of the partition on each shard, none of which is on the other"):
        on_shards = [set(contents(table, partition=2)) for table in source.tables]
        assert all(on_shards) and not on_shards[0] & on_shards[1], error()
        assert kept[2] != through(destination, shards[0], partition=2), error()

    with When("I replace the partition on each shard"):
        for ours, theirs in zip(destination.tables, source.tables, strict=True):
            replace_partition(ours, source=theirs, partition=2)

    for shard in shards:
        with Then(f"asked on {shard.name}, it is what the source has on both shards"):
            assert through(destination, shard, partition=2) == kept[2], error()
            assert kept[2] == sorted(on_shards[0] | on_shards[1]), error()

        with And("the other partitions are what they were"):
            now = {p: through(destination, shard, partition=p) for p in others}
            assert now == others, error()

        with And("so is the source"):
            now = {p: through(source, shard, partition=p) for p in PARTITIONS}
            assert now == kept, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards("1.0"))
def replaced_on_one_shard(self):
    """Replaced on one shard only, the partition changes there and nowhere else."""
    with Given("a source and a destination on two shards"):
        shards = two_shards()
        source, destination = sharded_pair(shards, PARTITIONS)
        other = contents(destination.tables[1])
        here = {p: contents(destination.tables[0], partition=p) for p in (2, 3)}

    with When("I replace a partition on the first shard"):
        replace_partition(destination.tables[0], source=source.tables[0], partition=1)

    with Then(
        "through the Distributed table it has the new rows of one shard, the old of the other"
    ):
        expected = sorted(
            contents(source.tables[0], partition=1) + contents(destination.tables[1], partition=1)
        )
        for shard in shards:
            assert through(destination, shard, partition=1) == expected, error()

    with And("the other shard is as it was"):
        assert contents(destination.tables[1]) == other, error()

    with And("so are the other partitions of the first"):
        now = {p: contents(destination.tables[0], partition=p) for p in here}
        assert now == here, error()


def across(name: str, destination: Table, source: Table) -> dict[str, str]:
    """What is wrong with replacing a partition where one of the tables is on another shard, by name."""
    expected, kept = contents(source, partition=2), contents(source)
    before = contents(destination)
    others = [row for row in before if row[0] != 2]
    assert expected and others and expected != [row for row in before if row[0] == 2], name
    outcome = attempt(destination.node, replacing(destination, source, 2))
    assert contents(source) == kept, f"{name}: the source is not what it was"
    if not outcome.accepted:
        assert contents(destination) == before, f"{name}: refused, and the destination changed"
        return {name: f"refused with code {outcome.code}: {without_names(outcome.message)}"}
    if sorted([*others, *expected]) != contents(destination):
        return {name: "accepted, and the destination has other rows"}
    return {}


def without_names(message: str) -> str:
    """A message without the names and the identifiers of tables."""
    return re.sub(r"\S+ \([0-9a-f-]{36}\)", "…", message)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards("1.0"))
@deviates(
    when="clickhouse >= 19",
    step="a destination on one shard takes the partition of a source on another",
    observed={
        "source through a Distributed table": "refused with code 48: Cannot replace partition from "
        "table … with storage Distributed to table …",
        "destination through a Distributed table": "refused with code 48: Table engine Distributed "
        "doesn't support partitioning",
        "both through Distributed tables": "refused with code 48: Table engine Distributed "
        "doesn't support partitioning",
    },
    reason="source and destination have to be tables of the MergeTree family on the server that "
    "executes the statement: there is no way to name a table on another shard",
    kind="requirement",
    severity="wrong refusal or acceptance",
)
def from_one_shard_to_another(self):
    """A partition of a table on one shard replaces the one of a table on another shard."""
    with Given("a source on the first shard and a destination on the second"):
        shards = two_shards()
        source, destination = sharded_pair(shards, PARTITIONS)
        first, second = (shard.name for shard in shards)

    with When("I name the table of the other shard by its Distributed table"):
        violations = {
            **across(
                "source through a Distributed table",
                destination.tables[1],
                source.distributed[second],
            ),
            **across(
                "destination through a Distributed table",
                destination.distributed[first],
                source.tables[0],
            ),
            **across(
                "both through Distributed tables",
                destination.distributed[first],
                source.distributed[first],
            ),
        }

    with Then("tables on one shard are replaced under the same names"):
        for ours, theirs in zip(destination.tables, source.tables, strict=True):
            replace_partition(ours, source=theirs, partition=1)
            assert contents(ours, partition=1) == contents(theirs, partition=1), error()

    with And("a destination on one shard takes the partition of a source on another"):
        assert_no_violations(violations)


deviates_in_2018(
    from_one_shard_to_another,
    step="a destination on one shard takes the partition of a source on another",
    observed={
        "source through a Distributed table": re.compile(
            r"refused with code 48: Table \w+ supports attachPartitionFrom only for MergeTree or "
            "ReplicatedMergeTree engines. Got Distributed"
        ),
        "destination through a Distributed table": "refused with code 48: Partition operations are "
        "not supported by storage Distributed",
        "both through Distributed tables": "refused with code 48: Partition operations are not "
        "supported by storage Distributed",
    },
    reason="the same, in other words",
    kind="requirement",
    severity="wrong refusal or acceptance",
    no_sql="servers of today refuse it too, in other words: see shards.from-one-shard-to-another",
)
