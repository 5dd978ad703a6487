"""Projections of a table whose rows are replaced: when there are any, and who reads them."""

from testflows.asserts import error
from testflows.core import (
    And,
    Examples,
    Given,
    Requirements,
    Scenario,
    TestOutline,
    TestScenario,
    Then,
    When,
)

from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Projections,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Projections,
)
from steps.replacing_merge_tree.refused_creations import (
    Creation,
    RefusedCreation,
    refusal_violations,
)
from steps.replacing_merge_tree.tables import insert_all, merge, replacing_table
from steps.tables import Table

SUPPORT_IS_DISABLED, PROJECTION_NOT_USED = 344, 584
MODE = "deduplicate_merge_projection_mode"
REBUILT = f" SETTINGS {MODE} = 'rebuild'"
COLUMNS = "key UInt64, value String"
PROJECTIONS = (  # 2 variants
    "PROJECTION counted (SELECT value, count() GROUP BY value)",
    "PROJECTION ordered (SELECT key, value ORDER BY value)",
)
FORCED = {"force_optimize_projection": 1}
OLD, NEW = [(1, "a"), (2, "a"), (3, "c")], [(1, "b")]


def projected(mode: str) -> Table:
    """A table with projections in two parts; one row is replaced."""
    table = replacing_table(columns=", ".join((COLUMNS, *PROJECTIONS)), settings={MODE: mode})
    insert_all(table, OLD, NEW)
    assert projection_parts(table) == 4, error()
    return table


def projection_parts(table: Table) -> int:
    return int(
        table.node.value(
            "SELECT count() FROM system.projection_parts WHERE active "
            f"AND database = '{table.database}' AND table = '{table.name}'"
        )
    )


def projections_used(table: Table) -> int:
    """How many projections the plan of a query without FINAL reads."""
    plan = f"EXPLAIN {by_value(table)}"
    return int(table.node.value(f"SELECT count() FROM ({plan}) WHERE explain LIKE '%(counted)%'"))


def by_value(table: Table, final: str = "") -> str:
    return f"SELECT value, count() FROM {table}{final} GROUP BY value ORDER BY value"


@TestOutline(Scenario)
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Projections("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Projections("1.0"),
)
@Examples("mode rebuilt", [("drop", 0), ("rebuild", 2)])
def final_does_not_read_projections(self, mode, rebuilt):
    """FINAL compares rows although a projection has the answer; merges drop projections, or rebuild
    them of the rows that are left."""
    survive = [("a", 1), ("b", 1), ("c", 1)]
    with Given(f"a table with projections that merges {mode}"):
        table = projected(mode)

    with Then("a query without FINAL is answered by a projection, which counts all rows"):
        counted = [("a", 2), ("b", 1), ("c", 1)]
        assert table.node.query(by_value(table)) == counted, error()
        assert projections_used(table) == 1, error()

    with And("a query with FINAL is not, and counts those that survive"):
        refusal = "because the query uses FINAL"
        table.node.fails(
            by_value(table, " FINAL"), code=PROJECTION_NOT_USED, text=refusal, settings=FORCED
        )
        assert table.node.query(by_value(table, " FINAL")) == survive, error()
        rows = table.node.query(f"SELECT * FROM {table} FINAL WHERE value = 'a'")
        assert rows == [(2, "a")], error()

    with When("the parts are merged"):
        merge(table)

    with Then("there is no projection, or one of the rows that are left"):
        assert projection_parts(table) == rebuilt, error()
        assert table.node.query(by_value(table)) == survive, error()
        assert projections_used(table) == bool(rebuilt), error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_Projections("1.0"))
def refused_unless_merges_know_what_to_do(self):
    """By default a projection is refused."""
    with When("I create tables with a projection"):
        plain = Creation(COLUMNS, "ENGINE = ReplacingMergeTree ORDER BY key")
        violations = refusal_violations(
            RefusedCreation(
                projection.split()[1],
                Creation(f"{COLUMNS}, {projection}", plain.definition),
                *(SUPPORT_IS_DISABLED, MODE),
                Creation(f"{COLUMNS}, {projection}", plain.definition + REBUILT),
            )
            for projection in PROJECTIONS
        )

    with Then("each is refused, and the same table is created where merges rebuild it"):
        assert_no_violations(violations)
