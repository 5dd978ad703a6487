"""TTLs in which source and destination differ: the destination's decides which rows expire."""

from datetime import date
from typing import NamedTuple

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Secondary,
)
from steps.partitions import replace_partition
from steps.row_origins import describe_rows
from steps.tables import Table, contents, create_table, insert

SHORT, LONG = "TTL d + INTERVAL 1 YEAR", "TTL d + INTERVAL 40 YEAR"
OLD, NEW = date(2001, 1, 1), date(2060, 1, 1)
KEPT = "every row that expires by the destination's TTL is gone, and no other"


class TtlPair(NamedTuple):
    """The TTL of each table, and the days of the source's rows: the old ones expire by the short TTL."""

    source: str
    destination: str
    days: tuple[date, ...] = (OLD, NEW)


DIFFERENCES = {  # 6 variants
    "none in the source": TtlPair("", SHORT),
    "none in the destination": TtlPair(SHORT, ""),
    "none in the destination, all rows expired": TtlPair(SHORT, "", (OLD,)),
    "a longer one in the source": TtlPair(LONG, SHORT),
    "a shorter one in the source": TtlPair(SHORT, LONG),
    "a shorter one in the source, all rows expired": TtlPair(SHORT, LONG, (OLD,)),
}


def table_with(name: str, ttl: str) -> Table:
    """An empty table; no row of it is removed before `expire`."""
    table = create_table(name, columns="p UInt64, i UInt64, d Date", more=ttl)
    table.node.query(f"SYSTEM STOP TTL MERGES {table}")
    return table


def expire(table: Table) -> None:
    """Have a merge write the table anew, which removes the rows that have expired."""
    table.node.query(f"SYSTEM START TTL MERGES {table}")
    table.node.query(f"OPTIMIZE TABLE {table} FINAL")


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Secondary("1.1"))
@deviates(
    step=KEPT,
    observed={
        "a longer one in the source": "all 5 old rows and all 5 new rows",
        "a shorter one in the source, all rows expired": "no rows",
    },
    reason="the parts keep the bounds of the source's TTL (ttl.txt), and a merge believes them: rows that "
    "expire in the source are removed from a destination that has to keep them, and rows that expire in the "
    "destination stay",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/50610",
)
def ttl_of_the_destination_decides(self):
    """Rows expire in the destination as if they had been inserted there, whatever TTL the source has."""
    violations = {}
    for name, (of_source, of_destination, days) in DIFFERENCES.items():
        with Given(f"rows in a source, and a destination with another TTL: {name}"):
            source, destination = table_with("source", of_source), table_with("own", of_destination)
            rows = {day: [(1, 5 * day.year + k, day) for k in range(5)] for day in days}
            inserted = [row for day in days for row in rows[day]]
            insert(source, inserted)
            insert(destination, [(1, 1, NEW), (2, 2, NEW)])
            assert contents(source) == inserted, error()

        with And(
            "the same rows in a table that is like the destination, which a merge leaves there"
        ):
            control = table_with("control", of_destination)
            insert(control, inserted)
            expire(control)
            expected = [
                row for row in inserted if of_destination != SHORT or row in rows.get(NEW, [])
            ]
            assert contents(control) == expected, error()

        with When("I replace the partition, and a merge writes it anew"):
            replace_partition(destination, source=source, partition=1)
            assert contents(destination, partition=1) == inserted, error()
            expire(destination)

        with Then("the other partition has its row, and the source all that it had"):
            assert contents(destination, partition=2) == [(2, 2, NEW)], error()
            assert contents(source) == inserted, error()

        actual = contents(destination, partition=1)
        if actual != expected:
            known = {"old": rows[OLD], "new": rows.get(NEW, [])}
            violations[name] = describe_rows(actual, known)

    with Then(KEPT):
        assert_no_violations(violations)
