"""The source's partition is detached, dropped, filled or moved while REPLACE PARTITION is cloning it."""

from functools import partial
from typing import NamedTuple

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_AddConstraint,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_CommentColumn,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_RenameColumn,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SourcePartition,
)
from steps.replace_partition.concurrent_statement import PATIENCE
from steps.replace_partition.held_statements import (
    HOLDABLE,
    HOLDING,
    began_during,
    has_begun,
    held_replace,
    holding_node,
)
from steps.row_origins import describe_rows
from steps.table_parts.part_life import detached_parts
from steps.tables import Table, contents, create_table, definition, fill

NEEDS = HOLDING
VIOLATES_CONSTRAINT = 469


class Operation(NamedTuple):
    """What follows ALTER TABLE of the source, and which of its rows are left: all, none, or more."""

    sql: str
    left: str


OPERATIONS = (  # 6 variants
    Operation("DETACH PARTITION 1", "none"),
    Operation("DROP PARTITION 1", "none"),
    Operation("ATTACH PARTITION 1", "more"),
    Operation("MOVE PARTITION 1 TO DISK 'default'", "all"),
    Operation("MOVE PARTITION 1 TO VOLUME 'other'", "all"),
    Operation("FREEZE PARTITION 1", "all"),
)


class Held(NamedTuple):
    """A source and a destination with rows in partitions 1 and 2, and rows that the source detached."""

    source: Table
    destination: Table
    new: list[Row]
    old: list[Row]
    detached: list[Row]


