"""What is no table after FROM: clauses of a query, subqueries, joins."""

from collections.abc import Sequence

from testflows.core import Given, Requirements, TestScenario, Then, When

from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Join,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_OrderAndPartition,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Subquery,
)
from steps.refusals import listed, wrong_refusal
from steps.tables import partitioned_pair

SYNTAX_ERROR, UNKNOWN_TABLE = 62, 60
REPLACE = "ALTER TABLE {destination} REPLACE PARTITION 1 FROM "
CLAUSES = ("ORDER BY i", "ORDER BY (i, owner) DESC", "PARTITION BY p", "PARTITION BY p ORDER BY i")
ORDER_AND_PARTITION = [
    template
    for clause in CLAUSES
    for template in (
        REPLACE + f"{{source}} {clause}",
        f"ALTER TABLE {{destination}} REPLACE PARTITION 1 {clause} FROM {{source}}",
        f"ALTER TABLE {{destination}} {clause} REPLACE PARTITION 1 FROM {{source}}",
    )
]
SUBQUERIES = (
    REPLACE + "(SELECT * FROM {source})",
    REPLACE + "(SELECT * FROM {source}) AS s",
    REPLACE + "(SELECT * FROM {source} WHERE p = 1)",
    REPLACE + "(({source}))",
    REPLACE + "SELECT * FROM {source}",
    "WITH s AS (SELECT * FROM {source}) " + REPLACE + "s",
)
KINDS = ("", "INNER", "LEFT", "RIGHT", "FULL", "ANY", "ASOF", "SEMI LEFT", "ANTI LEFT")
JOINS = (
    *(REPLACE + f"{{source}} {kind} JOIN {{destination}} USING (i)" for kind in KINDS),
    REPLACE + "{source} CROSS JOIN {destination}",
    REPLACE + "{source} PASTE JOIN {destination}",
    REPLACE + "{source} ARRAY JOIN [1, 2] AS n",
    REPLACE + "{source}, {destination}",
    REPLACE + "{source} INNER JOIN {destination} ON {source}.i = {destination}.i",
)
OTHER_CLAUSES = (
    REPLACE + "{source} WHERE i > 0",
    REPLACE + "{source} PREWHERE i > 0",
    REPLACE + "{source} GROUP BY p",
    REPLACE + "{source} HAVING count() > 0",
    REPLACE + "{source} LIMIT 1",
    REPLACE + "{source} FINAL",
    REPLACE + "{source} SAMPLE 1",
    REPLACE + "{source} AS s",
    REPLACE + "{source} UNION ALL SELECT 1",
    REPLACE + "VALUES (1, 1, 'a')",
    REPLACE + "'{source}'",
)


def check_refused(
    templates: Sequence[str], code: int = SYNTAX_ERROR, text: str = "Syntax error"
) -> None:
    with Given("two tables with different rows"):
        source, destination = partitioned_pair(partitions=2)

    with When("I execute each of the statements"):
        statements = [
            template.format(source=source, destination=destination) for template in templates
        ]
        found = {sql: wrong_refusal(destination, sql, code=code, text=text) for sql in statements}

    with Then("every one is refused and the destination kept"):
        wrong = [f"{sql}: {reason}" for sql, reason in found.items() if reason]
        assert not wrong, listed(f"{len(wrong)} of {len(found)} are wrong", wrong)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_OrderAndPartition("1.0"),
)
def order_by_and_partition_by(self):
    """ORDER BY and PARTITION BY have no place in the statement, wherever they are put."""
    check_refused(ORDER_AND_PARTITION)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Subquery("1.0"),
)
def subqueries(self):
    """A subquery cannot be the source, in brackets, with a name, or named by WITH."""
    check_refused(SUBQUERIES)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_Join("1.0"),
)
def joins(self):
    """The source cannot be joined with anything, whatever the kind of the join."""
    check_refused(JOINS)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"))
def other_clauses_of_a_query(self):
    """No other clause of a SELECT may follow the source either."""
    check_refused(OTHER_CLAUSES)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"))
def tables_that_do_not_exist(self):
    """A name that no table has is refused, in this database and in another one."""
    names = ("no_such_table", "system.no_such_table")
    check_refused([REPLACE + name for name in names], UNKNOWN_TABLE, "does not exist")
