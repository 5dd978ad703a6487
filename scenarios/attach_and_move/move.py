"""MOVE PARTITION TO TABLE: every row is in one of the tables, also where both are the same."""

from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs103_attach_and_move import (
    RQ_SRS_103_ClickHouse_AttachAndMove_MoveRefused,
    RQ_SRS_103_ClickHouse_AttachAndMove_MoveToItself,
    RQ_SRS_103_ClickHouse_AttachAndMove_MoveToTable,
    RQ_SRS_103_ClickHouse_AttachAndMove_TemporaryTables,
)
from steps.partitions import moving
from steps.parts import part_hashes
from steps.refusals import attempt, state
from steps.table_parts.part_life import FORMATS
from steps.tables import (
    COLUMNS,
    NO_MERGES,
    contents,
    create_table,
    fill,
    insert,
    partitioned_pair,
)


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_MoveToTable("1.0"))
def rows_are_in_one_table(self):
    """A partition leaves the source and comes in addition to the rows of the destination."""
    for kind in FORMATS:
        with Given(f"two tables with the same partitions, {kind}"):
            source, destination = partitioned_pair(settings={**NO_MERGES, **FORMATS[kind]})
            of_source, of_destination = contents(source), contents(destination)
            moved = part_hashes(source, partition=2)
            own = part_hashes(destination, partition=2)

        with When("I move a partition"):
            source.node.query(moving(source, destination, 2))

        with Then("its rows and parts are in the destination in addition to those that were there"):
            came = [row for row in of_source if row[0] == 2]
            assert contents(destination) == sorted(of_destination + came), error()
            assert part_hashes(destination, partition=2) == sorted(moved + own), error()

        with And("they are no longer in the source, whose other partitions are as they were"):
            assert contents(source) == [row for row in of_source if row[0] != 2], error()


@TestScenario
@equivalent(
    mutant="drop",
    statement="MOVE PARTITION 1 TO TABLE",
    reason="a move to the same table has to leave everything as it is, and so does no move",
)
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_MoveToItself("1.0"))
def partition_is_moved_to_its_own_table(self):
    """The source can be the destination: every row is there once, and can be moved on."""
    for kind in FORMATS:
        with Given(f"a table with two partitions, {kind}"):
            table = create_table("table", settings={**NO_MERGES, **FORMATS[kind]})
            rows = fill(table, [1, 2], parts=2)

        with When("I move a partition to the table in which it is"):
            outcome = attempt(table.node, moving(table, table, 1))

        with Then("every row is there once, after a restart of the table, too"):
            assert outcome.accepted or outcome.code == 36, error()
            assert contents(table) == rows, error()
            table.node.query(f"DETACH TABLE {table} SYNC")
            table.node.query(f"ATTACH TABLE {table}")
            assert contents(table) == rows, error()

        with And("it can be moved to another table"):
            other = create_table("other", settings={**NO_MERGES, **FORMATS[kind]})
            table.node.query(moving(table, other, 1))
            assert contents(other) == [row for row in rows if row[0] == 1], error()
            assert contents(table) == [row for row in rows if row[0] == 2], error()


# Destinations that take no partition, and what a move is refused with.
DESTINATIONS: dict[str, tuple[dict[str, Any], int, str]] = {  # 7 variants
    "a column more": ({"columns": f"{COLUMNS}, more UInt8"}, 122, "different structure"),
    "a column less": ({"columns": "p UInt64, i UInt64"}, 122, "different structure"),
    "a column of another type": (
        {"columns": "p UInt64, i UInt64, owner Nullable(String)"},
        122,
        "different structure",
    ),
    "another partition key": ({"partition_by": "p % 10"}, 36, "different partition key"),
    "no partition key": ({"partition_by": ""}, 36, "different partition key"),
    "another sorting key": ({"order_by": "(i, owner)"}, 36, "different ordering"),
    "another engine": ({"engine": "Memory", "partition_by": "", "order_by": ""}, 48, "Memory"),
}


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_MoveRefused("1.0"))
def tables_that_take_no_partition(self):
    """A move to a table that is not alike is refused, and both tables are as they were."""
    with Given("a table with two partitions"):
        source = create_table("source")
        fill(source, [1, 2])
        before = state(source)

    violations = {}
    for name, (options, code, text) in DESTINATIONS.items():
        with When(f"I move a partition to a table with {name}"):
            other = create_table("other", **{"settings": {}, **options})
            other.node.query(f"INSERT INTO {other} (p, i) VALUES (1, 1)")
            held = contents(other)
            outcome = attempt(source.node, moving(source, other, 1))
            if outcome.code != code or text not in outcome.message:
                violations[name] = str(outcome)
            elif contents(other) != held or len(held) != 1:
                violations[name] = f"refused, and the other table has {contents(other)}"

    with And("to one that is not there"):
        source.node.fails(moving(source, "no_such_table", 1), code=60, text="no_such_table")

    with Then("each of these is refused"):
        assert_no_violations(violations)

    with And("the source is as it was"):
        assert state(source) == before, error()

    with And("the same partition can be moved to a table that is alike"):
        other = create_table("other")
        source.node.query(moving(source, other, 1))
        assert contents(other) == [row for row in before.rows if row[0] == 1], error()


TEMPORARY = f"({COLUMNS}) ENGINE = MergeTree PARTITION BY p ORDER BY i"
ROWS = [(1, 1, "temporary"), (2, 2, "temporary")]


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_TemporaryTables("1.0"))
def temporary_tables(self):
    """Partitions of a temporary table are detached, attached and moved away; none is moved to it."""
    with Given("a table and a temporary table"):
        table = create_table("table")
        insert(table, [(1, 9, "own")])

    with this().node().session() as session:
        session.query(f"CREATE TEMPORARY TABLE temporary {TEMPORARY}")
        session.query("INSERT INTO temporary VALUES", data=ROWS)
        select = "SELECT * FROM temporary ORDER BY p"
        assert session.query(select) == ROWS, error()

        with When("I detach a partition of the temporary table and attach it"):
            session.query("ALTER TABLE temporary DETACH PARTITION 1")
            detached = session.query(select)
            session.query("ALTER TABLE temporary ATTACH PARTITION 1")

        with Then("its rows go and come back"):
            assert (detached, session.query(select)) == (ROWS[1:], ROWS), error()

        with When("I move a partition to the temporary table"):
            session.fails(moving(table, "temporary", 1), code=60, text="temporary does not exist")

        with Then("both tables are as they were"):
            assert session.query(select) == ROWS, error()
            assert contents(table) == [(1, 9, "own")], error()

        with When("I move a partition from it"):
            session.query(moving("temporary", table, 2))

        with Then("its rows are in the other table only, also when the session is over"):
            assert session.query(select) == ROWS[:1], error()
    assert contents(table) == [(1, 9, "own"), ROWS[1]], error()
