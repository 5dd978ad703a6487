"""Types of the version column that have to work."""

from testflows.core import Requirements, TestScenario, Then, When

from helpers.scenario.violations import assert_no_violations, differing
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Types,
)
from steps.replacing_merge_tree.tables import AS_THEY_COME, merge, replacing_table

# The smallest value, one in between, the greatest.
UNSIGNED = {f"UInt{bits}": ("0", "1", str(2**bits - 1)) for bits in (8, 16, 32, 64, 128, 256)}
TIMES = {  # 6 variants
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
        "1969-12-31 23:59:59.000000000",
        "1970-01-01 00:00:00.000000000",
        "1970-01-01 00:00:00.000000001",
    ),
}


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Version_Types("1.0"))
def supported_types(self):
    """Each type is accepted, and its greatest value wins although it was not inserted last."""
    violations: dict[str, object] = {}
    for kind, (low, middle, high) in (UNSIGNED | TIMES).items():
        with When(f"the version is a {kind}"):
            table = replacing_table("version", columns=f"key UInt64, value String, version {kind}")
            for inserted in ([("low", low), ("high", high)], [("middle", middle)]):
                values = ", ".join(f"(1, '{name}', '{version}')" for name, version in inserted)
                settings = AS_THEY_COME if len(inserted) > 1 else None
                table.node.query(f"INSERT INTO {table} VALUES {values}", settings=settings)
            read = f"SELECT value, CAST(version AS String) FROM {table}"
            in_order = table.node.query(f"{read} ORDER BY version")
            final = table.node.query(f"{read} FINAL")
            merge(table)
            merged = table.node.query(read)
            checked = {
                "order of versions": (in_order, [("low", low), ("middle", middle), ("high", high)]),
                "FINAL": (final, [("high", high)]),
                "merged": (merged, [("high", high)]),
            }
            violations |= differing(kind, checked)

    with Then("the greatest version wins for each"):
        assert_no_violations(violations)
