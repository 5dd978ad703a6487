"""Background merges stay below the size that max_bytes_to_merge_at_max_space_in_pool allows."""

import itertools

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Merge_SizeLimit
from steps.part_life import KEPT, active_parts, in_background, merge, merges_of, tidy_node
from steps.tables import Table, contents, create_table

PARTS = 16
# By default the background waits for more parts of a size than the limit allows together.
EAGER = {**KEPT, "merge_selector_base": 2}
# Random bytes, which cannot be compressed: a part is a little larger than this.
PART_BYTES = 4_000
LIMIT = 20_000
INSERT = "INSERT INTO {table} SELECT {part}, randomString({bytes})"
# What the background would merge as soon as it may: parts older than a second.
BY_AGE = {
    "min_age_to_force_merge_seconds": 1,
    "enable_max_bytes_limit_for_min_age_to_force_merge": 1,
}


def fill(table: Table) -> None:
    """All parts are there before the first merge."""
    table.node.query(f"SYSTEM STOP MERGES {table}")
    for part in range(PARTS):
        table.node.query(INSERT.format(table=table, part=part, bytes=PART_BYTES))
    assert len(active_parts(table)) == PARTS, "merged too early"
    table.node.query(f"SYSTEM START MERGES {table}")


def merged_sizes(table: Table) -> list[int]:
    """The bytes that went into each merge."""
    return [sum(part.bytes for part in sources) for sources in merges_of(table).values()]


def mergeable(table: Table) -> list[str]:
    """Neighbours among the active parts that the limit would let merge."""
    parts = sorted(active_parts(table).values(), key=lambda part: part.min_block)
    return [
        f"{one.name} and {other.name}"
        for one, other in itertools.pairwise(parts)
        if one.bytes + other.bytes <= LIMIT
    ]


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_SizeLimit("1.0"))
def background_keeps_to_the_limit(self):
    """Parts are merged until more would be larger than the limit; without one they are merged on."""
    with Given(
        "equal tables: with the limit, with the limit and merges forced by age, and without"
    ):
        node, columns = tidy_node(), "i UInt64, bytes String"
        limit = {"max_bytes_to_merge_at_max_space_in_pool": LIMIT}
        limited, forced, free = (
            create_table("sized", node=node, columns=columns, partition_by="", settings=settings)
            for settings in ({**EAGER, **limit}, {**EAGER, **limit, **BY_AGE}, EAGER)
        )
        tables = (limited, forced, free)

    with When("the background has merged what it likes"):
        for table in tables:
            fill(table)
        in_background(lambda: max(merged_sizes(free), default=0) > LIMIT)
        in_background(lambda: merged_sizes(limited))
        # Two parts that fit together would be old enough now: nothing is left to do.
        in_background(lambda: not mergeable(forced))

    with Then("no merge took more than the limit allows"):
        too_large = [
            size for table in (limited, forced) for size in merged_sizes(table) if size > LIMIT
        ]
        assert too_large == [], error()

    with And("OPTIMIZE FINAL is not bound by it"):
        for table in (limited, forced):
            merge(table)
            assert len(active_parts(table)) == 1 and max(merged_sizes(table)) > LIMIT, error()

    with And("all rows are there"):
        assert [row[0] for row in contents(limited)] == [*range(PARTS)], error()
