"""Users who may read some columns: FINAL compares versions for them that they may not see."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.node import User
from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Grants,
)
from steps.refusals import attempt
from steps.replacing_merge_tree.tables import insert_all
from steps.tables import NO_MERGES, create_table
from steps.users import NOT_ENOUGH_PRIVILEGES

COLUMNS = "key UInt64, value String, version UInt64, deleted UInt8, secret String"
INSERTS = (
    [(1, "new", 5, 0, "a"), (2, "old", 1, 0, "b"), (3, "gone", 1, 0, "c")],
    [(1, "old", 2, 0, "d"), (2, "new", 3, 0, "e"), (3, "gone", 2, 1, "f")],
)
# Queries, and what a user who may read key and value gets; None where it is refused.
ASKED = {  # 9 variants
    "SELECT key, value FROM {t} FINAL": [(1, "new"), (2, "new")],
    "SELECT value FROM {t} FINAL WHERE key = 1": [("new",)],
    "SELECT count() FROM {t} FINAL": [(2,)],
    "SELECT key FROM {t} FINAL WHERE value = 'old'": [],
    "SELECT version FROM {t} FINAL": None,
    "SELECT key FROM {t} FINAL WHERE version > 2": None,
    "SELECT key FROM {t} FINAL PREWHERE deleted = 1": None,
    "SELECT key FROM {t} FINAL ORDER BY secret": None,
    "SELECT * FROM {t} FINAL": None,
}


@TestScenario
@equivalent(
    mutant="omit[final]",
    statement="version > 2",
    reason="the query is refused, with FINAL or without",
)
@equivalent(
    mutant="omit[final]",
    statement="SELECT version FROM",
    reason="the query is refused, with FINAL or without",
)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Grants("1.0"))
def version_column_may_not_be_read(self):
    """FINAL works for a user who may read the columns of the query, and shows nothing else."""
    with Given("a table with versions and deletions, and users who may read key and value, or all"):
        node = this().node("rbac")
        table = create_table(
            "replacing",
            node=node,
            columns=COLUMNS,
            engine="ReplacingMergeTree(version, deleted)",
            partition_by="",
            order_by="key",
            settings=NO_MERGES,
        )
        insert_all(table, *INSERTS)
        node.add_users(
            [
                User("some_columns", (f"SELECT(key, value) ON {table}",)),
                User("all_columns", (f"SELECT ON {table}",)),
            ]
        )

    violations = {}
    for final in (True, False):
        for asked, expected in ASKED.items():
            sql = asked.format(t=table)
            settings = {}
            if not final:
                sql, settings = sql.replace(" FINAL", ""), {"final": 1}
            name = f"{asked}{'' if final else ', by the setting'}"
            with When(f"a user asks {name}"):
                outcome = attempt(node, sql, user="some_columns", settings=settings)
                if expected is None:
                    if outcome.code != NOT_ENOUGH_PRIVILEGES:
                        violations[name] = str(outcome)
                else:
                    rows = sorted(node.query(sql, user="some_columns", settings=settings))
                    if rows != expected:
                        violations[name] = str(rows)

            with And("a user who may read all columns asks the same"):
                rows = node.query(sql, user="all_columns", settings=settings)
                assert expected is None or sorted(rows) == expected, error()

    with Then("the survivors are returned, and no column that may not be read"):
        assert_no_violations(violations)
