"""Merges: by themselves, within a partition, without losing a row or the order."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.context import this
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Merge_Background,
    RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows,
    RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition,
)
from steps.part_life import (
    FORMATS,
    KEPT,
    active_parts,
    in_background,
    merge,
    merges_of,
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
# How the parts are merged, and the settings that make the server do it so.
WAYS = {
    "Horizontal": {"enable_vertical_merge_algorithm": 0},
    "Vertical": {**VERTICAL, **FORMATS["Wide"]},
}


def gathered_columns(table: Table) -> int:
    """How many columns merges have gathered by themselves so far, which only vertical ones do."""
    sql = "SELECT sum(value) FROM system.events WHERE event = 'GatheredColumns'"
    return int(table.node.value(sql))


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
        merged = merges_of(table)
        assert {part.split("_")[0] for part in merged} == {"0", "1", "2"}, error()

    with And("each merged part is made of several parts"):
        alone = [part for part, sources in merged.items() if len(sources) < 2]
        assert alone == [], error()

    with And("has the rows of its own partition and no others"):
        read = rows_by_part(table)
        mixed = {
            part: {row[0] for row in rows}
            for part, rows in read.items()
            if {str(row[0]) for row in rows} != {part.split("_")[0]}
        }
        assert mixed == {} and merged.keys() & read.keys(), error()

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
        first = active_parts(table)

    with When("I merge all that can be merged, twice"):
        for _ in range(2):
            merge(table)

    with Then("each partition is one part, with all of its rows and only them"):
        read = rows_by_part(table)
        expected = [sorted(row for row in rows if row[0] == p) for p in range(PARTITIONS)]
        assert sorted(map(sorted, read.values())) == expected, error()

    with And("the sources of each are exactly the parts that the partition had"):
        made_of = [{one.name for one in sources} for sources in merges_of(table).values()]
        for p in range(PARTITIONS):
            inserted = {name for name in first if name.startswith(f"{p}_")}
            assert len(inserted) == 3 and inserted in made_of, error()


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
            gathered = gathered_columns(table)
            merge(table)
            vertical = gathered_columns(table) > gathered
            assert vertical == (way == "Vertical"), f"it was not merged in the way {way}"

            ((name, read),) = rows_by_part(table).items()
            if sorted(read) != sorted(rows):
                violations.append(f"{way}: {name} has other rows than its sources")
            places = [(i, p) for p, i, _ in read]
            if places != sorted(places):
                violations.append(f"{way}: {name} is not in order")

    with Then("nothing is lost, nothing is doubled, all is in order"):
        assert violations == [], error()
