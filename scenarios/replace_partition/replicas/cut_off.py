"""A replica that the network cuts off while a partition is replaced: it takes no part, and catches up."""

from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import needs, time_limit
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas,
)
from steps.partitions import replace_partition, replacing
from steps.refusals import attempt
from steps.replicas import (
    NO_COORDINATION,
    come_to_hold,
    replicated_destination,
    settled,
    source_on,
    tries_in_vain,
)
from steps.tables import by_partition, contents

KEPT = 2


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"))
@needs(Capability.REPLICATION, Capability.NETWORK_PARTITION)
@time_limit(240)
def from_its_peers(self):
    """A replica that reaches no other one keeps the old rows, all of them, until it can get the new ones."""
    with Given("a destination on three replicas, and a source that only the first one has"):
        nodes, destination, before = replicated_destination([1, KEPT])
        source = source_on(nodes[0], [1])
        expected = {**before, 1: contents(source)}
        assert expected != before, error()

    with this().cluster.partition(nodes[2], *nodes[:2]):
        with When("I replace the partition while the third one is cut off from the others"):
            replace_partition(destination.tables[0], source=source, partition=1)

        with Then("the second one has the new rows"):
            come_to_hold(destination.tables[1:2], expected)

        with And("the third one knows of it, and has the old rows"):
            this().eventually(partial(tries_in_vain, destination.tables[2]), timeout=60)
            assert by_partition(destination.tables[2]) == before, error()

    with Then("all replicas have the new rows once they reach each other"):
        assert settled(destination) == expected, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"))
@needs(Capability.REPLICATION, Capability.NETWORK_PARTITION)
@time_limit(240)
def from_coordination(self):
    """A replica that does not reach the coordination service replaces nothing, and misses nothing."""
    with Given("a destination on three replicas, and sources on the first and on the third"):
        nodes, destination, before = replicated_destination([1, KEPT])
        first, third = (source_on(node, [1]) for node in (nodes[0], nodes[2]))
        expected = {**before, 1: contents(first)}
        of_third = {**before, 1: contents(third)}
        assert before != expected != of_third, error()

    with this().cluster.partition(nodes[2], this().cluster.coordination()):
        with When("I replace the partition on the third one, which is cut off"):
            outcome = attempt(nodes[2], replacing(destination.tables[2], third, 1), timeout=90)

        with Then("the statement is refused, because of the coordination service"):
            assert outcome.code in NO_COORDINATION, error()

        with When("I replace it on the first one"):
            replace_partition(destination.tables[0], source=first, partition=1)

        with Then("the second one has its rows, and the third one the old ones"):
            come_to_hold(destination.tables[1:2], expected)
            assert by_partition(destination.tables[2]) == before, error()

    with Then("all replicas have them once the third one reaches the coordination service"):
        assert settled(destination) == expected, error()

    with And("the partition can be replaced on the third one"):
        replace_partition(destination.tables[2], source=third, partition=1)
        assert settled(destination) == of_third, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Replicas("1.0"))
@needs(Capability.REPLICATION, Capability.NETWORK_PARTITION)
@time_limit(240)
def from_everything(self):
    """A replica that is all alone meanwhile ends with what the last of several replacements has left."""
    with Given("a destination on three replicas, and sources on the first and on the second"):
        nodes, destination, before = replicated_destination([1, KEPT])
        sources = [source_on(node, [1, KEPT]) for node in nodes[:2]]
        first, second = map(by_partition, sources)
        assert before != first != second, error()

    with this().cluster.partition(nodes[2], *nodes[:2], this().cluster.coordination()):
        with When(
            "the third one is cut off, and I replace a partition twice, and another one once"
        ):
            replace_partition(destination.tables[0], source=sources[0], partition=1)
            replace_partition(destination.tables[0], source=sources[0], partition=KEPT)
            expected = {1: first[1], KEPT: first[KEPT]}
            come_to_hold(destination.tables[1:2], expected)
            replace_partition(destination.tables[1], source=sources[1], partition=1)
            expected[1] = second[1]

        with Then("the others have the last rows of each, and the third one the old ones"):
            come_to_hold(destination.tables[:2], expected)
            assert by_partition(destination.tables[2]) == before, error()

    with Then("all replicas have the same once it reaches them again"):
        assert settled(destination) == expected, error()
