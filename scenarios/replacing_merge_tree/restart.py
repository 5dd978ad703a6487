"""What FINAL returns does not depend on whether the server was restarted."""

from collections.abc import Callable

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.node import Node
from helpers.cluster.session import Row
from helpers.context import this
from helpers.marks import needs
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart,
)
from steps.parts import parts
from steps.refusals import listed
from steps.replacing import AS_THEY_COME, insert_each, merge, replacing_table, stored, survivors
from steps.tables import NO_MERGES, Table

ENDINGS: dict[str, Callable[[Node], None]] = {
    "shut down": lambda node: node.stop(),
    "killed": lambda node: node.kill(),
}
INSERTS = (
    [(1, "a", 2, 0), (2, "b", 1, 0), (3, "c", 1, 0), (4, "d", 1, 0)],
    [(1, "e", 1, 0), (2, "f", 2, 1), (3, "g", 1, 0), (3, "h", 1, 0)],
    [(2, "i", 1, 0), (4, "j", 0, 1), (5, "k", 7, 0)],
)
SURVIVE: dict[str, list[Row]] = {
    "": [(1, "e"), (2, "i"), (3, "h"), (4, "j"), (5, "k")],
    "version": [(1, "a", 2), (2, "f", 2), (3, "h", 1), (4, "d", 1), (5, "k", 7)],
    "version, deleted": [(1, "a", 2, 0), (3, "h", 1, 0), (4, "d", 1, 0), (5, "k", 7, 0)],
}
CLEANUP = "allow_experimental_replacing_merge_with_cleanup"


def reattached(table: Table) -> None:
    """The newest part again, so that its number is one that no insert had."""
    newest = parts(table)[-1].name
    table.node.query(f"ALTER TABLE {table} DETACH PART '{newest}'")
    table.node.query(f"ALTER TABLE {table} ATTACH PART '{newest}'")


# What happened to a table before the server ends.
PASTS: dict[str, Callable[[Table], None]] = {
    "in parts": lambda table: None,
    "merged": merge,
    "attached": reattached,
}


def tables() -> dict[str, tuple[Table, list[Row]]]:
    """A table for each form of the engine and each past, by name, with what FINAL has to return."""
    made = {}
    for parameters, expected in SURVIVE.items():
        for past, act in PASTS.items():
            table = replacing_table(parameters)
            width = len(expected[0])
            inserts = [[row[:width] for row in rows] for rows in INSERTS]
            insert_each(table, *inserts, settings=AS_THEY_COME)
            act(table)
            made[f"({parameters}) {past}"] = (table, expected)
    cleaned = replacing_table("version, deleted", settings={**NO_MERGES, CLEANUP: 1})
    insert_each(cleaned, *INSERTS)
    merge(cleaned, "FINAL CLEANUP")
    made["cleaned up"] = (cleaned, SURVIVE["version, deleted"])
    return made


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart("1.0"))
@needs(Capability.PROCESS_CONTROL)
def the_same_rows_survive(self):
    """FINAL returns after a restart what it returned before, and so it does after the next merge."""
    with Given("tables of every form with every past"):
        made = tables()
        before = {name: stored(table) for name, (table, _) in made.items()}
        wrong = [name for name, (table, rows) in made.items() if survivors(table) != rows]
        assert wrong == [], listed("other survivors than expected", wrong)

    for ending, end in ENDINGS.items():
        with When(f"the server is {ending} and started again"):
            node = this().node()
            end(node)
            assert not node.running, error()
            node.start()

        with Then("FINAL returns the same, and nothing was stored or lost"):
            wrong = [
                name
                for name, (table, rows) in made.items()
                if survivors(table) != rows or stored(table) != before[name]
            ]
            assert wrong == [], listed("not what they were", wrong)

    with When("everything is merged"):
        for table, _ in made.values():
            merge(table)

    with Then("FINAL still returns the same"):
        wrong = [name for name, (table, rows) in made.items() if survivors(table) != rows]
        assert wrong == [], listed("not what they were", wrong)
