"""Which format a part is written in: compact below any threshold, wide from all of them on."""

import itertools
from collections.abc import Callable

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.obligations import covers
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Format_Threshold
from steps.table_parts.part_life import active_parts, merge, mutate
from steps.tables import NO_MERGES, Table, contents, create_table, insert

ROW_BYTES = 9
ROWS = (9, 10, 11)  # 3 variants
MIN_ROWS = (0, 10)  # 2 variants
# The default of ten MiB is never reached here.
MIN_BYTES = (0, 10 * ROW_BYTES, 10 * ROW_BYTES + 1, 10 * 1024 * 1024)  # 4 variants
WIDE_FROM_TEN = {"min_bytes_for_wide_part": 0, "min_rows_for_wide_part": 10}


def created(name: str, settings: dict[str, int], engine: str = "MergeTree") -> Table:
    return create_table(
        name, columns="p UInt8, i UInt64", engine=engine, settings={**NO_MERGES, **settings}
    )


def fill(table: Table, share: Callable[[int], int]) -> None:
    """One part in each partition, which is named after the rows that it shall have in the end."""
    insert(table, [(rows, number) for rows in ROWS for number in range(share(rows))])


def formats(table: Table) -> dict[int, str]:
    """The format of each active part, by its rows."""
    return {part.rows: part.kind for part in active_parts(table).values()}


def only_part(table: Table) -> tuple[int, str]:
    """Rows and format of the one active part."""
    ((rows, kind),) = formats(table).items()
    return rows, kind


def expected_formats(min_rows: int, min_bytes: int) -> dict[int, str]:
    return {
        rows: "Compact" if rows < min_rows or rows * ROW_BYTES < min_bytes else "Wide"
        for rows in ROWS
    }


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Format_Threshold("1.2"))
def inserted_and_merged_parts_follow_the_thresholds(self):
    """Around the thresholds of rows and bytes, for merged parts as for inserted ones."""
    violations, kinds = [], set()
    for min_rows, min_bytes in itertools.product(MIN_ROWS, MIN_BYTES):
        limits = {"min_rows_for_wide_part": min_rows, "min_bytes_for_wide_part": min_bytes}
        with When(f"parts are written with thresholds of {min_rows} rows and {min_bytes} bytes"):
            inserted, merged = created("inserted", limits), created("merged", limits)
            fill(inserted, lambda rows: rows)
            # Two smaller ones each: the format can only come from the sum.
            fill(merged, lambda rows: rows // 2)
            fill(merged, lambda rows: rows - rows // 2)
            merge(merged)
            for how, table in (("inserted", inserted), ("merged", merged)):
                actual = formats(table)
                kinds |= {(how, kind) for kind in actual.values()}
                if actual != expected_formats(min_rows, min_bytes):
                    violations.append(f"{how}, {min_rows} rows, {min_bytes} bytes: {actual}")

    with Then("each has the format that its rows and bytes ask for"):
        covers("an insert, or a merge of compact parts")
        assert violations == [], error()

    with And("both formats were written in both ways"):
        assert len(kinds) == 4, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Format_Threshold("1.2"))
def parts_below_the_level_are_compact(self):
    """A part of a level below min_level_for_wide_part is compact, whatever its size."""
    with Given("a table whose parts are wide from level 2 on"):
        limits = {"min_bytes_for_wide_part": 0, "min_level_for_wide_part": 2}
        table = created("levels", limits)

    with When("I insert and merge"):
        history = []
        for number in range(3):
            insert(table, [(1, number)])
            history.append({name: part.kind for name, part in active_parts(table).items()})
            merge(table)
            history.append({name: part.kind for name, part in active_parts(table).items()})

    with Then("the parts of levels 0 and 1 are compact, those above are wide"):
        assert history == [
            {"1_1_1_0": "Compact"},
            {"1_1_1_1": "Compact"},
            {"1_1_1_1": "Compact", "1_2_2_0": "Compact"},
            {"1_1_2_2": "Wide"},
            {"1_1_2_2": "Wide", "1_3_3_0": "Compact"},
            {"1_1_3_3": "Wide"},
        ], error()

    with And("all rows are there"):
        assert contents(table) == [(1, number) for number in range(3)], error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Format_Threshold("1.2"))
def parts_that_shrink_stay_wide(self):
    """A mutation keeps a part wide, and so does a merge: with one wide source, or if it reads enough rows."""
    with Given(
        "a wide part, and compact parts with the same keys that are together above the threshold"
    ):
        mutated = created("mutated", WIDE_FROM_TEN)
        insert(mutated, [(1, number) for number in range(10)])
        assert only_part(mutated) == (10, "Wide"), error()
        replaced = created("replaced", WIDE_FROM_TEN, engine="ReplacingMergeTree")
        for _ in range(2):
            insert(replaced, [(1, number) for number in range(6)])
        parts = active_parts(replaced).values()
        kinds = [(part.partition_id, part.rows, part.kind) for part in parts]
        assert kinds == [("1", 6, "Compact")] * 2, error()

    with When("a mutation or a merge writes parts that are below it"):
        mutate(mutated, "DELETE WHERE i >= 3")
        written = {"a mutation that deletes rows": only_part(mutated)}
        merge(mutated)
        assert list(active_parts(mutated)) == ["1_1_1_1_2"], error()
        written["a merge of what is left"] = only_part(mutated)
        merge(replaced)
        written["a merge that replaces rows"] = only_part(replaced)

    with Then("they have the rows that are left"):
        assert contents(mutated) == [(1, number) for number in range(3)], error()
        assert contents(replaced) == [(1, number) for number in range(6)], error()

    with And("all of them are wide"):
        covers("a merge that has a wide part among its sources", "a mutation keeps the format")
        assert written == {
            "a mutation that deletes rows": (3, "Wide"),
            "a merge of what is left": (3, "Wide"),
            "a merge that replaces rows": (6, "Wide"),
        }, error()
