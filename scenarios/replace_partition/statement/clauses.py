"""Clauses that may follow the statement: SETTINGS, FORMAT, INTO OUTFILE."""

from collections.abc import Sequence

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.client.recording import literal
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Settings,
)
from steps.partitions import replacing
from steps.replace_partition.requirement_names import not_tried
from steps.tables import Table, contents, create_table, fill, one_part_pair

# What follows the source's name in a statement of the log.
CLAUSE = "extract(query, 'FROM \\\\S+ (.*)')"
COUNTED_SETTINGS = "max_threads = 3, log_comment = 'counted'"
OUTFILES = (  # 7 variants
    "INTO OUTFILE '{}/plain.txt'",
    "INTO OUTFILE '{}/appended.txt' APPEND",
    "INTO OUTFILE '{}/truncated.txt' TRUNCATE",
    "INTO OUTFILE '{}/shown.txt' AND STDOUT",
    "INTO OUTFILE '{}/packed.gz' COMPRESSION 'gzip' LEVEL 3",
    "INTO OUTFILE '{}/rows.csv' FORMAT CSV",
    "INTO OUTFILE '{}/rows.json' FORMAT JSON SETTINGS max_threads = 1",
)


def two_sources() -> tuple[tuple[Table, Table], Table]:
    """Two sources and a destination, with different rows in partitions 1 and 2."""
    source, destination = one_part_pair(partitions=2)
    another = create_table("source", settings={})
    fill(another, [1, 2])
    return (source, another), destination


def replace_with(
    clauses: Sequence[str], sources: tuple[Table, Table], destination: Table
) -> dict[str, str]:
    """Replace partition 1 with each clause, from both sources by turns: what is wrong, by clause."""
    wrong = {}
    rows = [contents(source, partition=1) for source in sources]
    for number, clause in enumerate(clauses):
        source = sources[number % 2]
        answer = destination.node.http(f"{replacing(destination, source, 1)} {clause}")
        if answer != b"":
            wrong[clause] = f"the answer is {answer!r}"
        elif contents(destination, partition=1) != rows[number % 2]:
            wrong[clause] = "the partition is not replaced"
    return wrong


def executed(destination: Table) -> list[str]:
    """What followed the source's name in each statement that the server has executed, in order."""
    return [text for (text,) in logged(destination, CLAUSE)]


def logged(destination: Table, columns: str) -> list[Row]:
    """What the query log says now of the statements on this table, in their order; an earlier run of the
    scenario may have had a table of the same name."""
    node = destination.node
    node.query("SYSTEM FLUSH LOGS query_log")
    statements = "FROM system.query_log WHERE type = 'QueryFinish' AND query LIKE"
    return node.query(
        f"SELECT {columns} {statements} 'ALTER TABLE {destination} REPLACE %' "
        f"AND event_time_microseconds > (SELECT max(event_time_microseconds) {statements} "
        f"'CREATE TABLE {destination} %') ORDER BY event_time_microseconds"
    )


@TestOutline
def clauses_are_taken(self, *, clauses, sources, destination):
    """The statement is taken with each of these clauses, and does the same as without them."""
    with When("I replace a partition with each of the clauses"):
        wrong = replace_with(clauses, sources, destination)

    with Then("it is replaced every time, and the answer is empty"):
        assert wrong == {}, error()

    with And("the server executed each of these statements"):
        this().eventually(lambda: executed(destination), equals=list(clauses))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Settings("1.0"))
def settings_clause(self):
    """Settings are in force for the statement that has them, and for no other."""
    with Given("two tables with different rows"):
        sources, destination = two_sources()
        kept = contents(destination, partition=2)

    with When("I replace a partition with settings, and again without"):
        wrong = replace_with([f"SETTINGS {COUNTED_SETTINGS}", ""], sources, destination)

    with Then("it is replaced both times, and nothing else"):
        assert wrong == {}, error()
        assert contents(destination, partition=2) == kept, error()

    with And("the settings were in force for the first one only"):
        settings = f"{CLAUSE}, Settings['max_threads'], Settings['log_comment']"
        this().eventually(
            lambda: logged(destination, settings),
            equals=[(f"SETTINGS {COUNTED_SETTINGS}", "3", "counted"), ("", "", "")],
        )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format("1.0"))
def format_clause(self):
    """Every output format is taken, with an empty answer."""
    with Given("two tables with different rows, and the names of all output formats"):
        sources, destination = two_sources()
        names = destination.node.column(
            "SELECT name FROM system.formats WHERE is_output ORDER BY name"
        )
        assert {"JSON", "TabSeparated", "Native", "Null"} < set(names), error()

    clauses_are_taken(
        clauses=[f"FORMAT {name}" for name in names], sources=sources, destination=destination
    )


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile("1.0"))
def into_outfile_clause(self):
    """INTO OUTFILE is taken in all its forms, and the server writes no file."""
    with Given("two tables with different rows, and an empty folder"):
        sources, destination = two_sources()
        folder = this().folder / "outfiles"
        folder.mkdir()
        requirement = RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile
        assert not_tried(requirement, OUTFILES, apart_from=["REPLACE PARTITION"]) == [], error()

    path = literal(str(folder)).strip("'")  # the folder's name may have quotes of its own
    clauses = [clause.format(path) for clause in OUTFILES]
    clauses_are_taken(clauses=clauses, sources=sources, destination=destination)

    with And("it has written no file there, though each of them named one"):
        assert all(clause.startswith(f"INTO OUTFILE '{path}/") for clause in clauses), error()
        assert list(folder.iterdir()) == [], error()
