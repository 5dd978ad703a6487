"""Conditions of a query with FINAL: which rows they are compared with, and what a sample holds."""

from itertools import chain, product

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from helpers.scenario.violations import assert_no_violations, differing
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Filter,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Prewhere,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_RowPolicy,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Sample,
)
from steps.replacing_merge_tree.final_reads import Reader, ReadMode, assert_used
from steps.replacing_merge_tree.stored_rows import part_values, survivors
from steps.replacing_merge_tree.tables import insert_all, replacing_table
from steps.tables import Table

COLUMNS = (
    "key UInt64, value String, number UInt64, "
    "INDEX by_value value TYPE set(0) GRANULARITY 1, INDEX by_number number TYPE minmax GRANULARITY 1"
)
# Keys 10 to 19 have a newer row in another part: other values, and other numbers.
OLD = [(key, f"old {key}", key) for key in range(40)]
NEW = [(key, f"new {key}", 1000 + key) for key in range(10, 20)]
CONDITIONS: dict[str, list[Row]] = {  # 9 variants
    "value = 'old 15'": [],
    "number = 15": [],
    "key = 15 AND value = 'old 15'": [],
    "value = 'old 5'": [OLD[5]],
    "value = 'new 15'": [NEW[5]],
    "number BETWEEN 9 AND 20": [OLD[20], OLD[9]],
    "number > 1018": [NEW[9]],
    "key = 15": [NEW[5]],
    "key >= 38 OR value = 'old 12'": [OLD[38], OLD[39]],
}
# Conditions that each of the indexes can help with.
INDEXED = ("key = 15 AND value = 'old 15'", "key = 15 AND number = 15")  # 2 variants
PLAN = "indexes = 1, actions = 1"
EXPANDED, FORWARD = "PrimaryKeyExpand", "Prewhere filter column"
BY_INDEX = ReadMode("with skip indexes", {}, {EXPANDED: "= 1", FORWARD: "= 0"})
MODES = (  # 2 variants
    ReadMode(
        "without skip indexes",
        {"use_skip_indexes_if_final": 0},
        {"Name: by_": "= 0", FORWARD: "= 0"},
    ),
    ReadMode(
        "conditions moved forward",
        {"optimize_move_to_prewhere_if_final": 1},
        {EXPANDED: "= 1", FORWARD: "= 1"},
    ),
)


def replaced_values() -> Table:
    """A table of small granules whose values are indexed; some keys have a newer row."""
    table = replacing_table(columns=COLUMNS, settings={"index_granularity": 4})
    insert_all(table, OLD, NEW)
    # Forty rows in granules of four and ten of them, and one mark more that says where a part ends.
    assert part_values(table, "marks") == [11, 4], error()
    return table


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Sample("1.0"))
def sample_holds_survivors(self):
    """A sample of a FINAL query holds the newest rows of its keys, and the others none of them."""
    with Given("a thousand keys, half of them replaced"):
        table = replacing_table(
            columns="key UInt64, value String",
            order_by="(key, intHash32(key))",
            more="SAMPLE BY intHash32(key)",
        )
        for value, keys in {"old": 1000, "new": 500}.items():
            table.node.query(f"INSERT INTO {table} SELECT number, '{value}' FROM numbers({keys})")

    with When("I read a quarter, and the three others"):
        read = f"SELECT key, value FROM {table} FINAL SAMPLE 1 / 4"
        quarters = [table.node.query(f"{read} OFFSET {number} / 4") for number in range(4)]

    with Then("together they are the survivors, each once"):
        expected = [(key, "new" if key < 500 else "old") for key in range(1000)]
        assert sorted(chain(*quarters)) == expected, error()

    with And("each of them holds some"):
        assert all(150 < len(quarter) < 350 for quarter in quarters), error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_RowPolicy("1.0"))
