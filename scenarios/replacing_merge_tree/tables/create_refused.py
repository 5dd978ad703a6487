"""Tables that are not created, because the engine's parameters make no sense."""

from collections.abc import Iterator

from testflows.core import Requirements, TestScenario, Then, When

from helpers.scenario.violations import assert_no_violations
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingColumn,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_TooManyParameters,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_SameAsVersion,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_UnsupportedType,
)
from steps.refusals import attempt
from steps.replacing_merge_tree.refused_creations import (
    Creation,
    RefusedCreation,
    new_table,
    refusal_violations,
)
from steps.replacing_merge_tree.stored_rows import definition

NO_SUCH_COLUMN_IN_TABLE, BAD_ARGUMENTS, WRONG_NUMBER_OF_ARGUMENTS, BAD_TYPE_OF_FIELD = (
    16,
    36,
    42,
    169,
)
KEY_AND_VERSION = "key UInt64, version UInt64"
COLUMNS = f"{KEY_AND_VERSION}, deleted UInt8"
# Whether a table without a sorting key gets an empty one.
EMPTY_KEY_BY_DEFAULT: dict[str, dict[str, int]] = {  # 2 variants
    "by default": {},
    "switched off": {"create_table_empty_primary_key_by_default": 0},
}
NO_VERSION_TYPES = (  # 3 variants
    *("String", "FixedString(4)", "UUID", "Array(UInt64)", "Enum8('a' = 1)", "Enum16('a' = 1)"),
    *("Nullable(UInt64)", "Nullable(DateTime)", "Nullable(String)", "LowCardinality(String)"),
    *("Tuple(UInt64)", "Map(UInt8, UInt64)", "IPv4", "IPv6", "JSON"),
)
NO_DELETION_TYPES = (  # 2 variants
    *("Int8", "UInt16", "UInt32", "UInt64", "Float32", "String", "FixedString(1)", "Date"),
    *("Nullable(UInt8)", "Nullable(Bool)", "Enum8('no' = 0, 'yes' = 1)", "Array(UInt8)"),
)


def sorted_by_key(parameters: str, columns: str = COLUMNS) -> Creation:
    return Creation(columns, f"ENGINE = ReplacingMergeTree({parameters}) ORDER BY key")


VERSION, DELETED = sorted_by_key("version"), sorted_by_key("version, deleted")
# The parameters, the columns, what the refusal names, and the table that differs in the parameter only.
NO_STORED_COLUMNS = (  # 7 variants
    ("nothing", COLUMNS, "Version column", VERSION),
    ("version", "key UInt64, version UInt64 ALIAS key", "Version column", VERSION),
    ("version", "key UInt64, version UInt64 EPHEMERAL 1", "Version column", VERSION),
    ("nothing, deleted", COLUMNS, "Version column", DELETED),
    ("version, nothing", COLUMNS, "is_deleted column", DELETED),
    ("version, deleted", f"{KEY_AND_VERSION}, deleted UInt8 ALIAS 1", "is_deleted column", DELETED),
    (
        *("version, deleted", f"{KEY_AND_VERSION}, deleted UInt8 EPHEMERAL 1"),
        *("is_deleted column", DELETED),
    ),
)


def refused_creations() -> Iterator[RefusedCreation]:
    """Every table that has to be refused, by what is wrong with its parameters."""
    for parameters, columns, text, control in NO_STORED_COLUMNS:
        creation = sorted_by_key(parameters, columns)
        name = f"({parameters}) of {columns}"
        yield RefusedCreation(name, creation, NO_SUCH_COLUMN_IN_TABLE, text, control)
    for parameters in (
        "version, deleted, key",
        "version, deleted, key, key",
        "version, deleted, 1",
    ):
        creation, text = sorted_by_key(parameters), "requires 0 to 2 parameters"
        yield RefusedCreation(f"({parameters})", creation, WRONG_NUMBER_OF_ARGUMENTS, text, DELETED)
    for parameters in ("version", "version, deleted"):
        creation = Creation(COLUMNS, f"ENGINE = ReplacingMergeTree({parameters})")
        name, control = f"({parameters}) without a sorting key", sorted_by_key(parameters)
        text = "ORDER BY or PRIMARY KEY"
        yield RefusedCreation(name, creation, WRONG_NUMBER_OF_ARGUMENTS, text, control)
    for kind in ("UInt8", "UInt64", "Bool"):
        creation = sorted_by_key("both, both", f"key UInt64, both {kind}")
        control = sorted_by_key("both, other", f"key UInt64, both {kind}, other UInt8")
        text = "cannot be the same column"
        yield RefusedCreation(f"one {kind} for both", creation, BAD_ARGUMENTS, text, control)
    for kind in NO_VERSION_TYPES:
        columns, text = f"key UInt64, version {kind}", "cannot be used as a version column"
        creation, control = sorted_by_key("version", columns), sorted_by_key("key", columns)
        yield RefusedCreation(f"version {kind}", creation, BAD_TYPE_OF_FIELD, text, control)
    for kind in NO_DELETION_TYPES:
        columns, text = f"{KEY_AND_VERSION}, deleted {kind}", "must have type UInt8"
        creation = sorted_by_key("version, deleted", columns)
        control = sorted_by_key("version", columns)
        yield RefusedCreation(f"deleted {kind}", creation, BAD_TYPE_OF_FIELD, text, control)


@TestScenario
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingColumn("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey("2.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_TooManyParameters("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_SameAsVersion("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_IsDeleted_Type("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_UnsupportedType("1.0"),
)
def parameters_that_make_no_sense(self):
    """Parameters that are no stored columns, of other types, too many, the same, or without a key."""
    with When("I create such tables, and beside each one that differs in the parameter only"):
        refusals = list(refused_creations())
        violations = refusal_violations(refusals)

    with Then("each is refused for what it is, and the other one is created"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_MissingSortingKey("2.0"))
def no_parameters_and_no_sorting_key(self):
    """Without parameters the engine needs a sorting key exactly if MergeTree does."""
    violations: dict[str, object] = {}
    for engine in ("MergeTree", "ReplacingMergeTree"):
        for clauses in ("", "()", " PARTITION BY key"):
            for name, settings in EMPTY_KEY_BY_DEFAULT.items():
                with When(f"I create a table of {engine}{clauses}, empty keys {name}"):
                    table, sql = new_table(), f"({COLUMNS}) ENGINE = {engine}{clauses}"
                    outcome = attempt(table.node, f"CREATE TABLE {table} {sql}", settings=settings)
                    partitioned = clauses.removeprefix("()")
                    expected = (
                        f"{engine}{partitioned} ORDER BY tuple() SETTINGS index_granularity = 8192"
                    )
                    if name == "switched off":
                        right = outcome.code == BAD_ARGUMENTS and "ORDER BY" in outcome.message
                        right = right and definition(table) == "nothing"
                    else:
                        right = outcome.accepted and definition(table) == expected
                    if not right:
                        violations[f"{engine}{clauses}, {name}"] = f"{outcome}: {definition(table)}"

    with Then("the sorting key is empty by default, and required if the setting is switched off"):
        assert_no_violations(violations)
