"""The deprecated form of the engine, which has its keys among the parameters."""

from datetime import date

from testflows.core import Requirements, TestScenario, Then, When

from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax_Disallowed,
)
from steps.replacing_merge_tree.refused_creations import (
    Creation,
    RefusedCreation,
    new_table,
    refusal_violations,
)
from steps.replacing_merge_tree.stored_rows import keys_of
from steps.replacing_merge_tree.tables import deduplication_violations
from steps.tables import Table

BAD_ARGUMENTS = 36
SETTING = "allow_deprecated_syntax_for_merge_tree"
COLUMNS = "day Date, key UInt64, value String, version UInt8"
# The parameters, and whether a version is among them.
FORMS = {  # 4 variants
    "day, (key), 8192": False,
    "day, (key), 8192, version": True,
    "day, intHash32(key), (key, intHash32(key)), 8192": False,
    "day, intHash32(key), (key, intHash32(key)), 8192, version": True,
}
USUAL = {False: "", True: "version"}
MAY, JUNE = date(2024, 5, 1), date(2024, 6, 1)
NEWER, OLDER = (MAY, 1, "newer", 2), (MAY, 1, "older", 1)
FIRST, SECOND = (MAY, 2, "first", 1), (MAY, 2, "second", 1)
ELSEWHERE = (JUNE, 3, "another month", 1)


def old_style(parameters: str) -> Table:
    """A table made in this way, whose parts are merged only when it is asked for."""
    table = new_table()
    table.node.query(
        f"CREATE TABLE {table} ({COLUMNS}) ENGINE = ReplacingMergeTree({parameters})",
        settings={SETTING: 1},
    )
    # The form has no place for settings of the table, and they cannot be altered.
    table.node.query(f"SYSTEM STOP MERGES {table}")
    return table


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax("1.0"))
def deduplicates_as_any_other(self):
    """With and without sampling and version: the rows that survive are those of the usual form."""
    violations: dict[str, object] = {}
    for parameters, versioned in FORMS.items():
        with When(f"I create a table with ({parameters}) and give it duplicates"):
            table = old_style(parameters)
            sampled = "intHash32(key)" if "intHash32" in parameters else ""
            key = "key, intHash32(key)" if sampled else "(key)"
            if keys_of(table) != ("toYYYYMM(day)", key, key, sampled):
                violations[f"{parameters}, keys"] = keys_of(table)
            violations |= deduplication_violations(
                parameters,
                table,
                [NEWER, FIRST, ELSEWHERE],
                [OLDER, SECOND],
                expected=[NEWER if versioned else OLDER, SECOND, ELSEWHERE],
                merges_stopped=True,
            )

    with Then("the same rows survive"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax_Disallowed("1.0"))
def refused_unless_allowed(self):
    """Without the setting there is no such table."""
    refused = [
        RefusedCreation(
            parameters,
            Creation(COLUMNS, f"ENGINE = ReplacingMergeTree({parameters})"),
            *(BAD_ARGUMENTS, SETTING),
            Creation(COLUMNS, f"ENGINE = ReplacingMergeTree({USUAL[versioned]}) ORDER BY key"),
        )
        for parameters, versioned in FORMS.items()
    ]
    with When("I create tables in this way, which is not allowed by default"):
        violations = refusal_violations(refused)

    with Then("each table is refused, and its usual form is not"):
        assert_no_violations(violations)
