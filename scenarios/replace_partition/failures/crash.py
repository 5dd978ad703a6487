"""The server dies in the middle of REPLACE PARTITION and is started again."""

from collections.abc import Callable
from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.session import Row
from helpers.scenario.marks import deviates, needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_AttachFrom,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Clone,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Commit,
)
from steps.partitions import attaching, replace_partition
from steps.replace_partition.clone_progress import (
    PARTS,
    CloneProgress,
    WatchedReplace,
    crash,
    many_parts,
)
from steps.replace_partition.held_statements import PARTITION
from steps.restarts import restart
from steps.tables import contents

# How many of the parts are cloned when the server is killed.
CLONED = {
    "at the first clone": 1,
    "halfway": PARTS // 2,
    "near the end": PARTS * 9 // 10,
}  # 3 variants
OLD_AND_RENAMED = "all old rows, and the rows of those clones that had been renamed"
BETWEEN_RENAMES = "killed between two renames"
ALL_OR_NONE = "all of the source's rows were there as well as the old ones, or none"
REASON = (
    "the clones are renamed one by one and nothing on disk says that they belong together, "
    "so after a crash between two renames the renamed ones are there as well as all old parts"
)
keeps_renamed_clones = partial(
    deviates,
    id="crash.killed-between-renames",
    reason=REASON,
    no_sql="it kills the server between two renames, which it watches in the table's folder",
    observed={BETWEEN_RENAMES: OLD_AND_RENAMED},
    kind="bug",
    severity="wrong answer",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/104660",
)


def cloned(clones: int) -> Callable[[CloneProgress], bool]:
    return lambda progress: progress.clones >= clones


def assert_replaced_for_good(pair: WatchedReplace) -> None:
    """The same statement, left alone, brings exactly the new rows, and a restart changes nothing."""
    replace_partition(pair.destination, source=pair.source, partition=PARTITION)
    for restarted in (False, True):
        if restarted:
            restart(pair.node)
        assert pair.rows() == pair.new, error()
        assert contents(pair.destination, partition=PARTITION + 1) == pair.other_partition, error()
        assert contents(pair.source) == pair.new, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Clone("1.0"))
@needs(Capability.PROCESS_CONTROL)
def killed_while_parts_are_cloned(self):
    """Clones that never became parts leave no trace: the partition is the old one."""
    with Given("a partition of many parts"):
        source = many_parts("source")

    violations = {}
    for moment, clones in CLONED.items():
        with When(f"the server is killed {moment} and started again"):
            pair = crash(
                WatchedReplace(source), when=cloned(clones), left=lambda progress: progress.cloning
            )
            pair.node.start()
            rows = pair.rows()
            if rows != pair.old:
                violations[moment] = pair.describe(rows)

    with Then("the partition holds exactly the old rows, whenever it was"):
        assert_no_violations(violations)

    with And("the same statement, left alone, brings exactly the new ones"):
        assert_replaced_for_good(pair)


def crash_between_renames(
    pair: WatchedReplace, *, complete: Callable[[WatchedReplace], list[Row]]
) -> tuple[WatchedReplace, dict[str, str]]:
    """Kill the server when some clones have become parts and others have not, and start it again: what
    the partition then holds, if that is neither its old rows nor the complete ones."""
    with When("the server is killed between the first rename and the last, and started again"):
        pair = crash(
            pair,
            when=lambda progress: progress.renamed > 0,
            left=lambda progress: progress.renaming,
        )
        renamed = pair.renamed_parts()
        pair.node.start()
        rows = pair.rows()

    if rows in (pair.old, complete(pair)):
        return pair, {}
    mixed = sorted(pair.old + pair.rows_of(renamed))
    observed = OLD_AND_RENAMED if rows == mixed else pair.describe(rows)
    return pair, {BETWEEN_RENAMES: observed}


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_Commit("1.0"))
@needs(Capability.PROCESS_CONTROL)
@keeps_renamed_clones(
    step="after the crash the partition held exactly the old or exactly the new rows"
)
def killed_between_renames(self):
    """Some clones have become parts, others have not: still the partition is not a mixture."""
    with Given("a partition of many parts to replace another one with"):
        pair = WatchedReplace(many_parts("source"))

    pair, violations = crash_between_renames(pair, complete=lambda pair: pair.new)

    with Then("the same statement, left alone, brings exactly the new ones"):
        assert_replaced_for_good(pair)

    with And("after the crash the partition held exactly the old or exactly the new rows"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Crash_AttachFrom("1.0"))
@needs(Capability.PROCESS_CONTROL)
@keeps_renamed_clones(step=ALL_OR_NONE)
def attach_killed_between_renames(self):
    """ATTACH PARTITION FROM that a crash meets has attached all parts or none."""
    with Given("a partition of many parts to attach to another one"):
        pair = WatchedReplace(many_parts("source"), attaching)

    pair, violations = crash_between_renames(
        pair, complete=lambda pair: sorted(pair.old + pair.new)
    )

    with Then("the source and the other partition are as they were"):
        assert contents(pair.source) == pair.new, error()
        assert contents(pair.destination, partition=PARTITION + 1) == pair.other_partition, error()

    with And(ALL_OR_NONE):
        assert_no_violations(violations)
