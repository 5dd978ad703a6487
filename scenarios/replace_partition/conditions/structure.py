"""The structure of source and destination: names, types, order and default expressions of their columns."""

from collections.abc import Callable, Mapping
from functools import partial

from testflows.core import Given, Requirements, TestOutline, TestScenario, Then, When

from helpers.scenario.marks import Marked, deviates
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure,
)
from steps.replace_partition.conditions import (
    INCOMPATIBLE_COLUMNS,
    REPLACED,
    TEXT,
    Definition,
    DefinitionPair,
    make_pairs,
    not_refused,
    not_replaced,
)

DEVIATIONS = "conditions-structure"  # the beginning of their ids

REFUSED = "every one is refused and both tables are kept"
KEYS = "p UInt64, i UInt64"
PLAIN = Definition()
# Values of the column v where n, the number of the row, cannot be converted to its type.
SMALL = "n % 2 + 1"
VALUES: Mapping[str, str] = {
    "FixedString(20)": "toString(n)",
    "Int8": SMALL,
    "Enum8('none' = 0, 'a' = 1)": "1",
    "UInt8": "n % 100 + 7",
    "Enum8('none' = 0, 'a' = 1, 'b' = 2)": SMALL,
    "Enum8('none' = 0, 'a' = 2, 'b' = 1)": SMALL,
    "Bool": "1",
    "IPv4": "toIPv4(toUInt32(n))",
    "Array(UInt32)": "[n, 7]",
    "Array(UInt64)": "[n, 7]",
    "Array(Bool)": "[true, false]",
    "Array(UInt8)": "[n % 5 + 7, 0]",
    "Tuple(a UInt64, b String)": "(n, 'b')",
    "Tuple(b UInt64, a String)": "(n, 'a')",
    "Tuple(Float64, Float64)": "(n, n / 2)",
    "Point": "(n, n / 2)",
    "Map(String, String)": "map('key', toString(n))",
    "Array(Tuple(keys String, values String))": "[('key', toString(n))]",
}


def columns(
    name: str, other: str, values: Mapping[str, str] = TEXT, usual: str = "v String"
) -> DefinitionPair:
    """Tables with the same key columns and other further columns."""
    return DefinitionPair(
        name, Definition(f"{KEYS}, {usual}"), Definition(f"{KEYS}, {other}", values=values)
    )


def typed(column_type: str) -> Definition:
    return Definition(f"{KEYS}, v {column_type}", values={"v": VALUES.get(column_type, "n")})


def types(usual: str, other: str) -> DefinitionPair:
    return DefinitionPair(f"{usual} and {other}", typed(usual), typed(other))


def nested(name: str) -> Definition:
    return Definition(f"{KEYS}, v Nested({name} UInt64)", values={f"v.{name}": "[n]"})


