"""KILL QUERY meets a running REPLACE PARTITION."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.failures import QueryFailed
from helpers.marks import deviates, needs
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_Answer,
)
from steps.overlap import HOLDABLE, holding_node
from steps.phases import MOMENTS, mixture
from steps.tables import Table, contents, partitioned_pair

QUERY_WAS_CANCELLED = 394
OLD, NEW = "the old rows", "the new rows"


def killed(destination: Table, source: Table, moment: str) -> str:
    """Kill the statement at this moment; what its client is told: 'cancelled' or 'done'."""
    with MOMENTS[moment](destination, source=source) as statement:
        reached = destination.node.query(
            f"KILL QUERY WHERE query_id = '{statement.query_id}' ASYNC"
        )
        # It answers with the statements that it has told to stop.
        assert reached, f"the statement was not running {moment}"
    outcome = statement.outcome()
    assert not statement.running, error()
    if outcome is None:
        return "done"
    assert isinstance(outcome, QueryFailed) and outcome.code == QUERY_WAS_CANCELLED, error()
    return "cancelled"


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery("1.0"))
@needs(Capability.OBJECT_STORE, Capability.PROCESS_CONTROL, Capability.FAILPOINTS)
def partition_is_old_or_new(self):
    """A statement that is killed while it runs leaves the old partition or the new one."""
    violations, left = [], {}
    for moment in MOMENTS:
        with Given(f"a partition and the rows to replace it with, for a kill {moment}"):
            source, destination = pair = killable_pair()
            old, new = contents(destination), contents(source)

        with When(f"the statement is killed {moment}"):
            killed(destination, source, moment)
            left[pair] = contents(destination)
            wrong = mixture(left[pair], old, new)
            if wrong:
                violations.append((moment, wrong))

    with Then("the partition holds exactly the old or exactly the new rows each time"):
        assert violations == [], error()

    with And("it holds the same after a restart"):
        destination.node.restart()
        for (_, destination), rows in left.items():
            assert contents(destination) == rows, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_KillQuery_Answer("1.0"))
@needs(Capability.OBJECT_STORE, Capability.PROCESS_CONTROL, Capability.FAILPOINTS)
@deviates(
    step="a client that was told of a cancellation finds the old rows",
    effect="killed while it clones parts: told 'cancelled', finds the new rows",
    reason="the server looks whether the statement was killed only after it has replaced the "
    "partition: its client is told that it was cancelled though it took effect",
)
def cancelled_means_unchanged(self):
    """A client that is told of a cancellation can rely on the old rows."""
    violations = []
    for moment in MOMENTS:
        with Given(f"a partition and the rows to replace it with, for a kill {moment}"):
            source, destination = killable_pair()
            old, new = contents(destination), contents(source)

        with When(f"the statement is killed {moment}"):
            told = killed(destination, source, moment)
            rows = contents(destination)
            found = OLD if rows == old else mixture(rows, old, new) or NEW
            if told == "cancelled" and found != OLD:
                violations.append(f"killed {moment}: told '{told}', finds {found}")

    with Then("a client that was told of a cancellation finds the old rows"):
        assert not violations, "\n".join(violations)


def killable_pair() -> tuple[Table, Table]:
    return partitioned_pair(partitions=1, parts=1, node=holding_node(), settings=HOLDABLE)
