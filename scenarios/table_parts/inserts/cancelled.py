"""An INSERT whose client gets the error of a cancellation has inserted nothing."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Insert_Cancelled
from steps.replace_partition.killed_statements import answer_of, kill
from steps.row_origins import describe_rows
from steps.tables import contents, create_table

DEVIATIONS = "insert-cancelled"  # the beginning of their ids

ROWS = 10
# Where the server tells the wrong answer it does so once in twenty rounds.
ROUNDS = 800
# A kill comes so many answers after the statement: sometimes in the moment between the new part
# and the end of the statement.
LATEST = 8
NOTHING = "a client that got a cancellation's error finds no row"


@TestScenario
@equivalent(
    mutant="drop",
    statement="KILL QUERY",
    reason="one of the many INSERTs is done then, as some of them are that are killed too late",
)
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_Cancelled("1.0"))
@deviates(
    step=NOTHING,
    observed={"the table": f"all {ROWS} inserted rows"},
    reason="the server looks whether the statement was killed once more when the part is there already",
    kind="bug",
    severity="wrong answer",
    no_sql="it is a race of KILL QUERY with the end of an INSERT, of which each may win",
)
def cancelled_means_not_inserted(self):
    """INSERT of one block into one partition is killed at many moments."""
    with Given("an empty table, and a block of rows for it"):
        table = create_table("killed", partition_by="")
        node = table.node
        block = [(1, number, "inserted") for number in range(ROWS)]
        values = ", ".join(map(str, block))

    answers: dict[str, int] = {"cancelled": 0, "done": 0}
    violations: dict[str, str] = {}
    with When("the INSERT is killed, again and again, sooner or later"):
        for _ in range(ROUNDS):
            statement = node.background(f"INSERT INTO {table} SELECT * FROM values({values})")
            for _ in range(this().random.randrange(LATEST)):
                node.value("SELECT 1")
            kill(statement)
            answer = answer_of(statement)
            answers[answer] += 1
            actual = contents(table)
            if answer == "done":
                assert actual == block, error()
            elif actual:
                violations["the table"] = describe_rows(actual, {"inserted": block})
            # The very first one can show it: both answers have to come before it is enough.
            if violations and all(answers.values()):
                break
            node.query(f"TRUNCATE TABLE {table}")

    with Then("it was cancelled, and it was done, at times"):
        assert all(answers.values()), error()

    with And(NOTHING):
        assert_no_violations(violations)
