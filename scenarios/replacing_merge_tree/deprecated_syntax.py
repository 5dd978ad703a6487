"""The deprecated form of the engine, which has its keys among the parameters."""

from datetime import date

from testflows.asserts import error
from testflows.core import Requirements, TestScenario, Then, When

from helpers.context import this
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax_Disallowed,
)
from steps.refusals import listed
from steps.replacing import (
    Creation,
    Deduplicated,
    insert_each,
    keys_of,
    merge,
    stored,
    survivors,
    wrong_creations,
)
from steps.tables import Table

BAD_ARGUMENTS = 36
SETTING = "allow_deprecated_syntax_for_merge_tree"
COLUMNS = "day Date, key UInt64, value String, version UInt8"
# The parameters, and whether a version is among them.
FORMS = {
    "day, (key), 8192": False,
    "day, (key), 8192, version": True,
    "day, intHash32(key), (key, intHash32(key)), 8192": False,
    "day, intHash32(key), (key, intHash32(key)), 8192, version": True,
}
MAY, JUNE = date(2024, 5, 1), date(2024, 6, 1)
NEWER, OLDER = (MAY, 1, "newer", 2), (MAY, 1, "older", 1)
FIRST, SECOND = (MAY, 2, "first", 1), (MAY, 2, "second", 1)
ELSEWHERE = (JUNE, 3, "another month", 1)


def old_style(parameters: str) -> Table:
    """A table made in this way. It can be given no settings, so its merges are stopped by a statement."""
    table = Table(this().node(), this().database, this().unique("old_style"))
    table.node.query(
        f"CREATE TABLE {table} ({COLUMNS}) ENGINE = ReplacingMergeTree({parameters})",
        settings={SETTING: 1},
    )
    table.node.query(f"SYSTEM STOP MERGES {table}")
    return table


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax("1.0"))
def deduplicates_as_any_other(self):
    """With and without sampling and version: the rows that survive are those of the usual form."""
    wrong = []
    for parameters, versioned in FORMS.items():
        with When(f"I create a table with ({parameters}) and give it duplicates"):
            table = old_style(parameters)
            insert_each(table, [NEWER, FIRST, ELSEWHERE], [OLDER, SECOND])
            assert len(stored(table)) == 5, error()
            final = survivors(table)
            table.node.query(f"SYSTEM START MERGES {table}")
            merge(table)
            found = Deduplicated(final, stored(table))
            kept = NEWER if versioned else OLDER
            wrong += found.wrong([kept, SECOND, ELSEWHERE], parameters)
            sampled = "intHash32(key)" if "intHash32" in parameters else ""
            if (keys_of(table)[0], keys_of(table)[3]) != ("toYYYYMM(day)", sampled):
                wrong.append(f"{parameters}: its keys are {keys_of(table)}")

    with Then("the same rows survive"):
        assert wrong == [], listed("wrong survivors", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_DeprecatedSyntax_Disallowed("1.0"))
def refused_unless_allowed(self):
    """Without the setting, and with the setting switched off, there is no such table."""
    wrong = []
    for settings in ({}, {SETTING: 0}):
        with When(f"I create tables in this way with the settings {settings}"):
            wrong += wrong_creations(
                [
                    Creation(one, COLUMNS, f"ENGINE = ReplacingMergeTree({one})", SETTING)
                    for one in FORMS
                ],
                code=BAD_ARGUMENTS,
                settings=settings,
            )

    with Then("each table is refused"):
        assert wrong == [], listed("not refused as they have to be", wrong)
