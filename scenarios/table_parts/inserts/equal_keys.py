"""Keys that are equal and have different bits belong to one partition."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Insert_EqualKeys
from steps.tables import create_table

DEVIATIONS = "inserts-equal-keys"  # the beginning of their ids
# Inserts with rows of both zeros, and the row that stays by each of them when partition 0.0 is dropped.
INSERTS = {  # 4 variants
    "0.0 and -0.0": ("(0.0, 1), (-0.0, 2)", ""),
    "-0.0": ("(-0.0, 3)", "-0 (3)"),
    "-0.0 and 0.0": ("(-0.0, 4), (0.0, 5)", "-0 (4), 0 (5)"),
    "0.0": ("(0.0, 6)", ""),
}
ONE = "they are in one partition, and dropping it leaves none of them"


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Insert_EqualKeys("1.0"))
@deviates(
    step=ONE,
    observed={
        "partitions": "2",
        **{f"inserted as {name}": left for name, (_, left) in INSERTS.items() if left},
    },
    reason="the partition is named by the bits of the first of the equal keys of an insert, so it depends on "
    "the other rows of the insert",
    kind="bug",
    severity="wrong answer",
)
def both_zeros_are_in_one_partition(self):
    """Rows with the keys 0.0 and -0.0, which are equal, are in one partition, however they are inserted."""
    with Given("a table that is partitioned by a float"):
        table = create_table(
            "zeros",
            columns="f Float64, i UInt8",
            partition_by="f",
            settings={"allow_floating_point_partition_key": 1},
        )
        table.node.query(f"INSERT INTO {table} VALUES (1, 7)")

    with When("I insert both zeros together and one by one"):
        for rows, _ in INSERTS.values():
            table.node.query(f"INSERT INTO {table} VALUES {rows}")
        partitions = table.node.value(f"SELECT uniqExact(_partition_id) FROM {table} WHERE f = 0")
        zeros = table.node.column(f"SELECT i FROM {table} WHERE f = 0")
        assert sorted(zeros) == [*range(1, 7)], error()

    with And("I drop the partition of 0.0"):
        table.node.query(f"ALTER TABLE {table} DROP PARTITION 0.0")
        left = sorted(table.node.query(f"SELECT i, toString(f) FROM {table}"))

    with Then("the rows of other keys are still there"):
        assert [row for row in left if row[0] == 7] == [(7, "1")], error()
        left.remove((7, "1"))

    with And(ONE):
        violations: dict[str, object] = {"partitions": partitions} if partitions != 1 else {}
        for name, (rows, _) in INSERTS.items():
            stayed = [f"{key} ({i})" for i, key in left if f", {i})" in rows]
            if stayed:
                violations[f"inserted as {name}"] = ", ".join(stayed)
        assert_no_violations(violations)
