"""What system.parts shows of a replaced partition."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import equivalent
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_System_Parts,
)
from steps.partitions import replace_partition
from steps.parts import parts
from steps.tables import partitioned_pair


@TestScenario
@equivalent(
    mutant="swap-values",
    statement="hash_of_all_files",
    reason="parts have new names: which of them has which content is not prescribed",
)
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_System_Parts("1.0"))
def parts_of_the_source_appear(self):
    """The destination's active parts of the partition are copies of the source's: same files, new names."""
    with Given("two tables with three parts in each partition"):
        source, destination = partitioned_pair(partitions=2, parts=3)
        replaced = parts(destination, partition=1)
        taken = parts(source, partition=1)
        other = parts(destination, partition=2)
        assert len(replaced) == len(taken) == 3, error()
        assert not {part.hash for part in replaced} & {part.hash for part in taken}, error()

    with When("I replace the first partition"):
        replace_partition(destination, source=source, partition=1)

    with Then("its active parts have the content, rows and types of the source's, under new names"):
        now = parts(destination, partition=1)
        described = sorted((part.rows, part.kind, part.hash) for part in now)
        assert described == sorted((part.rows, part.kind, part.hash) for part in taken), error()
        assert len({part.name for part in now}) == len(taken), error()

    with And("the old parts are outdated"):
        assert parts(destination, partition=1, active=False) == replaced, error()

    with And("the parts of the other partition are the ones that were there"):
        assert parts(destination, partition=2) == other, error()
