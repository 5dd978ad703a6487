"""Temporary tables, which live as long as a session, as source and as destination."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromRegularTable,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromTemporaryTable,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TemporaryTables,
)
from steps.partitions import replacing
from steps.tables import COLUMNS, contents, create_table, fill

TEMPORARY = f"({COLUMNS}) ENGINE = MergeTree PARTITION BY p ORDER BY i"


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromTemporaryTable("1.0"))
def from_temporary_table(self):
    """A partition of a temporary table replaces one of a permanent table, and outlives the session."""
    with Given("a permanent table"):
        destination = create_table("destination")
        fill(destination, [1, 2])
        replaced, untouched = (contents(destination, partition=partition) for partition in (1, 2))
        assert len(replaced) == len(untouched) == 10, error()

    with this().node().session() as session:
        with And("a temporary table with other rows"):
            session.query(f"CREATE TEMPORARY TABLE temporary {TEMPORARY}")
            session.query("INSERT INTO temporary VALUES (1, 1, 'temporary'), (1, 2, 'temporary')")
            rows = sorted(session.query("SELECT * FROM temporary"))
            assert rows == [(1, 1, "temporary"), (1, 2, "temporary")], error()
            assert this().node().value("EXISTS TABLE temporary") == 0, error()

        with When("I replace a partition from it"):
            session.query(replacing(destination, "temporary", 1))

        with Then("the temporary table keeps its rows"):
            assert sorted(session.query("SELECT * FROM temporary")) == rows, error()

    with And("the permanent table has them after the session is gone"):
        assert contents(destination, partition=1) == rows, error()

    with And("its other partition is what it was"):
        assert contents(destination, partition=2) == untouched, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TemporaryTables("1.0"))
def temporary_to_temporary(self):
    """Both tables may be temporary ones of the same session."""
    with this().node().session() as session:
        with Given("two temporary tables with different rows"):
            for name in ("source", "destination"):
                session.query(f"CREATE TEMPORARY TABLE {name} {TEMPORARY}")
                session.query(f"INSERT INTO {name} VALUES (1, 1, '{name}'), (2, 2, '{name}')")
                kept = session.query(f"SELECT * FROM {name} ORDER BY p")
                assert kept == [(1, 1, name), (2, 2, name)], error()
                assert this().node().value(f"EXISTS TABLE {name}") == 0, error()

        with When("I replace a partition of one from the other"):
            session.query(replacing("destination", "source", 1))

        with Then("the destination has that partition, and its own other one"):
            rows = session.query("SELECT * FROM destination ORDER BY p")
            assert rows == [(1, 1, "source"), (2, 2, "destination")], error()

        with And("the source has what it had"):
            rows = session.query("SELECT * FROM source ORDER BY p")
            assert rows == [(1, 1, "source"), (2, 2, "source")], error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_FromRegularTable("1.0"))
def from_regular_table(self):
    """A temporary table takes a partition of a table that stays, which keeps its rows."""
    with Given("a permanent table"):
        source = create_table("source")
        fill(source, [1, 2])
        rows = contents(source)

    with this().node().session() as session:
        with And("a temporary table with other rows in the same partitions"):
            session.query(f"CREATE TEMPORARY TABLE temporary {TEMPORARY}")
            session.query("INSERT INTO temporary VALUES (1, 1, 'own'), (2, 2, 'own')")
            own = session.query("SELECT * FROM temporary ORDER BY p")
            assert own == [(1, 1, "own"), (2, 2, "own")], error()

        with When("I replace a partition of the temporary table"):
            session.query(replacing("temporary", source, 1))

        with Then("it has the rows of the permanent one, and its own other partition"):
            expected = [*(row for row in rows if row[0] == 1), (2, 2, "own")]
            assert sorted(session.query("SELECT * FROM temporary")) == expected, error()

    with And("the permanent table keeps its rows"):
        assert contents(source) == rows, error()
