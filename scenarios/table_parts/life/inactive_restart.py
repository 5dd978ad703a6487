"""Superseded parts stay inactive when the server starts again."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart
from steps.restarts import RESTARTS, restarts_since
from steps.table_parts.part_life import active_parts, inactive_parts, supersede
from steps.table_parts.superseded_parts import PartsState, state, two_parts
from steps.tables import Table, contents

# How the server ends and starts again. The second of two ends comes before it has had time to tidy up
# what the first one left.
SERIES = [
    ["a restart"],
    ["a crash"],
    ["a restart", "a restart"],
    ["a crash", "a crash"],
]  # 4 variants
# What has superseded the parts of a table, one after the other, and which are superseded then.
HISTORIES = {
    ("a merge",): ["1_1_1_0", "1_2_2_0"],
    ("a mutation",): ["1_1_1_0", "1_2_2_0"],
    ("a merge", "a mutation"): ["1_1_1_0", "1_1_2_1", "1_2_2_0"],
}


def superseded(history: tuple[str, ...]) -> Table:
    """Two parts of ten rows each with this history."""
    table = two_parts()
    for how in history:
        supersede(table, how)
    assert list(inactive_parts(table)) == HISTORIES[history], error()
    owner = "b" if "a mutation" in history else "old"
    assert contents(table) == [(1, number, owner) for number in range(20)], error()
    return table


def changes_since(before: PartsState, table: Table) -> list[str]:
    """What a restart has made otherwise."""
    changes = []
    # Superseded parts are loaded when the table answers already: look before and after that.
    for _ in range(2):
        active, rows = active_parts(table), contents(table)
        if active != before.active:
            changes.append(f"active are {sorted(active)}")
        if rows != before.rows:
            changes.append(f"{len(rows)} rows, or others")
        this().eventually(lambda: sorted(inactive_parts(table)), equals=sorted(before.inactive))
    return changes


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart("1.0"))
@needs(Capability.PROCESS_CONTROL)
def superseded_parts_stay_inactive(self):
    """However the server ends, at its start what was superseded is not active again."""
    with Given("tables with a merge, a mutation, and both behind them"):
        before = {table: state(table) for table in map(superseded, HISTORIES)}

    with When("the server ends, in every way, and starts again"):
        node, violations = this().node(), []
        position = node.log_position()
        for series in SERIES:
            for how in series:
                RESTARTS[how](node)
            violations += [
                f"{series}: {change}"
                for table, was in before.items()
                for change in changes_since(was, table)
            ]

    with Then("the same parts are active as before, and the rows are the same"):
        assert violations == [], error()

    with And("it was shut down and killed as often as it should"):
        assert restarts_since(node, position) == sum(SERIES, []), error()  # noqa: RUF017
