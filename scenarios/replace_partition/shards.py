"""Tables spread over two shards, read through Distributed tables."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.node import Node
from helpers.cluster.session import Row
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards,
)
from steps.partitions import replace_partition
from steps.shards import Sharded, sharded_pair, two_shards
from steps.tables import contents

PARTITIONS = (1, 2, 3)


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
        kept = {one: through(source, shards[0], partition=one) for one in PARTITIONS}
        others = {one: through(destination, shards[0], partition=one) for one in (1, 3)}

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
            now = {one: through(destination, shard, partition=one) for one in others}
            assert now == others, error()

        with And("so is the source"):
            now = {one: through(source, shard, partition=one) for one in PARTITIONS}
            assert now == kept, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Shards("1.0"))
def replaced_on_one_shard(self):
    """Replaced on one shard only, the partition changes there and nowhere else."""
    with Given("a source and a destination on two shards"):
        shards = two_shards()
        source, destination = sharded_pair(shards, PARTITIONS)
        other = contents(destination.tables[1])
        here = {one: contents(destination.tables[0], partition=one) for one in (2, 3)}

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
        now = {one: contents(destination.tables[0], partition=one) for one in here}
        assert now == here, error()