def row_policy_sees_survivors(self):
    """A user from whom a newer row is hidden gets nothing for its key, unless the setting says so."""
    user, hidden = "sees_old_rows", "value LIKE 'old %'"
    with Given("a table, and a user who may see the old rows only"):
        node = this().node("row_policies")
        table = replacing_table(columns="key UInt64, value String, number UInt64", node=node)
        # An older row that the user may see as well, for FINAL to leave out.
        older = (*OLD[0][:1], "old and older", 0)
        insert_all(table, [older], OLD, NEW)
        policy = f"<{table.name}><filter>{hidden}</filter></{table.name}>"
        users = (
            f"<{user}><password></password><networks><ip>::/0</ip></networks>"
            "<profile>default</profile><quota>default</quota><databases>"
            f"<{table.database}>{policy}</{table.database}></databases></{user}>"
        )
        node = this().node(
            "row_policies",
            users={"row-policies": f"<clickhouse><users>{users}</users></clickhouse>"},
        )
        everything = f"SELECT * FROM {table} ORDER BY key, value"
        assert node.query(everything, user=user) == sorted([older, *OLD]), error()

    read = f"SELECT * FROM {table} FINAL ORDER BY key"
    with Then("by default the policy filters the survivors"):
        assert node.query(read, user=user) == OLD[:10] + OLD[20:], error()

    with And("with the setting switched off it filters the rows before they are compared"):
        before = {"apply_row_policy_after_final": 0}
        assert node.query(read, user=user, settings=before) == OLD, error()

    with And("other users see all survivors"):
        assert node.query(read) == OLD[:10] + NEW + OLD[20:], error()


@TestScenario
@equivalent(
    mutant="omit[FINAL]",
    statement="FINAL WHERE value = 'old 5'",
    reason="the one row with this value was never replaced: it is there to see that indexes find it",
)
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Filter("1.0"))
def conditions_see_survivors_only(self):
    """A condition that only a replaced row meets gives nothing, by whatever index it could be found."""
    violations: dict[str, object] = {}
    with Given("keys whose values were replaced, with indexes on the values"):
        table = replaced_values()
        reader = Reader(table)
        for mode, condition in product(MODES, INDEXED):
            assert_used(mode, BY_INDEX, table, what=PLAN, where=condition)

    for mode in (BY_INDEX, *MODES):
        with When(f"I read with conditions, {mode.name}"):
            for condition, expected in CONDITIONS.items():
                if (rows := reader.rows(mode, condition)) != expected:
                    violations[f"{mode.name}, {condition}"] = rows
    reader.assert_executed(BY_INDEX, *MODES)

    with Then("only survivors are compared with them"):
        assert_no_violations(violations)

    with And("an index that is taken at its word finds the replaced row: it is there to be found"):
        # Both rows of key 11 are found, the newer one of key 15 is in another granule.
        where = "value IN ('old 11', 'new 11', 'old 15')"
        inexact = {"use_skip_indexes_if_final_exact_mode": 0}
        assert survivors(table, where=where) == [NEW[1]], error()
        assert survivors(table, where=where, settings=inexact) == [NEW[1], OLD[15]], error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Final_Prewhere("1.0"))
def prewhere_comes_before_the_comparison(self):
    """PREWHERE takes rows away before they are compared, unless the setting puts it behind."""
    violations: dict[str, object] = {}
    after = {"apply_prewhere_after_final": 1}
    # The condition, and the rows if it comes before and after the comparison.
    cells: tuple[tuple[str, list[Row], list[Row]], ...] = (
        ("value = 'old 15' OR key = 16", [OLD[15], NEW[6]], [NEW[6]]),
        ("number < 12 OR key = 16", [*OLD[:12], NEW[6]], [*OLD[:10], NEW[6]]),
        ("key = 15 OR value = 'old 12'", [OLD[12], NEW[5]], [NEW[5]]),
        ("value = 'new 15' OR number = 11", [OLD[11], NEW[5]], [NEW[5]]),
    )
    with When("I read with PREWHERE, before and after the comparison"):
        table = replaced_values()
        for condition, first, last in cells:
            sql = f"SELECT * FROM {table} FINAL PREWHERE {condition} ORDER BY key"
            checked = {
                "by default": (table.node.query(sql), first),
                "after": (table.node.query(sql, settings=after), last),
            }
            violations |= differing(condition, checked)

    with Then("the rows are those that were compared after, or before"):
        assert_no_violations(violations)
