"""REPLACE PARTITION as one of several commands of an ALTER TABLE."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_SeveralCommands,
)
from steps.row_origins import describe_rows
from steps.tables import (
    by_partition,
    contents,
    create_table,
    different_contents,
    insert,
    partitioned_pair,
)

# A command that is refused, with the code and a fragment of the message.
REFUSED = {  # 3 variants
    "a partition that the source has not": (
        "REPLACE PARTITION 9 FROM {source}",
        36,
        "no parts in partition 9",
    ),
    "a source of another structure": (
        "REPLACE PARTITION 2 FROM {different}",
        122,
        "different structure",
    ),
    "a part that is not there": ("DROP PART '1_99_99_0'", 232, "No part 1_99_99_0"),
}


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_SeveralCommands("1.1"))
def all_commands_are_carried_out(self):
    """Several partitions are replaced by one statement, each from its source, along with other commands."""
    with Given("two sources and a destination"):
        first, destination = partitioned_pair(4)
        second, _ = partitioned_pair(4)
        different_contents(first, second, destination)
        kept = contents(destination, partition=4)
        ones, others = by_partition(first), by_partition(second)

    with When("I replace two partitions from different sources and drop a third"):
        destination.node.query(
            f"ALTER TABLE {destination} REPLACE PARTITION 1 FROM {first}, "
            f"REPLACE PARTITION 2 FROM {second}, DROP PARTITION 3"
        )

    with Then("each command has taken effect, and nothing else"):
        assert by_partition(destination) == {1: ones[1], 2: others[2], 4: kept}, error()

    with And("the sources are what they were"):
        assert (by_partition(first), by_partition(second)) == (ones, others), error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_SeveralCommands("1.1"))
@needs(Capability.REFUSAL_OF_MISSING_PARTITION)
def commands_up_to_the_refused_one(self):
    """A command that is refused ends the statement: those before it have taken effect, and no other."""
    violations: dict[str, str] = {}
    for name, (command, code, text) in REFUSED.items():
        with Given(f"tables for a statement with {name}"):
            source, destination = partitioned_pair(3)
            different = create_table("different", columns="p UInt64, i UInt64, owner Int64")
            insert(different, [(2, 1, 1)])
            assert contents(different) == [(2, 1, 1)], error()
            old, new = by_partition(destination), by_partition(source)
            refused = command.format(source=source, different=different)
            replace = f"REPLACE PARTITION 1 FROM {source}"
            alter = f"ALTER TABLE {destination}"

        with When("the refused command is the first, and then the one in the middle"):
            for commands, expected in (
                (f"{refused}, {replace}", old),
                (f"{replace}, {refused}, REPLACE PARTITION 3 FROM {source}", old | {1: new[1]}),
            ):
                destination.node.fails(f"{alter} {commands}", code=code, text=text)
                if (rows := by_partition(destination)) != expected:
                    every = [row for partition in rows.values() for row in partition]
                    known = {f"old {number}": partition for number, partition in old.items()}
                    violations[f"{name}: {commands}"] = describe_rows(
                        every, known | {"new": new[1]}
                    )

        with Then("the source is what it was"):
            assert by_partition(source) == new, error()

    with Then("exactly the commands before the refused one have taken effect"):
        assert_no_violations(violations)