def pair(*, with_detached: bool) -> Held:
    source, destination = (
        create_table(name, node=holding_node(), settings=HOLDABLE)
        for name in ("source", "destination")
    )
    detached: list[Row] = []
    if with_detached:
        detached = fill(source, [1])
        source.node.query(f"ALTER TABLE {source} DETACH PARTITION 1")
        assert detached_parts(source) == {"1_1_1_0": ""} and contents(source) == [], error()
    new = [row for row in fill(source, [1, 2], parts=2) if row[0] == 1]
    old = fill(destination, [1, 2], parts=2)
    return Held(source, destination, new, old, detached)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_SourcePartition("1.0"),
)
@equivalent(
    mutant="first-variant",
    statement="SELECT count() FROM system.processes",
    reason="it only says how long to wait; the log says that the statement began in between",
)
@equivalent(
    mutant="double-row",
    statement="SELECT count() FROM system.processes",
    reason="it only says how long to wait; the log says that the statement began in between",
)
@equivalent(
    mutant="drop",
    statement="SYSTEM FLUSH LOGS",
    reason="the log of earlier statements has been flushed, or is in time",
)
def source_is_taken_away(self):
    """The destination has all rows that the source had when the statement began, and none of later."""
    violations = {}
    for operation in OPERATIONS:
        with Given(f"a running REPLACE PARTITION, and {operation.sql} of the source"):
            tables = pair(with_detached=operation.left == "more")
            source, destination = tables.source, tables.destination
            with held_replace(destination, source=source) as replace:
                other = source.node.background(f"ALTER TABLE {source} {operation.sql}")
                this().eventually(partial(has_begun, other), timeout=PATIENCE)

        with When("both have ended"):
            other.wait()
            outcome = replace.outcome()
            if outcome is not None and not isinstance(outcome, QueryFailed):
                raise outcome

        with Then("the source has the rows that are left"):
            left = {"all": tables.new, "none": [], "more": sorted(tables.new + tables.detached)}
            assert contents(source, partition=1) == left[operation.left], error()

        with And("the destination has all of them if REPLACE PARTITION succeeded, else its own"):
            rows = contents(destination, partition=1)
            own = [row for row in tables.old if row[0] == 1]
            known = {"new": tables.new, "old": own, "detached": tables.detached}
            if outcome is not None or not began_during(other, replace):
                violations[operation.sql] = f"{outcome}, {describe_rows(rows, known)}"
            elif rows != tables.new:
                violations[operation.sql] = describe_rows(rows, known)
            assert contents(destination, partition=2) == [r for r in tables.old if r[0] == 2]

    with Then("REPLACE PARTITION succeeded each time, with the rows of its beginning"):
        assert_no_violations(violations)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_AddConstraint("1.0"),
)
def constraint_is_added(self):
    """A constraint that is added meanwhile holds for later inserts, and the new rows may violate it."""
    for changed in ("source", "destination"):
        with Given(f"a running REPLACE PARTITION, and a constraint added to the {changed}"):
            tables = pair(with_detached=False)
            table = tables.source if changed == "source" else tables.destination
            sql = f"ALTER TABLE {table} ADD CONSTRAINT few CHECK owner = 'few'"
            with held_replace(tables.destination, source=tables.source) as replace:
                table.node.query(sql)
                assert "CONSTRAINT few" in definition(table), error()

        with Then("REPLACE PARTITION succeeds, and its rows are there"):
            replace.wait()
            assert contents(tables.destination, partition=1) == tables.new, error()
            assert contents(tables.source, partition=1) == tables.new, error()

        with And("later rows have to meet the constraint"):
            insert = f"INSERT INTO {table} VALUES (1, 0, 'many')"
            table.node.fails(insert, code=VIOLATES_CONSTRAINT, text="few")
            table.node.query(insert.replace("many", "few"))
            assert contents(table, partition=1) == sorted([*tables.new, (1, 0, "few")]), error()


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_CommentColumn("1.0"),
)
@equivalent(
    mutant="first-variant",
    statement="SELECT count() FROM system.processes",
    reason="it only says how long to wait; the log says that the statement began in between",
)
@equivalent(
    mutant="double-row",
    statement="SELECT count() FROM system.processes",
    reason="it only says how long to wait; the log says that the statement began in between",
)
@equivalent(
    mutant="drop",
    statement="SYSTEM FLUSH LOGS",
    reason="the log of earlier statements has been flushed, or is in time",
)
def column_is_commented(self):
    """A comment that is given to a column meanwhile is there, and so are the new rows."""
    for changed in ("source", "destination"):
        with Given(f"a running REPLACE PARTITION, and a comment for a column of the {changed}"):
            tables = pair(with_detached=False)
            table = tables.source if changed == "source" else tables.destination
            with held_replace(tables.destination, source=tables.source) as replace:
                comment = table.node.background(
                    f"ALTER TABLE {table} COMMENT COLUMN owner 'whose it is'"
                )
                this().eventually(partial(has_begun, comment), timeout=PATIENCE)

        with Then("both succeed"):
            replace.wait()
            comment.wait()
            assert began_during(comment, replace), error()

        with And("the column has its comment, and the partition its rows"):
            assert "COMMENT 'whose it is'" in definition(table), error()
            assert contents(tables.destination, partition=1) == tables.new, error()
            assert contents(tables.source, partition=1) == tables.new, error()


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Concurrent_RenameColumn("1.0"),
)
def column_is_renamed_before_and_after(self):
    """With a column renamed in both tables, one before the other, rows are replaced or refused as a whole."""
    for first in ("source", "destination"):
        with Given(f"two tables, a column of the {first} has another name"):
            tables = pair(with_detached=False)
            order = [tables.source, tables.destination]
            if first == "destination":
                order.reverse()
            rename = "ALTER TABLE {} RENAME COLUMN owner TO holder"
            order[0].node.query(rename.format(order[0]))

        with When("I replace the partition"):
            sql = f"ALTER TABLE {tables.destination} REPLACE PARTITION 1 FROM {tables.source}"
            tables.destination.node.fails(sql, code=122, text="different structure")

        with Then("it is refused, and the destination keeps its rows"):
            assert contents(tables.destination) == tables.old, error()

        with When("the other table's column has the name, too, and I replace the partition"):
            order[1].node.query(rename.format(order[1]))
            tables.destination.node.query(sql)

        with Then("all rows arrive under the new name"):
            assert contents(tables.destination, partition=1) == tables.new, error()
            owners = tables.destination.node.column(
                f"SELECT holder FROM {tables.destination} WHERE p = 1 ORDER BY i"
            )
            assert owners == [owner for _, _, owner in sorted(tables.new)], error()
