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
FIRST = "the rows are the first of the full order"
OBSERVED = {
    "Float64 with nan, v ASC NULLS FIRST": "nan, nan, 0 instead of nan, nan, nan",
    "Float64 with nan, v DESC NULLS LAST": "6, 5, nan instead of 6, 5, 0",
}


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Indexes_TopRows("1.0"))
@deviates(
    when="clickhouse >= 26.5",
    step=FIRST,
    observed=OBSERVED,
    reason="granules keep their smallest and largest value without nan, and a granule of nan alone ranks "
    "above all numbers: granules with rows of the answer are left out",
    kind="bug",
    severity="wrong answer",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/116705",
)
def limited_order_begins_like_the_full_one(self):
    """ORDER BY with LIMIT returns the first values of the full order, also with a skip index."""
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
                full = [plain(v) for v in table.node.column(sql)]
                found = [plain(v) for v in table.node.column(f"{sql} LIMIT 3")]
                assert sorted(full) == sorted(map(plain, listed.split(", "))), error()
                if found != full[:3]:
                    violations[f"{kind}, {order}"] = (
                        f"{', '.join(found)} instead of {', '.join(full[:3])}"
                    )

    with Then(FIRST):
        assert_no_violations(violations)


def plain(text: str | None) -> str:
    """A value in words; both zeros are equal."""
    return "NULL" if text is None else text.removesuffix(".0").replace("-0", "0")
