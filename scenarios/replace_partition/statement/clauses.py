"""Clauses that may follow the statement: SETTINGS, FORMAT, INTO OUTFILE."""

from collections.abc import Sequence

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.client.recording import literal
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_IntoOutfile,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Settings,
)
from steps.partitions import replacing
from steps.refusals import Refusal, attempt_over_http, wrong_refusals
from steps.replace_partition.requirement_names import not_tried
from steps.tables import Table, contents, create_table, fill, one_part_pair

SYNTAX_ERROR, UNKNOWN_FORMAT, UNKNOWN_SETTING = 62, 73, 115
CANNOT_PARSE, READONLY = 27, 164
# What follows the source's name in a statement of the log.
CLAUSE = "extract(query, 'FROM \\\\S+ (.*)')"
COUNTED_SETTINGS = "max_threads = 3, log_comment = 'counted'"
BAD_SETTINGS = {
    "SETTINGS no_such_setting = 1": (UNKNOWN_SETTING, "no_such_setting"),
    "SETTINGS max_threads = 'many'": (CANNOT_PARSE, "'many'"),
    "SETTINGS readonly = 1": (READONLY, "readonly mode"),
    "SETTINGS": (SYNTAX_ERROR, "(end of query)"),
}
OUTFILES = (  # 7 variants
    "INTO OUTFILE '{}/plain.txt'",
    "INTO OUTFILE '{}/appended.txt' APPEND",
    "INTO OUTFILE '{}/truncated.txt' TRUNCATE",
    "INTO OUTFILE '{}/shown.txt' AND STDOUT",
    "INTO OUTFILE '{}/packed.gz' COMPRESSION 'gzip' LEVEL 3",
    "INTO OUTFILE '{}/rows.csv' FORMAT CSV",
    "INTO OUTFILE '{}/rows.json' FORMAT JSON SETTINGS max_threads = 1",
)
BAD_OUTFILES = {
    "INTO OUTFILE": (SYNTAX_ERROR, "(end of query)"),
    "INTO OUTFILE 5": (SYNTAX_ERROR, "Expected string literal"),
    "INTO 'rows.csv'": (SYNTAX_ERROR, "('rows.csv')"),
}


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


def wrong_clauses(
    clauses: dict[str, tuple[int, str]], source: Table, destination: Table
) -> dict[str, str]:
    """Each clause has to be refused with its code and text, and the destination kept."""
    statement = replacing(destination, source, 2)
    return wrong_refusals(
        destination,
        {clause: Refusal(f"{statement} {clause}", *refused) for clause, refused in clauses.items()},
    )


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
    """Settings are in force for the statement that has them, and what is no setting is refused."""
    with Given("two tables with different rows"):
        sources, destination = two_sources()
        source = sources[0]
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

    with And("settings that do not exist, cannot have the value or forbid it are a refusal"):
        assert_no_violations(wrong_clauses(BAD_SETTINGS, source, destination))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Format("1.0"))
@deviates(
    step="a name that is no format is refused",
    observed={"FORMAT NoSuchFormat": "accepted and carried out"},
    reason="the format of a statement without a result is never looked up",
)
def format_clause(self):
    """Every output format is taken, with an empty answer; what is no format is refused."""
    with Given("two tables with different rows, and the names of all output formats"):
        sources, destination = two_sources()
        source, node = sources[0], destination.node
        names = node.column("SELECT name FROM system.formats WHERE is_output ORDER BY name")
        assert {"JSON", "TabSeparated", "Native", "Null"} < set(names), error()

    clauses_are_taken(
        clauses=[f"FORMAT {name}" for name in names], sources=sources, destination=destination
    )

    with And("FORMAT without a name is refused, and so is an unknown format in a SELECT"):
        bad = {"FORMAT": (SYNTAX_ERROR, "(end of query)")}
        assert wrong_clauses(bad, source, destination) == {}, error()
        select = f"SELECT * FROM {source} FORMAT NoSuchFormat"
        assert attempt_over_http(node, select).code == UNKNOWN_FORMAT, error()

    with And("what is taken for a format replaces the partition, and nothing else"):
        kept, new = contents(destination, partition=1), contents(source, partition=2)
        bad = {"FORMAT NoSuchFormat": (UNKNOWN_FORMAT, "NoSuchFormat")}
        taken = wrong_clauses(bad, source, destination)
        assert contents(destination, partition=1) == kept, error()
        assert not taken or contents(destination, partition=2) == new, error()

    with And("a name that is no format is refused"):
        assert_no_violations(taken)


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

    with And("what names no file is refused"):
        assert_no_violations(wrong_clauses(BAD_OUTFILES, sources[0], destination))
