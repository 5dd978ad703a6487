"""Which format a part is written in: compact below either threshold, wide from both on."""

import itertools
from collections.abc import Callable, Sequence

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.marks import deviates
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Format_Threshold
from steps.part_life import active_parts, merge, mutate
from steps.refusals import listed
from steps.tables import NO_MERGES, Table, create_table, insert

ROW_BYTES = 9
ROWS = (9, 10, 11)
MIN_ROWS = (0, 10)
# The default of ten MiB is never reached here.
MIN_BYTES = (0, 10 * ROW_BYTES, 10 * ROW_BYTES + 1, 10 * 1024 * 1024)
WIDE_FROM_TEN = {"min_bytes_for_wide_part": 0, "min_rows_for_wide_part": 10}


def created(name: str, settings: dict[str, int], engine: str = "MergeTree") -> Table:
    return create_table(
        name, columns="p UInt8, i UInt64", engine=engine, settings={**NO_MERGES, **settings}
    )


def fill(table: Table, share: Callable[[int], int], partitions: Sequence[int] = ROWS) -> None:
    """One part in each partition, which is named after the rows that it shall have in the end."""
    rows = [(p, number) for p in partitions for number in range(share(p))]
    insert(table, rows)


def only_part(table: Table) -> tuple[int, str]:
    """Rows and format of the one active part."""
    (part,) = active_parts(table).values()
    return part.rows, part.kind


def expected_kind(rows: int, min_rows: int, min_bytes: int) -> str:
    return "Compact" if rows < min_rows or rows * ROW_BYTES < min_bytes else "Wide"


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Format_Threshold("1.0"))
def inserted_and_merged_parts_follow_the_thresholds(self):
    """Around both thresholds, and for merged parts as for inserted ones, the format is as it says."""
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
            for what, table in (("inserted", inserted), ("merged", merged)):
                found = {part.rows: part.kind for part in active_parts(table).values()}
                expected = {rows: expected_kind(rows, min_rows, min_bytes) for rows in ROWS}
                kinds |= {(what, kind) for kind in found.values()}
                if found != expected:
                    violations.append(f"{what}, {min_rows} rows, {min_bytes} bytes: {found}")

    with Then("each has the format that its rows and bytes ask for"):
        assert violations == [], error()

    with And("both formats were written in both ways"):
        assert len(kinds) == 4, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Format_Threshold("1.0"))
@deviates(
    step="what is below the threshold is compact",
    effect="too wide: a mutation that deletes rows: (3, 'Wide'); a merge of what is left: (3, 'Wide'); "
    "a merge that replaces rows: (6, 'Wide')",
    reason="a mutation keeps the format of the part that it rewrites, a merge never makes wide parts "
    "compact, and it chooses by the rows that it reads, not by those it will write",
)
def parts_that_shrink_become_compact(self):
    """A part that a mutation or a merge writes with fewer rows than the threshold is compact."""
    with Given(
        "a wide part, and compact parts with the same keys that are together above the threshold"
    ):
        mutated = created("mutated", WIDE_FROM_TEN)
        fill(mutated, lambda rows: rows, [10])
        assert only_part(mutated) == (10, "Wide"), error()
        replaced = created("replaced", WIDE_FROM_TEN, engine="ReplacingMergeTree")
        for _ in range(2):
            fill(replaced, lambda rows: rows, [6])

    with When("a mutation or a merge writes parts that are below it"):
        found = {}
        mutate(mutated, "DELETE WHERE i >= 3")
        found["a mutation that deletes rows"] = only_part(mutated)
        merge(mutated)
        found["a merge of what is left"] = only_part(mutated)
        merge(replaced)
        found["a merge that replaces rows"] = only_part(replaced)

    with Then("what is below the threshold is compact"):
        assert all(rows < 10 for rows, _ in found.values()), error()
        wide = [f"{what}: {part}" for what, part in found.items() if part[1] != "Compact"]
        assert not wide, listed("too wide", wide)
