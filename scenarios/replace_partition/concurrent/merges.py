"""A merge that somebody tries to start while REPLACE PARTITION is running is answered with an error."""

from collections.abc import Sequence

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates, equivalent, needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Merges,
)
from steps.parts import parts
from steps.refusals import attempt
from steps.replace_partition.held_statements import (
    ABORTED,
    HOLDABLE,
    HOLDING,
    held_replace,
    holding_node,
)
from steps.tables import Table, contents, fill, partitioned_pair

DEVIATIONS = "concurrent-merges"  # the beginning of their ids

IN_THE_PARTITION = (
    "PARTITION 1",
    "PARTITION 1 FINAL",
    "PARTITION 1 DEDUPLICATE",
    "PARTITION 1 FINAL DEDUPLICATE",
    "FINAL",
)
IN_ANOTHER_ONE = ("PARTITION 2 FINAL", "PARTITION 2 FINAL DEDUPLICATE")
# An OPTIMIZE without PARTITION takes what the background would merge: so many parts of a size.
MERGEABLE_PARTS = 10
TOLD_IF_NOTHING = {"optimize_throw_if_noop": 1}


def not_refused(destination: Table, forms: Sequence[str]) -> dict[str, str]:
    """The forms of OPTIMIZE TABLE that are not answered with the error that is meant for them."""
    violations = {}
    for form in forms:
        before = parts(destination)
        sql = f"OPTIMIZE TABLE {destination} {form}"
        answer = attempt(destination.node, sql, settings=TOLD_IF_NOTHING)
        assert not answer.accepted or parts(destination) != before, f"{form} merges nothing"
        if answer.code != ABORTED or "Cancelled merging parts" not in answer.message:
            violations[form or "the whole table"] = str(answer)
    return violations


def assert_merged_afterwards(destination: Table, forms: Sequence[str]) -> None:
    """The same statements are accepted when REPLACE PARTITION is over, on parts that can be merged."""
    for form in forms:
        fill(destination, [1], parts=2)
        before = {part.name for part in parts(destination)}
        destination.node.query(f"OPTIMIZE TABLE {destination} {form}")
        assert {part.name for part in parts(destination)} - before, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Merges("1.0"))
@needs(*HOLDING)
def merge_of_the_partition_is_refused(self):
    """Every form of OPTIMIZE TABLE that would merge the replaced partition is refused."""
    with Given("two tables with different rows"):
        source, destination = partitioned_pair(2, node=holding_node(), settings=HOLDABLE)
        before = parts(destination, partition=1)
        assert len(before) == 2, error()

    with held_replace(destination, source=source) as replace:
        with When("I try to merge the partition that is being replaced"):
            violations = not_refused(destination, IN_THE_PARTITION)

        with Then("each attempt is answered with an error"):
            assert_no_violations(violations)

        with And("nothing is merged"):
            assert parts(destination, partition=1) == before, error()

    with And("the partition is the source's in the end"):
        replace.wait()
        assert contents(destination, partition=1) == contents(source, partition=1), error()

    with And("the same attempts succeed then"):
        assert_merged_afterwards(destination, IN_THE_PARTITION)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Merges("1.0"))
@needs(*HOLDING)
def merge_of_any_partition_is_refused(self):
    """OPTIMIZE TABLE without a partition is refused where the replaced one is what it would merge."""
    with Given("two tables with different rows"):
        settings = {"storage_policy": HOLDABLE["storage_policy"]}
        source, destination = partitioned_pair(1, parts=1, node=holding_node(), settings=settings)

    with held_replace(destination, source=source) as replace:
        with When("I try to merge parts that have come meanwhile"):
            fill(destination, [1], parts=MERGEABLE_PARTS)
            before = parts(destination)
            assert len(before) == 1 + MERGEABLE_PARTS, error()
            violations = not_refused(destination, [""])

        with Then("the attempt is answered with an error"):
            assert_no_violations(violations)

        with And("nothing is merged"):
            assert parts(destination) == before, error()

    with And("the partition is the source's in the end"):
        replace.wait()
        assert contents(destination, partition=1) == contents(source, partition=1), error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Merges("1.0"))
@needs(*HOLDING)
@deviates(
    step="each attempt is answered with an error",
    observed=dict.fromkeys(IN_ANOTHER_ONE, "accepted"),
    reason="REPLACE PARTITION blocks merges of the replaced partition only; others go on",
    kind="by design",
    severity="wrong refusal or acceptance",
    upstream="https://github.com/ClickHouse/ClickHouse/pull/59138",
)
@equivalent(
    mutant="omit[optimize_throw_if_noop]",
    statement="PARTITION 2 FINAL",
    reason="each of these statements is seen to write the parts anew: the server has nothing to refuse",
)
def merge_of_another_partition_is_refused(self):
    """OPTIMIZE TABLE of another partition of the destination is refused too."""
    with Given("two tables with different rows"):
        source, destination = partitioned_pair(2, node=holding_node(), settings=HOLDABLE)

        rows = contents(source, partition=1) + contents(destination, partition=2)
        before = parts(destination, partition=2)

    with held_replace(destination, source=source) as replace, When("I try to merge another one"):
        violations = not_refused(destination, IN_ANOTHER_ONE)
        merged = parts(destination, partition=2)

    with Then("an attempt that was accepted has merged its parts"):
        assert (merged != before) == bool(violations), error()
        assert not violations or len(merged) == 1, error()

    with And("both partitions have the rows that they should"):
        replace.wait()
        assert contents(destination) == rows, error()

    with Then("each attempt is answered with an error"):
        assert_no_violations(violations)
