"""What FINAL returns does not depend on whether the server was restarted."""

from collections.abc import Callable

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart,
)
from steps.replacing_merge_tree.stored_rows import part_values, stored, survivors
from steps.replacing_merge_tree.tables import (
    AS_THEY_COME,
    CLEANUP,
    CLEANUP_ALLOWED,
    insert_all,
    merge,
    replacing_table,
)
from steps.restarts import RESTARTS, restarts_since
from steps.tables import Table

INSERTS = (  # 3 variants
    [(1, "a", 2, 0), (2, "b", 1, 0), (3, "c", 1, 0), (4, "l", 0, 0), (4, "d", 1, 0)],
    [(1, "e", 1, 0), (2, "f", 2, 1), (3, "g", 1, 0), (3, "h", 1, 0)],
    [(2, "i", 1, 0), (4, "j", 0, 1), (5, "m", 6, 0), (5, "k", 7, 0)],
)
SURVIVE: dict[str, list[Row]] = {  # 3 variants
    "": [(1, "e"), (2, "i"), (3, "h"), (4, "j"), (5, "k")],
    "version": [(1, "a", 2), (2, "f", 2), (3, "h", 1), (4, "d", 1), (5, "k", 7)],
    "version, deleted": [(1, "a", 2, 0), (3, "h", 1, 0), (4, "d", 1, 0), (5, "k", 7, 0)],
}


def detach_and_attach(table: Table) -> None:
    """The newest part gets a number that no insert had."""
    table.node.query(f"ALTER TABLE {table} DETACH PART 'all_3_3_0'")
    table.node.query(f"ALTER TABLE {table} ATTACH PART 'all_3_3_0'")


# What happened to a table before the server ends, and the names that its parts have then.
HISTORIES: dict[str, tuple[Callable[[Table], None], list[str]]] = {  # 4 variants
    "in parts": (lambda table: None, ["all_1_1_0", "all_2_2_0", "all_3_3_0"]),
    "merged": (merge, ["all_1_3_1"]),
    "attached": (detach_and_attach, ["all_1_1_0", "all_2_2_0", "all_4_4_0"]),
    "cleaned up": (lambda table: merge(table, CLEANUP), ["all_1_3_1"]),
}


def tables() -> dict[str, tuple[Table, list[Row]]]:
    """A table for each form of the engine and each history, with what FINAL has to return."""
    created = {}
    for parameters, expected in SURVIVE.items():
        for history, (act, names) in HISTORIES.items():
            deletable = parameters == "version, deleted"
            if history == "cleaned up" and not deletable:
                continue
            table = replacing_table(parameters, settings=CLEANUP_ALLOWED if deletable else None)
            insert_all(
                table,
                *([row[: len(expected[0])] for row in rows] for rows in INSERTS),
                settings=AS_THEY_COME,
            )
            act(table)
            actual = part_values(table)
            assert actual == names, f"({parameters}) {history}: the parts are {actual}"
            deletions = [row for row in stored(table) if row[3:] == (1,)]
            assert bool(deletions) == (deletable and history != "cleaned up"), error()
            created[f"({parameters}) {history}"] = (table, expected)
    assert len(created) == len(SURVIVE) * (len(HISTORIES) - 1) + 1, error()
    return created


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Restart("1.0"))
@needs(Capability.PROCESS_CONTROL)
def the_same_rows_survive(self):
    """FINAL returns after a restart what it returned before, and so it does after the next merge."""
    violations: dict[str, object] = {}
    looks: list[str] = []

    def check_survivors(when: str) -> None:
        looks.append(when)
        for name, (table, expected) in created.items():
            if (actual := survivors(table)) != expected:
                violations[f"{name}, {when}"] = actual

    with Given("tables of every form with every history"):
        created = tables()
        before = {name: stored(table) for name, (table, _) in created.items()}
        check_survivors("before")
        node = this().node()
        position = node.log_position()

    for name_of_restart, restart in RESTARTS.items():
        with When(f"there was {name_of_restart}"):
            restart(node)
            check_survivors(name_of_restart)
            for name, (table, _) in created.items():
                if (actual := stored(table)) != before[name]:
                    violations[f"{name}, {name_of_restart}, stored"] = actual

    with When("everything is merged"):
        for table, _ in created.values():
            merge(table)
        check_survivors("merged")
        numbers = {name: len(part_values(table)) for name, (table, _) in created.items()}
        assert numbers == dict.fromkeys(created, 1), error()

    with Then("FINAL returns the same after each restart, and nothing was stored or lost"):
        assert_no_violations(violations)
        assert looks == ["before", *RESTARTS, "merged"], error()

    with And("the server was shut down once and killed once"):
        assert restarts_since(node, position) == ["a restart", "a crash"], error()
