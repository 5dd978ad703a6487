"""An UPDATE that runs while other statements change its table."""

from typing import NamedTuple

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.background import Background
from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Update_Acknowledged,
    RQ_SRS_102_ClickHouse_TableParts_Update_PartitionStatements,
)
from steps.background_changes import until_done
from steps.refusals import attempt
from steps.sleeping import sleep_each_row
from steps.table_parts.part_life import FORMATS
from steps.tables import Table, create_table

DEVIATIONS = "updates-in-flight"  # the beginning of their ids
COLUMNS = "p UInt64, i UInt64, v UInt64, w UInt64, INDEX small i TYPE minmax GRANULARITY 1"
UPDATABLE = {"enable_block_number_column": 1, "enable_block_offset_column": 1}
INSERT = "INSERT INTO {table} SELECT 1, number, {v}, 1 FROM numbers(3)"
SECONDS_PER_ROW = 0.9
# Statements that change other columns or rows, and lose an UPDATE that runs.
LOSING = {  # 7 variants
    "ALTER UPDATE": "ALTER TABLE {table} UPDATE w = 5 WHERE 1",
    "ALTER DELETE": "ALTER TABLE {table} DELETE WHERE i = 100",
    "DELETE FROM": "DELETE FROM {table} WHERE i = 100",
    "MODIFY COLUMN": "ALTER TABLE {table} MODIFY COLUMN w String",
    "DROP COLUMN": "ALTER TABLE {table} DROP COLUMN w",
    "RENAME COLUMN": "ALTER TABLE {table} RENAME COLUMN w TO renamed",
    "MATERIALIZE INDEX": "ALTER TABLE {table} MATERIALIZE INDEX small",
}
# One that loses none, and the values of the table after it.
KEEPING = {
    "INSERT": ("INSERT INTO {table} VALUES (1, 3, 2, 1), (2, 1, 2, 1)", [2] * 5),
}
STATEMENTS = {name: (sql, [2] * 3) for name, sql in LOSING.items()} | KEEPING
KEPT = "every row has the value of the UPDATE"


def updatable(name: str, kind: str, v: int = 1) -> Table:
    """A table with a partition of three rows."""
    table = create_table(name, columns=COLUMNS, settings={**FORMATS[kind], **UPDATABLE})
    table.node.query(INSERT.format(table=table, v=v))
    return table


def start_update(table: Table) -> Background:
    """An UPDATE of all rows that takes some seconds, once it has read them."""
    sleeping = sleep_each_row(SECONDS_PER_ROW, rows_per_block=3)
    sql = f"UPDATE {table} SET v = 2 WHERE p = 1 AND {sleeping} = 0"
    update = table.node.background(sql)
    reads = f"SELECT read_rows > 0 FROM system.processes WHERE query_id = '{update.query_id}'"
    this().eventually(lambda: table.node.query(reads), equals=[(1,)])
    return update


def values(table: Table) -> list[int]:
    return sorted(table.node.column(f"SELECT v FROM {table}"))


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Update_Acknowledged("1.0"))
@deviates(
    step=KEPT,
    observed={f"{kind}, {name}": "[1, 1, 1]" for kind in FORMATS for name in LOSING},
    reason="the statement writes the part anew with a later version than the UPDATE has, whose patch then "
    "counts as applied",
    kind="bug",
    severity="data lost",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/116686",
)
def answered_update_stays(self):
    """An UPDATE that is answered has changed its rows, whatever changed other columns meanwhile."""
    running = {}
    for kind in FORMATS:
        for name, (sql, expected) in STATEMENTS.items():
            with Given(f"an UPDATE that runs, {kind}"):
                table = updatable("updated", kind)
                update = start_update(table)
                running[f"{kind}, {name}"] = (update, table, expected)

            with When(f"{name} is executed while it runs"):
                statement = sql.format(table=table)
                table.node.query(statement, settings=until_done(statement))
                assert not update.done, error()

    with And("the UPDATEs are answered"):
        for update, *_ in running.values():
            update.wait()

    with Then(KEPT):
        assert_no_violations(
            {
                cell: found
                for cell, (_, table, expected) in running.items()
                if (found := values(table)) != expected
            }
        )


class UpdateOutcome(NamedTuple):
    """The values in the table of the UPDATE and in the other table."""

    table: list[int]
    other: list[int]


# What each statement may leave: as if it were executed after the UPDATE, or before.
PARTITION_STATEMENTS = {  # 3 variants
    "MOVE PARTITION TO TABLE": (
        ["ALTER TABLE {table} MOVE PARTITION 1 TO TABLE {other}"],
        [UpdateOutcome([], [2, 2, 2, 7, 7, 7]), UpdateOutcome([], [1, 1, 1, 7, 7, 7])],
    ),
    "REPLACE PARTITION": (
        ["ALTER TABLE {table} REPLACE PARTITION 1 FROM {other}"],
        [UpdateOutcome([7, 7, 7], [7, 7, 7]), UpdateOutcome([2, 2, 2], [7, 7, 7])],
    ),
    "DETACH PARTITION": (
        ["ALTER TABLE {table} DETACH PARTITION 1", "ALTER TABLE {table} ATTACH PARTITION 1"],
        [UpdateOutcome([2, 2, 2], [7, 7, 7]), UpdateOutcome([1, 1, 1], [7, 7, 7])],
    ),
}
REFUSED = UpdateOutcome([2, 2, 2], [7, 7, 7])


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Update_PartitionStatements("1.0"))
def partition_statement_comes_before_or_after(self):
    """A statement that takes a partition away while it is updated comes before the UPDATE or after it."""
    pairs = {}
    for kind in FORMATS:
        for name, (statements, orders) in PARTITION_STATEMENTS.items():
            with Given(f"two tables, and an UPDATE that runs in one of them, {kind}"):
                table, other = updatable("updated", kind), updatable("other", kind, v=7)
                update = start_update(table)

            with When(f"{name} is executed while it runs"):
                accepted = [
                    attempt(table.node, sql.format(table=table, other=other)).accepted
                    for sql in statements
                ]
                assert not update.done, error()
                allowed = orders if all(accepted) else [REFUSED]
                pairs[f"{kind}, {name}"] = (update, table, other, allowed)

    with And("the UPDATEs are answered"):
        for update, *_ in pairs.values():
            update.wait()

    with Then("each pair of tables is as after one order of the two, or the statement was refused"):
        assert_no_violations(
            {
                cell: found
                for cell, (_, table, other, allowed) in pairs.items()
                if (found := UpdateOutcome(values(table), values(other))) not in allowed
            }
        )
