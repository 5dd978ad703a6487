"""The server dies in the middle of REPLACE PARTITION and is started again."""

from collections.abc import Callable

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.marks import deviates, needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Clone,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Commit,
)
from steps.overlap import PARTITION
from steps.partitions import replace_partition
from steps.phases import PARTS, Exchange, Progress, crash, many_parts, mixture

# How many of the parts are cloned when the server is killed.
CLONED = {"at the first clone": 1, "halfway": PARTS // 2, "near the end": PARTS * 9 // 10}


def cloned(clones: int) -> Callable[[Progress], bool]:
    return lambda progress: progress.clones >= clones


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Clone("1.0"))
@needs(Capability.PROCESS_CONTROL)
def killed_while_parts_are_cloned(self):
    """Clones that never became parts leave no trace: the partition is the old one."""
    with Given("a partition of many parts"):
        source = many_parts("source")

    violations = []
    for name, clones in CLONED.items():
        with When(f"the server is killed {name} and started again"):
            pair = crash(
                Exchange(source), when=cloned(clones), left=lambda progress: progress.cloning
            )
            pair.node.start()
            rows = pair.rows()
            if rows != pair.old:
                violations.append((name, mixture(rows, pair.old, pair.new) or "the new rows"))

    with Then("the partition holds exactly the old rows, whenever it was"):
        assert violations == [], error()

    with And("the same statement, left alone, brings exactly the new ones"):
        replace_partition(pair.destination, source=source, partition=PARTITION)
        assert pair.rows() == pair.new, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Commit("1.0"))
@needs(Capability.PROCESS_CONTROL)
@deviates(
    step="exactly the old or exactly the new rows",
    effect="a mixture of 30 of 30 old rows",
    reason="the clones are renamed one by one and nothing on disk says that they belong together, "
    "so after a crash between two renames the renamed ones are there beside all old parts",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/104660",
)
def killed_between_renames(self):
    """Some clones have become parts, others have not: still the partition is not a mixture."""
    with Given("a partition of many parts to replace another one with"):
        pair = Exchange(many_parts("source"))

    with When("the server is killed between the first rename and the last, and started again"):
        pair = crash(
            pair,
            when=lambda progress: progress.renamed > 0,
            left=lambda progress: progress.renaming,
        )
        pair.node.start()

    with Then("the partition holds exactly the old or exactly the new rows"):
        wrong = mixture(pair.rows(), pair.old, pair.new)
        assert not wrong, wrong
