"""The client of a running REPLACE PARTITION goes away."""

from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ClientDisconnect,
)
from steps.replace_partition.held_statements import HOLDABLE, holding_node
from steps.replace_partition.killed_statements import MOMENTS, is_at
from steps.restarts import restart
from steps.row_origins import describe_rows
from steps.tables import contents, different_contents, partitioned_pair


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_ClientDisconnect("1.0"))
@needs(Capability.OBJECT_STORE, Capability.PROCESS_CONTROL, Capability.FAILPOINTS)
def statement_ends_by_itself(self):
    """Nobody waits for the answer any more; the partition is the old one or the new one."""
    violations, left = {}, {}
    for moment, reached in MOMENTS.items():
        with Given(f"a partition and the rows to replace it with, for a client that goes {moment}"):
            source, destination = partitioned_pair(
                partitions=1, parts=1, node=holding_node(), settings=HOLDABLE
            )
            old, new = different_contents(destination, source)

        with (
            When(f"the statement's connection is cut {moment}"),
            reached(destination, source=source) as statement,
        ):
            assert is_at(moment, statement), f"the statement was not there {moment}"
            statement.disconnect()
            assert isinstance(statement.outcome(), EOFError | OSError), error()

        with Then(f"the statement whose client went {moment} comes to an end by itself"):
            this().eventually(partial(getattr, statement, "running"), equals=False)
            rows = left[destination] = contents(destination)
            if rows not in (old, new):
                violations[moment] = describe_rows(rows, {"old": old, "new": new})
            assert contents(source) == new, error()

    with Then("it holds the same after a restart"):
        restart(destination.node)
        for table, rows in left.items():
            assert contents(table) == rows, error()

    with And("the partition holds exactly the old or exactly the new rows each time"):
        assert_no_violations(violations)
