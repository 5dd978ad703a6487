"""The first rows of an order, found with the help of a skip index."""

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Indexes_TopRows
from steps.tables import create_table

DEVIATIONS = "indexes-top-rows"  # the beginning of their ids
COLUMNS = "i UInt8, v {type}, INDEX small v TYPE minmax GRANULARITY 1"
# Columns of granules with two rows each.
TYPES = {  # 4 variants
    "Int64": "5, 6, 1, 2, 9, 8, -3, 7",
    "Nullable(Int64)": "NULL, NULL, NULL, 5, 6, NULL, -3, -2",
    "Float64": "-0.0, 0.0, inf, 1, 5, 6, -inf, 2",
    "Float64 with nan": "nan, nan, nan, 5, 6, nan, -0.0, 0.0",
}
ORDERS = tuple(f"v {way} NULLS {nulls}" for way in ("ASC", "DESC") for nulls in ("FIRST", "LAST"))
BY_INDEX = {"use_skip_indexes_for_top_k": 1, "use_top_k_dynamic_filtering": 0}
BY_THRESHOLD = {"use_skip_indexes_for_top_k": 0, "use_top_k_dynamic_filtering": 1}
IN_FULL = {"use_skip_indexes_for_top_k": 0, "use_top_k_dynamic_filtering": 0}
MODES = {"by default": {}, "by index": BY_INDEX, "by threshold": BY_THRESHOLD}  # 3 variants
FIRST = "the rows are the first of the full order"
OBSERVED = {
    f"Float64 with nan, v {order}, {mode}": seen
    for mode in ("by default", "by index")
    for order, seen in (
        ("ASC NULLS FIRST", "nan, nan, -0 instead of nan, nan, nan"),
        ("DESC NULLS LAST", "6, 5, nan instead of 6, 5, -0"),
    )
}


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Indexes_TopRows("1.0"))
@deviates(
    step=FIRST,
    observed=OBSERVED,
    reason="granules keep their smallest and largest value without nan, and a granule of nan alone ranks "
    "above all numbers: granules with rows of the answer are left out",
    kind="bug",
    severity="wrong answer",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/116705",
)
def limited_order_begins_like_the_full_one(self):
    """ORDER BY with LIMIT returns the first values of the full order, in each mode of finding them."""
    violations: dict[str, object] = {}
    for kind, listed in TYPES.items():
        with Given(f"a table with a skip index on {kind}"):
            table = create_table(
                "ordered",
                columns=COLUMNS.format(type=kind.split()[0]),
                partition_by="",
                settings={"index_granularity": 2},
            )
            rows = ", ".join(f"({i}, {value})" for i, value in enumerate(listed.split(", ")))
            table.node.query(f"INSERT INTO {table} VALUES {rows}")

        for order in ORDERS:
            with When(f"I ask for the first values of {order}"):
                sql = f"SELECT toString(v) FROM {table} ORDER BY {order}"
                full = table.node.column(sql, settings=IN_FULL)
                assert len(full) == len(listed.split(", ")), error()
                for mode, settings in MODES.items():
                    found = table.node.column(f"{sql} LIMIT 3", settings=settings)
                    if [float_of(v) for v in found] != [float_of(v) for v in full[:3]]:
                        violations[f"{kind}, {order}, {mode}"] = (
                            f"{', '.join(map(str, found))} instead of {', '.join(map(str, full[:3]))}"
                        )

    with Then(FIRST):
        assert_no_violations(violations)


def float_of(text: str | None) -> str | None:
    """Both zeros are equal."""
    return "0" if text == "-0" else text
