"""Merges: by themselves, within a partition, without losing a row or the order."""

from collections.abc import Mapping
from random import Random

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Merge_Background,
    RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows,
    RQ_SRS_102_ClickHouse_TableParts_Merge_WithinPartition,
)
from steps.table_parts.part_events import part_events, statements_on
from steps.table_parts.part_life import (
    FORMATS,
    KEPT,
    active_parts,
    in_background,
    merge,
    merges_of,
    rows_by_part,
    sorted_rows,
    table_of_parts,
    tidy_node,
)
from steps.tables import NO_MERGES, create_table, insert

PARTS = 12
PARTITIONS = 3
VERTICAL = {
    "enable_vertical_merge_algorithm": 1,
    "vertical_merge_algorithm_min_rows_to_activate": 1,
    "vertical_merge_algorithm_min_columns_to_activate": 1,
    "vertical_merge_algorithm_min_bytes_to_activate": 0,
}
# How the parts are merged, and the settings that make the server do it so.
ALGORITHMS = {  # 2 variants
    "Horizontal": {"enable_vertical_merge_algorithm": 0},
    "Vertical": {**VERTICAL, **FORMATS["Wide"]},
}


def inserted_sources(part: str, merges: Mapping[str, tuple[list[str]]]) -> list[str]:
    """The inserted parts that a part was made of in the end, by these merges; itself if by none."""
    if part not in merges:
        return [part]
    (sources,) = merges[part]
    return [name for source in sources for name in inserted_sources(source, merges)]


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
        inserted = part_events(table, "NewPart")
        assert len(inserted) == PARTS * PARTITIONS, error()

    with When("I wait"):
        few = (
            f"SELECT count() <= {PARTS * PARTITIONS // 2} FROM system.parts WHERE active "
            f"AND database = '{table.database}' AND table = '{table.name}'"
        )
        in_background(lambda: table.node.value(few), equals=1)
        read = rows_by_part(table)

    with Then("the server has merged them, several parts each time"):
        merges = part_events(table, "MergeParts", "merged_from")
        assert all(len(sources) > 1 for (sources,) in merges.values()), error()
        assert statements_on(table) == [{"Create": 1, "Insert": PARTS}], error()

    with And("each part is made of inserted ones of its own partition, and none is left out"):
        made_of = {part: inserted_sources(part, merges) for part in read}
        assert sorted(sum(made_of.values(), [])) == sorted(inserted), error()  # noqa: RUF017
        mixed = {
            part: sources
            for part, sources in made_of.items()
            if {name.split("_")[0] for name in sources} != {part.split("_")[0]}
        }
        assert mixed == {}, error()
        merged = {part.split("_")[0] for part in read if part in merges}
        assert merged == {"0", "1", "2"}, error()

    with And("has the rows of its own partition and no others"):
        mixed_rows = {
            part: of_part
            for part, of_part in read.items()
            if {str(row[0]) for row in of_part} != {part.split("_")[0]}
        }
        assert mixed_rows == {}, error()

    with And("all rows are there"):
        assert sorted_rows(read) == sorted(rows), error()


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
        names = {}
        for p in range(PARTITIONS):
            sources = [part for part in first.values() if part.partition_id == str(p)]
            assert len(sources) == 3, error()
            blocks = [part.min_block for part in sources]
            names[f"{p}_{min(blocks)}_{max(blocks)}"] = p, {part.name for part in sources}
        expected = {
            f"{name}_2": [row for row in rows if row[0] == p] for name, (p, _) in names.items()
        }
        assert rows_by_part(table) == expected, error()

    with And("the sources of each are exactly the parts that the partition had"):
        made_of = {
            part: {source.name for source in sources} for part, sources in merges_of(table).items()
        }
        assert made_of == {
            **{f"{name}_1": sources for name, (_, sources) in names.items()},
            **{f"{name}_2": {f"{name}_1"} for name in names},
        }, error()


def drawn_rows(dice: Random, part: int) -> list[tuple[int, int, str]]:
    return [(dice.randrange(3), dice.randrange(40), f"{part % 3}") for _ in range(60)]


def wrong_merge(algorithm: str) -> list[str]:
    """What is wrong with a part that was merged by this algorithm."""
    parts = [drawn_rows(this().random, part) for part in range(5)]
    rows = [row for part in parts for row in part]
    assert len(set(rows)) < len(rows), "it proves nothing: no two rows are equal"
    table = table_of_parts(
        "merged", parts, partition_by="", order_by="(i, p)", settings=ALGORITHMS[algorithm]
    )
    merge(table)
    ((name, read),) = rows_by_part(table).items()
    merges = part_events(table, "MergeParts", "merge_algorithm")
    assert merges == {name: (algorithm,)}, (
        f"it was not merged by the algorithm {algorithm}: {merges}"
    )
    wrong = [] if sorted(read) == sorted(rows) else [f"{name} has other rows than its sources"]
    places = [(i, p) for p, i, _ in read]
    return wrong if places == sorted(places) else [*wrong, f"{name} is not in order"]


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_SameRows("1.0"))
def merged_part_has_all_rows_in_order(self):
    """By either algorithm the merged part has every row, equal ones as often as before, in order."""
    with When("parts with equal and different rows are merged, by every algorithm"):
        violations = [wrong for algorithm in ALGORITHMS for wrong in wrong_merge(algorithm)]

    with Then("nothing is lost, nothing is doubled, all is in order"):
        assert violations == [], error()
