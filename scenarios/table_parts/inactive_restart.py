"""Superseded parts stay inactive when the server starts again."""

from operator import methodcaller

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.context import this
from helpers.marks import needs
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart
from steps.part_life import (
    SUPERSEDE,
    active_parts,
    inactive_parts,
)
from steps.superseded import State, state, two_parts
from steps.tables import Table, contents

# A second end comes before the server has had time to tidy up what the first one left.
SHUT_DOWN, KILL = methodcaller("stop"), methodcaller("kill")
ENDINGS = {
    "shut down": (SHUT_DOWN,),
    "killed": (KILL,),
    "shut down twice": (SHUT_DOWN, SHUT_DOWN),
    "killed twice": (KILL, KILL),
}


def changes_since(before: State, table: Table) -> list[str]:
    """What a restart has made otherwise."""
    found = []
    # Superseded parts are loaded when the table answers already: look before and after that.
    for _ in range(2):
        if active_parts(table) != before.active:
            found.append(f"active are {sorted(active_parts(table))}")
        if contents(table) != before.rows:
            found.append(f"{len(contents(table))} rows, or others")
        this().eventually(lambda: sorted(inactive_parts(table)), equals=sorted(before.inactive))
    return found


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart("1.0"))
@needs(Capability.PROCESS_CONTROL)
def superseded_parts_stay_inactive(self):
    """However the server ends, at its start what was superseded is not active again."""
    with Given("tables with a merge, a mutation, and both behind them"):
        tables = [two_parts() for _ in range(3)]
        for table, happened in zip(tables, ("a merge", "a mutation", "both"), strict=True):
            for what, happen in SUPERSEDE.items():
                if happened in (what, "both"):
                    happen(table)
        before = [state(table) for table in tables]
        assert [len(one.inactive) for one in before] == [2, 2, 3], error()
        assert [len(one.rows) for one in before] == [20, 20, 20], error()

    violations, node = [], this().node()
    for name, endings in ENDINGS.items():
        with When(f"the server is {name}"):
            for end in endings:
                end(node)
                assert not node.running, error()
                node.start()
            for table, was in zip(tables, before, strict=True):
                violations += [f"{name}: {change}" for change in changes_since(was, table)]

    with Then("the same parts are active as before, and the rows are the same"):
        assert violations == [], error()
