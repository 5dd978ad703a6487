"""Tables that are not created, because what the engine is told makes no sense."""

from testflows.core import Requirements, TestScenario, Then, When

from helpers.marks import deviates
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingColumn,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_TooManyParameters,
)
from steps.refusals import listed
from steps.replacing import Creation, wrong_creations

NUMBER_OF_ARGUMENTS_DOESNT_MATCH = 42
NO_SUCH_COLUMN_IN_TABLE = 16
COLUMNS = "key UInt64, version UInt64, deleted UInt8"
EMPTY_KEY_BY_DEFAULT = "create_table_empty_primary_key_by_default"


def unsorted(parameters: str, clauses: str = "") -> Creation:
    definition = f"ENGINE = ReplacingMergeTree{parameters} {clauses}"
    return Creation(definition, COLUMNS, definition, "ORDER BY or PRIMARY KEY")


def sorted_by_key(parameters: str, text: str, columns: str = COLUMNS) -> Creation:
    return Creation(
        f"{parameters} of {columns}",
        columns,
        f"ENGINE = ReplacingMergeTree({parameters}) ORDER BY key",
        text,
    )


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey("1.0"))
def parameters_without_a_sorting_key(self):
    """An engine that is given a version has to be told what makes rows duplicates."""
    with When("I leave the sorting key out"):
        wrong = wrong_creations(
            [unsorted("(version)"), unsorted("(version, deleted)")],
            code=NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
        )

    with Then("each table is refused"):
        assert wrong == [], listed("not refused as they have to be", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey("1.0"))
@deviates(
    step="each table is refused",
    effect="accepted as ReplacingMergeTree ORDER BY tuple()",
    reason=f"{EMPTY_KEY_BY_DEFAULT} is on by default: the engine without parameters gets an empty "
    "sorting key, by which all rows are duplicates; without the setting it is refused with 36",
)
def neither_parameters_nor_a_sorting_key(self):
    """An engine without parameters needs a sorting key as well."""
    wrong = []
    for enabled in (1, 0):
        with When(f"I leave the sorting key out with {EMPTY_KEY_BY_DEFAULT} = {enabled}"):
            wrong += wrong_creations(
                [unsorted(""), unsorted("()"), unsorted("", "PARTITION BY key")],
                code=NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
                settings={EMPTY_KEY_BY_DEFAULT: enabled},
            )

    with Then("each table is refused"):
        assert wrong == [], listed("not refused as they have to be", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_TooManyParameters("1.0"))
def too_many_parameters(self):
    """Beside ORDER BY there is no place for a third parameter."""
    with When("I give more parameters than there are"):
        wrong = wrong_creations(
            [
                sorted_by_key(parameters, "requires 0 to 2 parameters")
                for parameters in (
                    "version, deleted, key",
                    "version, deleted, key, key",
                    "version, deleted, 8192",
                )
            ],
            code=NUMBER_OF_ARGUMENTS_DOESNT_MATCH,
        )

    with Then("each table is refused"):
        assert wrong == [], listed("not refused as they have to be", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingColumn("1.0"))
def parameters_that_are_no_stored_columns(self):
    """The version and the deletion mark have to be read back at every merge, so they must be stored."""
    version, deleted = "Version column", "is_deleted column"
    with When("I name columns that are missing or computed"):
        wrong = wrong_creations(
            [
                sorted_by_key("nothing", version),
                sorted_by_key("v", version, "key UInt64, v UInt64 ALIAS key"),
                sorted_by_key("v", version, "key UInt64, v UInt64 EPHEMERAL 1"),
                sorted_by_key("nothing, deleted", version),
                sorted_by_key("version, nothing", deleted),
                sorted_by_key("v, d", deleted, "key UInt64, v UInt64, d UInt8 ALIAS 1"),
                sorted_by_key("v, d", deleted, "key UInt64, v UInt64, d UInt8 EPHEMERAL 1"),
            ],
            code=NO_SUCH_COLUMN_IN_TABLE,
        )

    with Then("each table is refused"):
        assert wrong == [], listed("not refused as they have to be", wrong)
