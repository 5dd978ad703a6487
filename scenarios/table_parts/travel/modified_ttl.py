"""A TTL that is made longer: rows that were not removed yet stay, from the answer on."""

import re
from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Travel_ModifiedTTL
from steps.table_parts.part_life import FORMATS
from steps.tables import Table, create_table, definition

DEVIATIONS = "travel-modified-ttl"  # the beginning of their ids
AT_ONCE = {"alter_sync": 0, "mutations_sync": 0}
OWN = {"merge_with_ttl_timeout": 0}
SHORT = "TTL d + INTERVAL 1 DAY"
REMOVED = "table, removed"
# What has the TTL, how it is changed, and what the value is when the short TTL has removed or reset it.
CHANGES = {  # 3 variants
    "table": ("MODIFY TTL d + INTERVAL 50 YEAR", []),
    "column": ("MODIFY COLUMN v UInt64 TTL d + INTERVAL 50 YEAR", [0]),
    REMOVED: ("REMOVE TTL", []),
}
STAY = "rows and values that the present TTL keeps are kept"


def expired(of: str, kind: str) -> Table:
    """A table with a row that its TTL calls expired, and which nothing has removed yet."""
    of_column, of_table = (f" {SHORT}", "") if of == "column" else ("", SHORT)
    table = create_table(
        "ttl",
        columns=f"p UInt64, d DateTime, v UInt64{of_column}",
        order_by="d",
        more=of_table,
        settings={**FORMATS[kind], **OWN},
    )
    table.node.query(f"SYSTEM STOP MERGES {table}")
    table.node.query(f"INSERT INTO {table} VALUES (1, '2020-01-01 00:00:00', 10)")
    assert values(table) == [10], error()
    return table


def values(table: Table) -> list[int]:
    return table.node.column(f"SELECT v FROM {table} ORDER BY p")


def unfinished(table: Table) -> int:
    return int(
        table.node.value(
            "SELECT count() FROM system.mutations WHERE NOT is_done "
            f"AND database = '{table.database}' AND table = '{table.name}'"
        )
    )


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Travel_ModifiedTTL("1.0"))
@deviates(
    step=STAY,
    observed={"Compact, table": "[]", "Wide, table": "[]", "Wide, column": "[0]"},
    reason="merges that remove expired rows go by the times in the part (ttl.txt) and come before the "
    "mutation that writes them anew: the row is removed although no TTL of the table says so",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/50610",
)
@equivalent(
    mutant="other-table*",
    statement="SELECT count() FROM system.mutations",
    reason="it only says how long to wait; the other table is waited for, too",
)
@equivalent(
    mutant="change-value",
    statement="SELECT create_table_query",
    reason="the intervals are compared, and the changed value is elsewhere in the text",
)
@equivalent(
    mutant="first-variant",
    statement="SELECT create_table_query",
    reason="the tables of both formats get the same TTL",
)
def longer_ttl_keeps_rows(self):
    """MODIFY TTL and REMOVE TTL keep the rows that are there when they are answered."""
    violations: dict[str, object] = {}
    for kind in FORMATS:
        for of, (change, removed) in CHANGES.items():
            with Given(f"tables with a row that is expired and still there: {of}, {kind}"):
                changed, unchanged = expired(of, kind), expired(of, kind)

            with When(f"I execute {change}"):
                changed.node.query(f"ALTER TABLE {changed} {change}", settings=AT_ONCE)
                intervals = re.findall(r"toInterval\w+\(\d+\)", definition(changed))
                assert intervals == ([] if of == REMOVED else ["toIntervalYear(50)"]), error()
                assert values(changed) == [10], error()

            with And("the background works"):
                for table in (changed, unchanged):
                    table.node.query(f"SYSTEM START MERGES {table}")
                this().eventually(partial(unfinished, changed), equals=0)

            with Then("without the change the row is removed, or its value reset"):
                this().eventually(partial(values, unchanged), equals=removed, timeout=40)
                if values(changed) != [10]:
                    violations[f"{kind}, {of}"] = values(changed)

    with And(STAY):
        assert_no_violations(violations)
