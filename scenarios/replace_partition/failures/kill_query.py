"""KILL QUERY meets a running REPLACE PARTITION."""

from dataclasses import dataclass

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_Answer,
)
from scenarios.replace_partition._marks import cancelled_after_the_effect
from steps.replace_partition.clone_progress import (
    ATTEMPTS,
    CloneProgress,
    PhaseMissed,
    WatchedReplace,
    many_parts,
)
from steps.replace_partition.held_statements import HOLDABLE, holding_node
from steps.replace_partition.killed_statements import (
    MOMENTS,
    answer_of,
    is_at,
    is_told_to_stop,
    kill,
)
from steps.restarts import restart
from steps.row_origins import describe_rows
from steps.tables import Table, contents, different_contents, partitioned_pair

# So many parts take long enough to be renamed for a KILL QUERY to arrive meanwhile.
RENAMED_PARTS = 400
COMMITTING = "while it renames clones"
NEEDED = (Capability.OBJECT_STORE, Capability.PROCESS_CONTROL, Capability.FAILPOINTS)


@dataclass
class Killed:
    """A REPLACE PARTITION that was killed: the answer to its client, and the rows it left.

    `progress` is how far it had come after the kill, where that is what decides.
    """

    destination: Table
    source: Table
    answer: str
    old: list[Row]
    new: list[Row]
    rows: list[Row]
    progress: CloneProgress | None = None

    @property
    def description(self) -> str:
        return describe_rows(self.rows, {"old": self.old, "new": self.new})


def killed_at(moment: str) -> Killed:
    """Kill a statement at one of the moments in which it can be held."""
    source, destination = partitioned_pair(
        partitions=1, parts=1, node=holding_node(), settings=HOLDABLE
    )
    old, new = different_contents(destination, source)
    with MOMENTS[moment](destination, source=source) as statement:
        assert is_at(moment, statement), f"the statement was not there {moment}"
        assert kill(statement), f"the statement was not running {moment}"
        assert is_told_to_stop(statement), f"the statement was not killed {moment}"
    answer = answer_of(statement)
    return Killed(destination, source, answer, old, new, contents(destination))


def killed_while_renaming() -> Killed:
    """Kill a statement in its commit phase: clones are left to be renamed after the kill."""
    source = many_parts("source", RENAMED_PARTS)
    seen = []
    for _ in range(ATTEMPTS):
        pair = WatchedReplace(source)
        statement = pair.started(lambda progress: progress.renaming)
        reached = kill(statement)
        seen.append(pair.progress())
        answer = answer_of(statement)
        if reached and seen[-1].renaming:
            left = (pair.old, pair.new, pair.rows())
            return Killed(pair.destination, source, answer, *left, seen[-1])
        # Too early or too late; a statement that was over before the kill has replaced the partition.
        assert pair.rows() in ([pair.old, pair.new] if reached else [pair.new]), error()
    raise PhaseMissed(f"no kill in {ATTEMPTS} fell between two renames; after them: {seen}")


def killed_at_each_moment() -> dict[str, Killed]:
    """A killed statement for every moment."""
    killed = {}
    for moment in MOMENTS:
        with When(f"a statement is killed {moment}"):
            killed[moment] = killed_at(moment)
    with When(f"a statement is killed {COMMITTING}"):
        killed[COMMITTING] = killed_while_renaming()
        progress = killed[COMMITTING].progress
        assert progress and progress.renaming, error()
    for statement in killed.values():
        assert contents(statement.source) == statement.new, error()
    return killed


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery("1.0"))
@needs(*NEEDED)
def partition_is_old_or_new(self):
    """A statement that is killed while it runs leaves the old partition or the new one."""
    with Given("statements that were killed while they ran"):
        killed = killed_at_each_moment()

    with Then("the partition is the same after a restart"):
        for node in this().nodes:
            restart(node)
        for statement in killed.values():
            rows = contents(statement.destination, partition=1)
            assert rows == statement.rows, error()

    with And("it holds exactly the old or exactly the new rows each time"):
        assert_no_violations(
            {
                moment: statement.description
                for moment, statement in killed.items()
                if statement.rows not in (statement.old, statement.new)
            }
        )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_Answer("1.0"))
@needs(*NEEDED)
@cancelled_after_the_effect(
    step="a client that was answered 'cancelled' finds the old rows",
    observed={
        "while it waits for a mutation": "answered 'cancelled', finds all 10 new rows",
        "while it clones parts": "answered 'cancelled', finds all 10 new rows",
        COMMITTING: f"answered 'cancelled', finds all {RENAMED_PARTS} new rows",
    },
)
def cancelled_means_unchanged(self):
    """A client that is answered 'cancelled' can rely on the old rows."""
    with Given("statements that were killed while they ran"):
        killed = killed_at_each_moment()

    with Then("a client that was not answered 'cancelled' finds the new rows"):
        done = [statement for statement in killed.values() if statement.answer == "done"]
        assert all(statement.rows == statement.new for statement in done), error()

    with And("a client that was answered 'cancelled' finds the old rows"):
        assert_no_violations(
            {
                moment: f"answered 'cancelled', finds {statement.description}"
                for moment, statement in killed.items()
                if statement.answer == "cancelled" and statement.rows != statement.old
            }
        )
