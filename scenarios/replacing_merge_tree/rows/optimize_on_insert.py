"""What an insert writes of duplicates that arrive with it."""

from dataclasses import dataclass, field
from typing import Any

from testflows.core import Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.marks import equivalent
from helpers.scenario.violations import assert_no_violations, differing
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsert,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled,
)
from steps.replacing_merge_tree.stored_rows import in_order, part_values, stored, survivors
from steps.replacing_merge_tree.tables import insert_all, merge, replacing_table
from steps.tables import Table

# The same rows for each form of the engine, cut to its columns: what survives of them differs.
ROWS: list[Row] = [
    (1, "a", 2, 0),
    (1, "b", 1, 0),
    (2, "c", 1, 0),
    (2, "d", 1, 1),
    (3, "e", 1, 0),
]  # 5 variants
# What is there before: FINAL has to compare it with what an insert has written.
BEFORE: Row = (3, "before", 0, 0)
# A deletion row is written as well: it has to hide what is in other parts.
SURVIVE: dict[str, list[Row]] = {  # 3 variants
    "": [(1, "b"), (2, "d"), (3, "e")],
    "version": [(1, "a", 2), (2, "d", 1), (3, "e", 1)],
    "version, deleted": [(1, "a", 2, 0), (2, "d", 1, 1), (3, "e", 1, 0)],
}


@dataclass(frozen=True)
class InsertMode:
    """How an insert is asked to compare its rows, or not to."""

    compares: bool
    clause: str = ""
    settings: dict[str, Any] = field(default_factory=dict)

    def insert(self, table: Table, rows: list[Row]) -> None:
        values = ", ".join(map(str, rows))
        sql = f"INSERT INTO {table}{self.clause} VALUES {values}"
        table.node.query(sql, settings=self.settings)


MODES = {  # 4 variants
    "by default": InsertMode(True),
    "switched on in the statement": InsertMode(
        *(True, " SETTINGS optimize_on_insert = 1"), {"optimize_on_insert": 0}
    ),
    "switched off": InsertMode(False, settings={"optimize_on_insert": 0}),
    "switched off in the statement": InsertMode(False, " SETTINGS optimize_on_insert = 0"),
}


@TestScenario
@equivalent(
    mutant="omit[optimize_on_insert]",
    statement="SETTINGS optimize_on_insert = 1 VALUES",
    reason="the clause of the statement overrules the setting beside it, which says the contrary",
)
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsert("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Insert_OptimizeOnInsertDisabled("1.0"),
)
def rows_that_are_written(self):
    """An insert writes the survivors of its rows, or all of them if the setting is switched off; then
    FINAL and merges compare them later."""
    violations: dict[str, object] = {}
    for parameters, expected in SURVIVE.items():
        for name, mode in MODES.items():
            with When(f"I insert duplicates, parameters ({parameters}), {name}"):
                table = replacing_table(parameters)
                before, *rows = (row[: len(expected[0])] for row in (BEFORE, *ROWS))
                insert_all(table, [before])
                mode.insert(table, rows)
                rows_of_parts = part_values(table, "rows")
                written = stored(table)
                final = survivors(table)
                merge(table)
                kept = expected if mode.compares else rows
                checked = {
                    "written": (written, in_order([before, *kept])),
                    "rows of the parts": (rows_of_parts, [1, len(kept)]),
                    "FINAL": (final, [row for row in expected if row[3:] != (1,)]),
                    "merged": (stored(table), expected),
                }
                violations |= differing(f"({parameters}), {name}", checked)

    with Then("the survivors were written, or all rows where the setting was off"):
        assert_no_violations(violations)
