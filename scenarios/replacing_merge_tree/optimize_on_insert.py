"""What an insert writes of duplicates that arrive with it."""

from testflows.asserts import error
from testflows.core import Requirements, TestScenario, Then, When

from helpers.cluster.session import Row
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsert,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled,
)
from steps.parts import parts
from steps.refusals import listed
from steps.replacing import insert_each, merge, replacing_table, stored, survivors

# The same rows for each form of the engine, cut to its columns: what survives of them differs.
ROWS: list[Row] = [(1, "a", 2, 0), (1, "b", 1, 0), (2, "c", 1, 0), (2, "d", 1, 1), (3, "e", 1, 0)]
SURVIVE: dict[str, list[Row]] = {
    "": [(1, "b"), (2, "d"), (3, "e")],
    "version": [(1, "a", 2), (2, "d", 1), (3, "e", 1)],
    "version, deleted": [(1, "a", 2, 0), (2, "d", 1, 1), (3, "e", 1, 0)],
}


def rows_for(parameters: str) -> list[Row]:
    width = len(SURVIVE[parameters][0])
    return [row[:width] for row in ROWS]


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsert("1.0"))
def survivors_only_are_written(self):
    """By default, and with the setting switched on, an insert writes one row for each key."""
    wrong = []
    for parameters, expected in SURVIVE.items():
        for settings in ({}, {"optimize_on_insert": 1}):
            with When(f"I insert duplicates, parameters ({parameters}), settings {settings}"):
                table = replacing_table(parameters)
                insert_each(table, rows_for(parameters), settings=settings)
                (part,) = parts(table)
                # A deletion row is written as well: it has to hide what is in other parts.
                if stored(table) != expected or part.rows != len(expected):
                    wrong.append(f"({parameters}), {settings}: {stored(table)}, {part}")

    with Then("the survivors were written, and nothing else"):
        assert wrong == [], listed("wrong parts", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled("1.0"))
def all_rows_are_written(self):
    """With the setting switched off all rows are written; FINAL and merges compare them later."""
    wrong = []
    for parameters, expected in SURVIVE.items():
        with When(f"I insert duplicates, parameters ({parameters})"):
            table = replacing_table(parameters)
            rows = rows_for(parameters)
            insert_each(table, rows, settings={"optimize_on_insert": 0})
            (part,) = parts(table)
            if stored(table) != sorted(rows) or part.rows != len(rows):
                wrong.append(f"({parameters}): {stored(table)}, {part}")
            final = survivors(table)
            if final != [row for row in expected if row[3:] != (1,)]:
                wrong.append(f"({parameters}), FINAL: {final}")
            merge(table)
            if stored(table) != expected:
                wrong.append(f"({parameters}), merged: {stored(table)}")

    with Then("all of them were written"):
        assert wrong == [], listed("wrong parts", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled("1.0"))
def setting_in_the_statement(self):
    """The statement may carry the setting itself."""
    with When("I insert duplicates with a statement that switches it off"):
        table = replacing_table()
        table.node.query(
            f"INSERT INTO {table} SETTINGS optimize_on_insert = 0 VALUES (1, 'a'), (1, 'b')"
        )

    with Then("both are there, and FINAL returns the last"):
        assert stored(table) == [(1, "a"), (1, "b")], error()
        assert survivors(table) == [(1, "b")], error()
