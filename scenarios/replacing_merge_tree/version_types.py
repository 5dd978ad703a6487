"""Types of the version column: those that have to work and those that have to be refused."""

from testflows.core import Requirements, TestScenario, Then, When

from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Types,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_UnsupportedType,
)
from steps.refusals import attempt, listed
from steps.replacing import Creation, merge, replacing_table, survivors, wrong_creations

BAD_TYPE_OF_FIELD = 169
# The smallest value, one in between, the greatest.
UNSIGNED = {f"UInt{bits}": ("0", "1", str(2**bits - 1)) for bits in (8, 16, 32, 64, 128, 256)}
TIMES = {
    "Date": ("1970-01-01", "2024-05-01", "2149-06-06"),
    "DateTime": ("1970-01-01 00:00:00", "2024-05-01 10:00:00", "2106-02-07 06:28:15"),
    "DateTime('UTC')": ("1970-01-01 00:00:00", "2024-05-01 10:00:00", "2106-02-07 06:28:15"),
    "DateTime64(0)": ("1900-01-01 00:00:00", "2024-05-01 10:00:00", "2299-12-31 23:59:59"),
    "DateTime64(3)": (
        "1969-12-31 23:59:59.999",
        "2024-05-01 00:00:00.001",
        "2024-05-01 00:00:00.002",
    ),
    "DateTime64(9, 'UTC')": (
        "1969-12-31 23:59:59",
        "1970-01-01 00:00:00",
        "1970-01-01 00:00:00.000000001",
    ),
}
SUPPORTED = UNSIGNED | TIMES
UNSUPPORTED = (
    *("String", "FixedString(4)", "UUID", "Array(UInt64)", "Enum8('a' = 1)", "Enum16('a' = 1)"),
    *("Nullable(UInt64)", "Nullable(DateTime)", "Nullable(String)", "LowCardinality(String)"),
    *("Tuple(UInt64)", "Map(UInt8, UInt64)", "IPv4", "IPv6", "JSON"),
)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Types("1.0"))
def supported_types(self):
    """Each type is accepted, and its greatest value wins although it was inserted before the others."""
    wrong = []
    for kind, (low, middle, high) in SUPPORTED.items():
        with When(f"the version is a {kind}"):
            table = replacing_table("version", columns=f"key UInt64, value String, version {kind}")
            inserted = {"low": low, "high": high, "middle": middle}
            for value, version in inserted.items():
                outcome = attempt(
                    table.node, f"INSERT INTO {table} VALUES (1, '{value}', '{version}')"
                )
                wrong += [] if outcome.accepted else [f"{kind}, {value}: {outcome}"]
            rows = table.node.column(f"SELECT value FROM {table} ORDER BY version")
            if rows != ["low", "middle", "high"]:
                wrong.append(f"{kind}: in the order of their versions the rows are {rows}")
            final = [row[1] for row in survivors(table)]
            merge(table)
            merged = table.node.column(f"SELECT value FROM {table}")
            if final != ["high"] or merged != ["high"]:
                wrong.append(f"{kind}: FINAL leaves {final}, a merge {merged}")

    with Then("the greatest version wins for each"):
        assert wrong == [], listed("types that do not work", wrong)


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_UnsupportedType("1.0"))
def unsupported_types(self):
    """What is neither a number nor a time cannot be a version."""
    with When("I create tables with such versions"):
        wrong = wrong_creations(
            [
                Creation(
                    kind,
                    f"key UInt64, version {kind}",
                    "ENGINE = ReplacingMergeTree(version) ORDER BY key",
                    "cannot be used as a version column",
                )
                for kind in UNSUPPORTED
            ],
            code=BAD_TYPE_OF_FIELD,
        )

    with Then("each table is refused"):
        assert wrong == [], listed("not refused as they have to be", wrong)
