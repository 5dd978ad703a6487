"""Statements that clone parts, at once: some order of them has to explain the rows of all tables."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from testflows.asserts import error
from testflows.core import Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import Marked, deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Order,
)
from steps.replace_partition.held_statements import PARTITION, began_during
from steps.replace_partition.killed_statements import is_cloning
from steps.row_origins import describe_rows, rows_of
from steps.tables import Table, contents, create_table, fill_and_check

DEVIATIONS = "concurrent-order"  # the beginning of their ids

STATEMENT = re.compile(r"ALTER TABLE \{(\w+)\} (\w+) PARTITION 1 (?:FROM|TO TABLE) \{(\w+)\}")
# So slowly a statement reads the parts that it clones: it lasts a second or two.
SLOWLY = {"max_local_read_bandwidth": 500}
SOME_ORDER = "all tables have the rows of some order"
REASON = (
    "a statement that clones takes the parts of its source when it begins, and puts the clones into its "
    "destination when it ends; what others do to both in between it neither sees nor keeps from happening. "
    "No row is lost by it, and nobody promises an order"
)
REPLACE, ATTACH, MOVE = (
    "ALTER TABLE {one} REPLACE PARTITION 1 FROM {other}",
    "ALTER TABLE {one} ATTACH PARTITION 1 FROM {other}",
    "ALTER TABLE {other} MOVE PARTITION 1 TO TABLE {one}",
)
# What is issued meanwhile goes in the opposite direction. MOVE waits for another one: it comes last.
MEANWHILE = {  # 3 variants
    "REPLACE PARTITION": "ALTER TABLE {other} REPLACE PARTITION 1 FROM {one}",
    "ATTACH PARTITION FROM": "ALTER TABLE {other} ATTACH PARTITION 1 FROM {one}",
    "MOVE PARTITION TO TABLE": "ALTER TABLE {one} MOVE PARTITION 1 TO TABLE {other}",
}
BOTH = "all 10 of one and all 10 of other"
# What ClickHouse leaves, by the slow statement and by the one that is issued meanwhile.
OBSERVED = {
    REPLACE: {
        "REPLACE PARTITION": "one: all 10 of other; other: all 10 of one",
        "ATTACH PARTITION FROM": f"one: all 10 of other; other: {BOTH}",
        "MOVE PARTITION TO TABLE": f"one: all 10 of other; other: {BOTH}",
    },
    ATTACH: {
        "REPLACE PARTITION": f"one: {BOTH}; other: all 10 of one",
        "ATTACH PARTITION FROM": f"one: {BOTH}; other: {BOTH}",
        "MOVE PARTITION TO TABLE": f"one: all 10 of other; other: {BOTH}",
    },
    MOVE: {
        "REPLACE PARTITION": f"one: {BOTH}; other: all 10 of one",
        "ATTACH PARTITION FROM": f"one: {BOTH}; other: all 10 of one",
    },
}


def mixes(slow: str) -> Callable[[Marked], Marked]:
    """ClickHouse leaves what no order explains where others are issued while this statement is running."""
    return deviates(
        step=SOME_ORDER,
        observed=OBSERVED[slow],
        reason=REASON,
        kind="requirement",
        severity="wrong answer",
    )


@dataclass(frozen=True)
class StatementPair:
    """Two tables with a part of different rows each."""

    one: Table
    other: Table
    rows: Mapping[str, list[Row]]

    def sql(self, template: str) -> str:
        return template.format(one=self.one, other=self.other)

    def held(self) -> dict[str, list[Row]]:
        return {"one": contents(self.one), "other": contents(self.other)}

    def described(self, held: Mapping[str, list[Row]]) -> str:
        """What both tables hold, by whose rows they were; there are no others."""
        assert rows_of(held) <= rows_of(self.rows), f"rows of nobody in {self.one} or {self.other}"
        return "; ".join(
            f"{name}: {describe_rows(rows, self.rows).replace(' rows', '')}"
            for name, rows in held.items()
        )


def pair() -> StatementPair:
    one, other = create_table("one"), create_table("other")
    rows = [fill_and_check(table, [PARTITION]) for table in (one, other)]
    return StatementPair(one, other, dict(zip(("of one", "of other"), rows, strict=True)))


def one_after_the_other(*statements: str) -> str:
    """What two tables hold after these statements; it is checked against what the statements mean."""
    tables = pair()
    meant = {"one": tables.rows["of one"], "other": tables.rows["of other"]}
    for template in statements:
        tables.one.node.query(tables.sql(template))
        meant = carried_out(template, meant)
    held = tables.held()
    assert held == meant, f"{statements} left {held} instead of {meant}"
    return tables.described(held)


def carried_out(template: str, rows: Mapping[str, list[Row]]) -> dict[str, list[Row]]:
    """What a statement makes of the rows of both tables."""
    parsed = STATEMENT.fullmatch(template)
    assert parsed, f"not a statement of this scenario: {template}"
    altered, verb, named = parsed.groups()
    if verb == "REPLACE":
        return {**rows, altered: rows[named]}
    both = sorted(rows[altered] + rows[named])
    return {altered: both, named: rows[named]} if verb == "ATTACH" else {altered: [], named: both}


def at_once(slow: str) -> dict[str, str]:
    """What two tables hold if another statement is issued while this one clones, by the other statement.

    The slow statement runs on a pair of tables for each of the others, all at the same time, which takes as
    long as one.
    """
    pairs = {name: pair() for name in MEANWHILE}
    running = {
        name: tables.one.node.background(tables.sql(slow), settings=SLOWLY)
        for name, tables in pairs.items()
    }
    this().eventually(lambda: all(map(is_cloning, running.values())))
    meanwhile = {}
    for name, tables in pairs.items():
        assert running[name].running, "the fixture proves nothing: the statement has ended already"
        meanwhile[name] = tables.one.node.background(tables.sql(MEANWHILE[name]))
        meanwhile[name].wait()
    for name, statement in running.items():
        statement.wait()
        assert began_during(meanwhile[name], statement), f"{name} did not begin meanwhile"
    return {name: tables.described(tables.held()) for name, tables in pairs.items()}


@TestOutline
def ends_as_in_some_order(self, *, slow):
    """Each of the statements while this one is running."""
    with Given("what this statement and each of the others leave, one after the other"):
        orders = {
            name: [one_after_the_other(slow, other), one_after_the_other(other, slow)]
            for name, other in MEANWHILE.items()
        }
        assert all(first != second for first, second in orders.values()), error()

    with When("each of the others is issued while the statement is running"):
        left = at_once(slow)

    with Then(SOME_ORDER):
        assert_no_violations(
            {name: rows for name, rows in left.items() if rows not in orders[name]}
        )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Order("1.0"))
@mixes(REPLACE)
def replace_partition(self):
    """REPLACE PARTITION and what goes in the opposite direction meanwhile."""
    ends_as_in_some_order(slow=REPLACE)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Order("1.0"))
@mixes(ATTACH)
def attach_partition_from(self):
    """ATTACH PARTITION FROM and what goes in the opposite direction meanwhile."""
    ends_as_in_some_order(slow=ATTACH)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_Order("1.0"))
@mixes(MOVE)
def move_partition_to_table(self):
    """MOVE PARTITION TO TABLE and what goes in the opposite direction meanwhile; another one waits."""
    ends_as_in_some_order(slow=MOVE)
