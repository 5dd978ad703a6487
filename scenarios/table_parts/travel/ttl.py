"""The TTL of a part's table decides when its rows go, wherever the part was written."""

import re
from typing import NamedTuple

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Travel_TTL
from steps.table_parts.part_life import FORMATS, active_parts
from steps.tables import Table, create_table, definition

DEVIATIONS = "travel-ttl"  # the beginning of their ids
INSERT = "INSERT INTO {table} VALUES ({p}, '2020-01-01 00:00:00', {v})"
# Of rows of this time the first TTL says that they are expired, the second that they are not.
SHORT, LONG = "1 DAY", "50 YEAR"
AS_SHOWN = {SHORT: "toIntervalDay(1)", LONG: "toIntervalYear(50)"}  # 2 variants
COMMANDS = {  # 3 variants
    "REPLACE PARTITION": "ALTER TABLE {new} REPLACE PARTITION 1 FROM {old}",
    "ATTACH PARTITION FROM": "ALTER TABLE {new} ATTACH PARTITION 1 FROM {old}",
    "MOVE PARTITION TO TABLE": "ALTER TABLE {old} MOVE PARTITION 1 TO TABLE {new}",
}
AGAIN = "DETACH, MODIFY TTL and ATTACH"
FOLLOWED = "rows and values go when the table's own TTL says so"
REASON = (
    "a part keeps the times that the TTL of its first table gave it (ttl.txt), and merges go by these: they "
    "remove rows that the table keeps, and keep rows that are expired"
)
UPSTREAM = "https://github.com/ClickHouse/ClickHouse/issues/50610"


class Case(NamedTuple):
    """A part in this format, written for a table with one TTL, comes to a table with another one."""

    kind: str
    of: str
    old: str
    new: str
    command: str

    def __str__(self) -> str:
        return f"{self.kind}, TTL of the {self.of}, {self.old} to {self.new}, {self.command}"

    def left(self) -> list[int]:
        """What a merge leaves of the values 10, which came, and 20, which the table had."""
        if self.new == LONG:
            return [10, 20]
        return [] if self.of == "table" else [0, 0]


CASES = [  # 32 variants
    Case(kind, of, *intervals, command)
    for kind in FORMATS
    for of in ("table", "column")
    for intervals in ((SHORT, LONG), (LONG, SHORT))
    for command in (*COMMANDS, AGAIN)
]
OBSERVED = {
    ("table", LONG): "[20]",
    ("table", SHORT): "[10]",
    ("column", LONG): "[0, 20]",
    ("column", SHORT): "[10, 0]",
}


def table_with_ttl(case: Case, interval: str) -> Table:
    """A table whose rows, or the values of whose column v, have this TTL; nothing is merged by itself."""
    ttl = f"TTL d + INTERVAL {interval}"
    of_column, of_table = ("", ttl) if case.of == "table" else (f" {ttl}", "")
    columns = f"p UInt64, d DateTime, v UInt64{of_column}"
    table = create_table(
        "ttl", columns=columns, order_by="d", more=of_table, settings=FORMATS[case.kind]
    )
    table.node.query(f"SYSTEM STOP MERGES {table}")
    return table


def bring(case: Case, origin: Table) -> Table:
    """Have the row come to a table with the new TTL."""
    if case.command != AGAIN:
        table = table_with_ttl(case, case.new)
        table.node.query(COMMANDS[case.command].format(old=origin, new=table))
        return table
    ttl = f"TTL d + INTERVAL {case.new}"
    change = f"MODIFY {ttl}" if case.of == "table" else f"MODIFY COLUMN v UInt64 {ttl}"
    for command in ("DETACH PARTITION 1", change, "ATTACH PARTITION 1"):
        origin.node.query(f"ALTER TABLE {origin} {command}")
    return origin


def shown_ttl(table: Table) -> str:
    """The interval of the one TTL that the table has."""
    (interval,) = re.findall(r"TTL d \+ (\w+\(\d+\))", definition(table))
    return str(interval)


def values(table: Table) -> list[int]:
    return table.node.column(f"SELECT v FROM {table} ORDER BY p")


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Travel_TTL("1.0"))
@deviates(
    step=FOLLOWED,
    observed={
        str(case): OBSERVED[case.of, case.new]
        for case in CASES
        if (case.kind, case.of, case.new) != ("Compact", "column", LONG)
    },
    reason=REASON,
    kind="bug",
    severity="data lost",
    upstream=UPSTREAM,
)
@equivalent(
    mutant="drop",
    statement="SYSTEM STOP MERGES",
    reason="the background looks for expired rows only from time to time",
)
@equivalent(
    mutant="change-value",
    statement="SELECT create_table_query",
    reason="the interval is compared, and the changed value is elsewhere in the text",
)
@equivalent(
    mutant="other-table*",
    statement="min_block_number, max_block_number",
    reason="the parts of all cases have the same names; a merge that was not carried out is seen by the rows",
)
@equivalent(
    mutant="first-variant",
    statement="min_block_number, max_block_number",
    reason="the parts of all cases have the same names; a merge that was not carried out is seen by the rows",
)
@equivalent(
    mutant="lose-row",
    statement="min_block_number, max_block_number",
    reason="the other part has been merged, too; rows that are lost are seen by the values",
)
def rows_follow_the_ttl_of_their_table(self):
    """A merge removes what its table's TTL calls expired, and nothing else, of parts that came to it."""
    violations: dict[str, object] = {}
    for case in CASES:
        with Given(f"a row in a table with a TTL: {case}"):
            origin = table_with_ttl(case, case.old)
            origin.node.query(INSERT.format(table=origin, p=1, v=10))
            assert shown_ttl(origin) == AS_SHOWN[case.old], error()

        with When(f"it comes to a table with another TTL by {case.command}"):
            table = bring(case, origin)
            table.node.query(INSERT.format(table=table, p=2, v=20))
            assert values(table) == [10, 20], error()
            assert shown_ttl(table) == AS_SHOWN[case.new], error()

        with And("the table is merged"):
            table.node.query(f"SYSTEM START MERGES {table}")
            table.node.query(f"OPTIMIZE TABLE {table} FINAL")
            assert all(part.level > 0 for part in active_parts(table).values()), error()
            if (left := values(table)) != case.left():
                violations[str(case)] = left

    with Then(FOLLOWED):
        assert_no_violations(violations)
