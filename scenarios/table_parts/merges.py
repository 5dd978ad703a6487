"""Merges: by themselves, within a partition, without losing a row or the order."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.session import Row
from helpers.context import this
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Merge_Background,
    RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows,
    RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition,
)
from steps.part_life import (
    KEPT,
    active_parts,
    in_background,
    inactive_parts,
    merge,
    rows_by_part,
    tidy_node,
)
from steps.tables import NO_MERGES, Table, contents, create_table, insert

PARTS = 12
PARTITIONS = 3
VERTICAL = {
    "enable_vertical_merge_algorithm": 1,
    "vertical_merge_algorithm_min_rows_to_activate": 1,
    "vertical_merge_algorithm_min_columns_to_activate": 1,
    "vertical_merge_algorithm_min_bytes_to_activate": 0,
}
WIDE = {"min_bytes_for_wide_part": 0, "min_rows_for_wide_part": 0}
# How the parts are merged, and the settings that make the server do it so.
WAYS = {
    "Horizontal": {"enable_vertical_merge_algorithm": 0},
    "Vertical": {**VERTICAL, **WIDE},
}


def merges_of(table: Table) -> list[Row]:
    """What was merged: the new part, what it is made of, and by which algorithm."""
    table.node.query("SYSTEM FLUSH LOGS part_log")
    return table.node.query(
        "SELECT part_name, merged_from, toString(merge_algorithm) "
        f"FROM system.part_log WHERE database = '{table.database}' AND table = '{table.name}' "
        "AND event_type = 'MergeParts' AND error = 0"
    )


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Merge_Background("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition("1.0"),
)
def background_merges_small_parts(self):
    """Small parts of several partitions become fewer without a command, and partitions never mix."""
    with Given("many small parts in each of some partitions"):
        table = create_table("background", node=tidy_node(), settings=KEPT)
        rows = [(n % PARTITIONS, n, "row") for n in range(PARTS * PARTITIONS)]
        for start in range(0, len(rows), PARTITIONS):
            insert(table, rows[start : start + PARTITIONS])

    with When("I wait"):
        in_background(lambda: len(active_parts(table)) <= PARTS * PARTITIONS / 2)

    with Then("the server has merged them, in every partition"):
        merged = in_background(lambda: merges_of(table))
        assert {part.split("_")[0] for part, *_ in merged} == {"0", "1", "2"}, error()

    with And("each merged part is made of several parts of its own partition"):
        mixed = [
            (part, sources)
            for part, sources, *_ in merged
            if len(sources) < 2 or {one.split("_")[0] for one in sources} != {part.split("_")[0]}
        ]
        assert mixed == [], error()

    with And("all rows are there"):
        assert contents(table) == sorted(rows), error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition("1.0"))
def optimize_merges_within_partitions(self):
    """OPTIMIZE FINAL makes one part of each partition, and of no two partitions one."""
    with Given("parts in several partitions"):
        table = create_table("partitions", settings={**NO_MERGES, **KEPT})
        rows = [(n % PARTITIONS, n, "row") for n in range(30)]
        for start in (0, 10, 20):
            insert(table, rows[start : start + 10])

    with When("I merge all that can be merged, twice"):
        for _ in range(2):
            merge(table)

    with Then("each partition is one part, with all of its rows and only them"):
        read = rows_by_part(table)
        expected = [sorted(row for row in rows if row[0] == p) for p in range(PARTITIONS)]
        assert sorted(map(sorted, read.values())) == expected, error()

    with And("every source is one of the same partition"):
        sources = {part: made_of for part, made_of, *_ in merges_of(table)}
        assert {one for made_of in sources.values() for one in made_of} == {
            *inactive_parts(table)
        }, error()
        for part, made_of in sources.items():
            assert {one.split("_")[0] for one in made_of} == {part.split("_")[0]}, error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows("1.0"))
def merged_part_has_all_rows_in_order(self):
    """By either algorithm the merged part has every row, equal ones as often as before, in order."""
    violations = []
    for way, settings in WAYS.items():
        with When(f"parts with equal and different rows are merged, {way}"):
            table = create_table(
                "merged",
                partition_by="",
                order_by="(i, p)",
                settings={**NO_MERGES, **KEPT, **settings},
            )
            dice, rows = this().random, []
            for number in range(5):
                some = [(dice.randrange(3), dice.randrange(40), f"{number % 3}") for _ in range(60)]
                insert(table, some)
                rows += some
            assert len(set(rows)) < len(rows), "it proves nothing: no two rows are equal"
            merge(table)

            ((name, read),) = rows_by_part(table).items()
            if sorted(read) != sorted(rows):
                violations.append(f"{way}: {name} has other rows than its sources")
            places = [(i, p) for p, i, _ in read]
            if places != sorted(places):
                violations.append(f"{way}: {name} is not in order")
            algorithms = [algorithm for *_, algorithm in merges_of(table)]
            assert algorithms == [way], error()

    with Then("nothing is lost, nothing is doubled, all is in order"):
        assert violations == [], error()
