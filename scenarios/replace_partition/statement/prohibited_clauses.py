"""What is no table after FROM: clauses of a query, subqueries, joins."""

from dataclasses import dataclass

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Join,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_OrderAndPartition,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Subquery,
)
from steps.partitions import replacing
from steps.refusals import Refusal, wrong_refusals
from steps.tables import Table, contents, one_part_pair

SYNTAX_ERROR, UNKNOWN_TABLE, UNKNOWN_DATABASE = 62, 60, 81
ALTER = "ALTER TABLE {destination} "
REPLACE = "REPLACE PARTITION 1 "
FROM = "FROM {source}"


@dataclass(frozen=True)
class Prohibited:
    """Words that do not belong into the statement, and where they are put.

    `valid` is a query in which the same words are right: it is their place that is refused.
    `instead` stands there in a statement that is right. `at` are the words that the refusal points to.
    """

    before: str
    words: str
    after: str = ""
    instead: str = ""
    valid: str = "SELECT * FROM {source} WORDS"
    at: str = ""

    def position(self, source: Table, destination: Table) -> str:
        """What the refusal says about the place; it counts from 1."""
        names = {"source": source, "destination": destination}
        wrong = (self.before + self.words + self.after).format(**names)
        start = len(self.before.format(**names)) if self.before else 0
        return f"failed at position {wrong.index((self.at or self.words).format(**names), start) + 1} ("


def _after_source(words: str, at: str = "") -> Prohibited:
    return Prohibited(f"{ALTER}{REPLACE}{FROM} ", words, at=at)


def _as_source(words: str, at: str = "", valid: str = "SELECT * FROM WORDS") -> Prohibited:
    before = f"{ALTER}{REPLACE}FROM "
    return Prohibited(before, words, instead="{source}", valid=valid, at=at)


CLAUSES = (
    "ORDER BY i",
    "ORDER BY (i, owner) DESC",
    "PARTITION BY p",
    "PARTITION BY p ORDER BY i",
)  # 4 variants
ORDER_AND_PARTITION = [
    Prohibited(before, clause, after, valid="SELECT count() OVER (WORDS) FROM {source}")
    for clause in CLAUSES
    for before, after in (
        (f"{ALTER}{REPLACE}{FROM} ", ""),
        (f"{ALTER}{REPLACE}", f" {FROM}"),
        (ALTER, f" {REPLACE}{FROM}"),
    )
]
SUBQUERIES = (
    _as_source("(SELECT * FROM {source})"),
    _as_source("(SELECT * FROM {source}) AS s"),
    _as_source("(SELECT * FROM {source} WHERE p = 1)"),
    _as_source("SELECT * FROM {source}", valid="WORDS", at="*"),
    Prohibited(
        "",
        "WITH s AS (SELECT * FROM {source})",
        f" {ALTER}{REPLACE}{FROM}",
        valid="WORDS SELECT * FROM s",
        at="ALTER",
    ),
)
KINDS = ("INNER", "LEFT", "RIGHT", "FULL", "ANY", "ASOF", "SEMI LEFT", "ANTI LEFT")  # 8 variants
JOINS = (
    _after_source("JOIN {destination} USING (i)"),
    *(_after_source(f"{kind} JOIN {{destination}} USING (i)") for kind in KINDS),
    _after_source("CROSS JOIN {destination}"),
    _after_source("PASTE JOIN {destination}"),
    _after_source("ARRAY JOIN [1, 2] AS n"),
    _after_source(", {destination}", at="{destination}"),
    _after_source("INNER JOIN {destination} ON {source}.i = {destination}.i"),
)
OTHER_CLAUSES = (
    _after_source("WHERE i > 0"),
    _after_source("PREWHERE i > 0"),
    _after_source("GROUP BY p"),
    _after_source("HAVING count() > 0"),
    _after_source("LIMIT 1"),
    _after_source("FINAL"),
    _after_source("SAMPLE 1"),
    _after_source("AS s"),
    _after_source("UNION ALL SELECT 1"),
    _as_source("VALUES (1, 1, 'a')", valid="INSERT INTO {source} WORDS", at="("),
    _as_source("'{source}'"),
)


@TestOutline
def statements_are_refused(self, *, prohibited):
    """Each of these statements is refused, at the place of the prohibited words."""
    with Given("two tables with different rows"):
        source, destination = one_part_pair(partitions=2)
        names = {"source": source, "destination": destination}
        kept = contents(destination, partition=2)

    with When("I execute each of the statements"):
        refusals = {}
        for case in prohibited:
            sql = (case.before + case.words + case.after).format(**names)
            refusals[sql] = Refusal(sql, SYNTAX_ERROR, case.position(source, destination))
        violations = wrong_refusals(destination, refusals)

    with Then("every one is refused where the words are, and the destination kept"):
        assert_no_violations(violations)

    with And("in a query the same words are right"):
        queries = [case.valid.replace("WORDS", case.words).format(**names) for case in prohibited]
        texts = ", ".join("'" + query.replace("'", "''") + "'" for query in queries)
        wrong = f"SELECT arrayJoin([{texts}]) AS query WHERE formatQueryOrNull(query) IS NULL"
        assert destination.node.column(wrong) == [], error()

    with And("without the words the partition is replaced"):
        controls = {
            " ".join((case.before + case.instead + case.after).format(**names).split())
            for case in prohibited
        }
        (control,) = controls
        destination.node.query(control)
        assert contents(destination) == contents(source, partition=1) + kept, error()


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_OrderAndPartition("1.0"),
)
@needs(Capability.MESSAGES_OF_TODAY)
def order_by_and_partition_by(self):
    """ORDER BY and PARTITION BY have no place in the statement, wherever they are put."""
    statements_are_refused(prohibited=ORDER_AND_PARTITION)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Subquery("1.0"),
)
@needs(Capability.MESSAGES_OF_TODAY)
def subqueries(self):
    """A subquery cannot be the source, in brackets, with a name, or named by WITH."""
    statements_are_refused(prohibited=SUBQUERIES)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Join("1.0"),
)
@needs(Capability.MESSAGES_OF_TODAY)
def joins(self):
    """The source cannot be joined with anything, whatever the kind of the join."""
    statements_are_refused(prohibited=JOINS)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"))
@needs(Capability.MESSAGES_OF_TODAY)
def other_clauses_of_a_query(self):
    """No other clause of a SELECT may follow the source either."""
    statements_are_refused(prohibited=OTHER_CLAUSES)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"))
@needs(Capability.MESSAGES_OF_TODAY)
def tables_that_do_not_exist(self):
    """A name that no table has is refused, in this database and in another one."""
    with Given("two tables with different rows, and names that no table has"):
        source, destination = one_part_pair(partitions=2)
        kept = contents(destination, partition=2)
        names = {
            f"{source}_2": UNKNOWN_TABLE,
            f"system.{source.name}": UNKNOWN_TABLE,
            f"{source.database}_2.{source.name}": UNKNOWN_DATABASE,
        }

    with When("I replace a partition from each of them"):
        refusals = {
            name: Refusal(replacing(destination, name, 1), code, "does not exist")
            for name, code in names.items()
        }
        violations = wrong_refusals(destination, refusals)

    with Then("every one is refused and the destination kept"):
        assert_no_violations(violations)

    with And("the name of the table is taken"):
        destination.node.query(replacing(destination, source, 1))
        assert contents(destination) == contents(source, partition=1) + kept, error()