W = {**TEXT, "w": "concat('w ', toString(n))"}
DIFFERENT = (
    columns("another name", "w String", {"w": TEXT["v"]}),
    columns("another case of a name", "V String", {"V": TEXT["v"]}),
    columns("a column more", "v String, w String", W),
    columns("a column with a default more", "v String, w String DEFAULT 'x'"),
    columns("a materialized column more", "v String, w String MATERIALIZED 'x'"),
    columns("an alias in place of a column", "v String ALIAS 'x'", {}),
    columns("an ephemeral one in place of a column", "v String EPHEMERAL", {}),
    DefinitionPair(
        "the type of the partition key", PLAIN, Definition("p UInt32, i UInt64, v String")
    ),
    DefinitionPair("the type of the sorting key", PLAIN, Definition("p UInt64, i Int64, v String")),
    types("String", "Nullable(String)"),
    types("String", "LowCardinality(String)"),
    types("String", "FixedString(20)"),
    types("UInt32", "UInt64"),
    types("UInt32", "Int32"),
    types("UInt32", "IPv4"),
    types("UInt16", "Date"),
    types("Int8", "Enum8('none' = 0, 'a' = 1)"),
    types("Enum8('none' = 0, 'a' = 1)", "Enum8('none' = 0, 'a' = 1, 'b' = 2)"),
    types("Enum8('none' = 0, 'a' = 1, 'b' = 2)", "Enum8('none' = 0, 'a' = 2, 'b' = 1)"),
    types("Decimal(9, 2)", "Decimal(9, 3)"),
    types("DateTime64(3)", "DateTime64(6)"),
    types("Array(UInt32)", "Array(UInt64)"),
    types("Tuple(a UInt64, b String)", "Tuple(b UInt64, a String)"),
    types("Map(String, String)", "Array(Tuple(keys String, values String))"),
    DefinitionPair("Nested(a UInt64) and Nested(b UInt64)", nested("a"), nested("b")),
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
ORDER_AND_DEFAULTS = (  # 4 variants
    DefinitionPair("the order of the columns", PLAIN, Definition("v String, p UInt64, i UInt64")),
    columns("a default more", "v String DEFAULT 'x'"),
    columns("another default", "v String DEFAULT 'x'", usual="v String DEFAULT 'y'"),
    columns("a materialized column in place of an ordinary one", "v String MATERIALIZED 'x'", {}),
)


def read_as(actual: str, expected: str) -> str:
    """What is observed where the values of v are taken for others."""
    return f"{REPLACED}; v reads {actual} for {expected}"


def ways(name: str) -> tuple[str, str]:
    """The cells of a difference."""
    return f"{name} (source first)", f"{name} (destination first)"


def not_compared(
    observed: Mapping[str, str], *, reason: str, kind: str, severity: str
) -> Callable[[Marked], Marked]:
    """ClickHouse replaces partitions of tables that differ so; what is observed, by cell."""
    return deviates(step=REFUSED, observed=observed, reason=reason, kind=kind, severity=severity)


too_strict = partial(not_compared, kind="requirement", severity="wrong refusal or acceptance")


@TestOutline
def different_structure_is_refused(self, *, differences):
    """Tables that differ in these points are refused, each way round; tables that do not are replaced."""
    with Given("tables of both structures"):
        pairs = make_pairs(differences)

    with Then("a partition is replaced between tables of the same structure"):
        assert_no_violations(not_replaced(pairs.alike))

    with When("I replace a partition between tables of different structure, each way round"):
        violations = not_refused(
            pairs.different, INCOMPATIBLE_COLUMNS, "Tables have different structure"
        )

    with Then(REFUSED):
        covers("their structure is the same")
        assert_no_violations(violations)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure("1.0"),
)
def different_columns(self):
    """Other names, other types, a column more or less: refused, whichever table it is in."""
    different_structure_is_refused(differences=DIFFERENT)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure("1.0"),
)
@not_compared(
    {
        "Bool and UInt8 (source first)": read_as("1, 1, 1", "true, true, true"),
        "Bool and UInt8 (destination first)": read_as("true, true, true", "8, 10, 12"),
        "Array(Bool) and Array(UInt8) (source first)": read_as(
            "[1,0], [1,0], [1,0]", "[true,false], [true,false], [true,false]"
        ),
        "Array(Bool) and Array(UInt8) (destination first)": read_as(
            "[true,false], [true,false], [true,false]", "[8,0], [10,0], [7,0]"
        ),
        "DateTime('UTC') and DateTime('Europe/Berlin') (source first)": read_as(
            "1970-01-01 01:00:01, 1970-01-01 01:00:03, 1970-01-01 01:00:05",
            "1970-01-01 00:00:01, 1970-01-01 00:00:03, 1970-01-01 00:00:05",
        ),
        "DateTime('UTC') and DateTime('Europe/Berlin') (destination first)": read_as(
            "1970-01-01 00:03:21, 1970-01-01 00:03:23, 1970-01-01 00:03:25",
            "1970-01-01 01:03:21, 1970-01-01 01:03:23, 1970-01-01 01:03:25",
        ),
        "DateTime64(3, 'UTC') and DateTime64(3, 'Europe/Berlin') (source first)": read_as(
            "1970-01-01 01:00:01.000, 1970-01-01 01:00:03.000, 1970-01-01 01:00:05.000",
            "1970-01-01 00:00:01.000, 1970-01-01 00:00:03.000, 1970-01-01 00:00:05.000",
        ),
        "DateTime64(3, 'UTC') and DateTime64(3, 'Europe/Berlin') (destination first)": read_as(
            "1970-01-01 00:03:21.000, 1970-01-01 00:03:23.000, 1970-01-01 00:03:25.000",
            "1970-01-01 01:03:21.000, 1970-01-01 01:03:23.000, 1970-01-01 01:03:25.000",
        ),
        **dict.fromkeys(
            (
                *ways("Point and Tuple(Float64, Float64)"),
                *ways("SimpleAggregateFunction(sum, UInt64) and UInt64"),
                *ways(
                    "SimpleAggregateFunction(sum, UInt64) and SimpleAggregateFunction(max, UInt64)"
                ),
            ),
            REPLACED,
        ),
    },
    reason="types that are stored in the same way count as the same, though they mean different "
    "things: a 7 in a UInt8 becomes true in a Bool",
    kind="bug",
    severity="wrong answer",
)
def types_that_are_stored_alike(self):
    """Types of different names are different types, also where their bytes would fit."""
    different_structure_is_refused(differences=STORED_ALIKE)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure("1.0"),
)
@too_strict(
    {
        "an alias more (source first)": f"{REPLACED}; w reads x, x, x",
        "an alias more (destination first)": REPLACED,
        "an ephemeral column more (source first)": REPLACED,
        "an ephemeral column more (destination first)": REPLACED,
    },
    reason="the requirement is too strict: only the columns that parts store are compared, and an ALIAS or "
    "EPHEMERAL column that one of the tables lacks changes none of their values",
)
def columns_that_are_not_stored(self):
    """A column that only one of the tables has makes their structure different, stored or not."""
    different_structure_is_refused(differences=NOT_STORED)


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Conditions_Different_Structure("1.0"),
)
@too_strict(
    dict.fromkeys(
        (cell for difference in ORDER_AND_DEFAULTS for cell in ways(difference.name)), REPLACED
    ),
    reason="the requirement is too strict: columns are compared by name and type. Their order and their "
    "default expressions are not, and change no value that is stored",
)
def order_and_defaults(self):
    """Columns in another order, or with other default expressions, are another structure."""
    different_structure_is_refused(differences=ORDER_AND_DEFAULTS)
