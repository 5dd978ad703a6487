"""The structure of source and destination: the names and the types of their columns."""

from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.marks import deviates
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure,
)
from steps.conditions import (
    INCOMPATIBLE_COLUMNS,
    Definition,
    Difference,
    both_ways,
    expect_refusals,
    wrong_refusals,
)

KEYS = "p UInt64, i UInt64"
TEXT = Definition(f"{KEYS}, v String")


def columns(name: str, other: str, usual: str = "v String") -> Difference:
    """Tables that differ in what stands beside the columns of the keys."""
    return Difference(name, Definition(f"{KEYS}, {usual}"), Definition(f"{KEYS}, {other}"))


def types(one: str, other: str) -> Difference:
    return columns(f"{one} and {other}", f"v {other}", f"v {one}")


DIFFERENT = (
    columns("another name", "w String"),
    columns("another case of a name", "V String"),
    columns("a column more", "v String, w String"),
    columns("a column with a default more", "v String, w String DEFAULT 'x'"),
    columns("a materialized column more", "v String, w String MATERIALIZED 'x'"),
    columns("an alias in place of a column", "v String ALIAS 'x'"),
    columns("an ephemeral one in place of a column", "v String EPHEMERAL"),
    Difference("the type of the partition key", TEXT, Definition("p UInt32, i UInt64, v String")),
    Difference("the type of the sorting key", TEXT, Definition("p UInt64, i Int64, v String")),
    types("String", "Nullable(String)"),
    types("String", "LowCardinality(String)"),
    types("String", "FixedString(20)"),
    types("UInt32", "UInt64"),
    types("UInt32", "Int32"),
    types("UInt32", "IPv4"),
    types("UInt16", "Date"),
    types("Int8", "Enum8('a' = 1)"),
    types("Enum8('a' = 1)", "Enum8('a' = 1, 'b' = 2)"),
    types("Enum8('a' = 1, 'b' = 2)", "Enum8('a' = 2, 'b' = 1)"),
    types("Decimal(9, 2)", "Decimal(9, 3)"),
    types("DateTime64(3)", "DateTime64(6)"),
    types("Array(UInt32)", "Array(UInt64)"),
    types("Tuple(a UInt64, b String)", "Tuple(b UInt64, a String)"),
    types("Map(String, String)", "Array(Tuple(keys String, values String))"),
    types("Nested(a UInt64)", "Nested(b UInt64)"),
)
STORED_ALIKE = (
    types("Bool", "UInt8"),
    types("Array(Bool)", "Array(UInt8)"),
    types("DateTime('UTC')", "DateTime('Europe/Berlin')"),
    types("DateTime64(3, 'UTC')", "DateTime64(3, 'Europe/Berlin')"),
    types("Point", "Tuple(Float64, Float64)"),
    types("SimpleAggregateFunction(sum, UInt64)", "UInt64"),
    types("SimpleAggregateFunction(sum, UInt64)", "SimpleAggregateFunction(max, UInt64)"),
)
NOT_STORED = (
    columns("an alias more", "v String, w String ALIAS 'x'"),
    columns("an ephemeral column more", "v String, w String EPHEMERAL 'x'"),
)


def check_refused(differences: tuple[Difference, ...]) -> None:
    with Given("pairs of tables of different structure, each way round"):
        pairs = both_ways(differences)

    with When("I replace a partition in each of them"):
        wrong = wrong_refusals(pairs, INCOMPATIBLE_COLUMNS, "Tables have different structure")

    with Then("every one is refused and the destination kept"):
        expect_refusals(pairs, wrong)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure("1.0"),
)
def different_columns(self):
    """Other names, other types, a column more or less: refused, whichever table it is in."""
    check_refused(DIFFERENT)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure("1.0"),
)
@deviates(
    step="every one is refused and the destination kept",
    effect="14 of 14 wrong: all accepted and carried out",
    reason="types that are stored in the same way count as the same, though they mean different "
    "things: a 7 in a UInt8 becomes true in a Bool",
)
def types_that_are_stored_alike(self):
    """Types of different names are different types, also where their bytes would fit."""
    check_refused(STORED_ALIKE)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure("1.0"),
)
@deviates(
    step="every one is refused and the destination kept",
    effect="4 of 4 wrong: all accepted and carried out",
    reason="only the columns that parts store are compared: an ALIAS or EPHEMERAL column that one "
    "of the tables lacks is overlooked",
)
def columns_that_are_not_stored(self):
    """A column that only one of the tables has makes their structure different, stored or not."""
    check_refused(NOT_STORED)
