"""Background merges stay below the size that max_bytes_to_merge_at_max_space_in_pool allows."""

from collections.abc import Mapping

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Merge_SizeLimit
from steps.table_parts.compressed_files import listed_files
from steps.table_parts.part_events import part_events
from steps.table_parts.part_life import (
    KEPT,
    PartRecord,
    active_parts,
    in_background,
    merge,
    merges_of,
    tidy_node,
)
from steps.tables import NO_MERGES, Table, create_table

NEEDS = (Capability.PYARROW,)

PARTS = 16
# By default the background waits for more parts of a size than the limit allows together.
EAGER = {"merge_selector_base": 2}
# So many parts of a size there will not be: nothing is merged for its size.
PATIENT = {"merge_selector_base": 1000}
LIMIT = 20_000
# Random bytes, which cannot be compressed: a part is a little larger than this.
RANDOM = "randomString(4000)"
# More than the limit in each part, of which little is left on disk.
DENSE = f"repeat('a', {2 * LIMIT})"
INSERT = "INSERT INTO {table} SELECT {part}, {bytes}"
SETTING = "max_bytes_to_merge_at_max_space_in_pool"
WITH_LIMIT, WITHOUT_LIMIT = f"MODIFY SETTING {SETTING} = {LIMIT}", f"RESET SETTING {SETTING}"
# How many parts the limit would let merge with the one before.
MERGEABLE = (
    f"SELECT countIf(bytes + before <= {LIMIT}) FROM (SELECT bytes_on_disk AS bytes, "
    f"lagInFrame(bytes_on_disk, 1, toUInt64({LIMIT})) OVER (ORDER BY min_block_number) AS before "
    "{parts})"
)
# What the background would merge as soon as it may: parts older than a second.
BY_AGE = {"min_age_to_force_merge_seconds": 1}


def filled(limit: str, settings: Mapping[str, int], content: str = RANDOM) -> Table:
    """All parts are there before the first merge; then there is this limit, or none."""
    table = create_table(
        "sized",
        node=tidy_node(),
        columns="i UInt64, bytes String",
        partition_by="",
        settings={**KEPT, **NO_MERGES, **settings},
    )
    for part in range(PARTS):
        table.node.query(INSERT.format(table=table, part=part, bytes=content))
    assert len(active_parts(table)) == PARTS, "merged too early"
    table.node.query(f"ALTER TABLE {table} {limit}")
    return table


def merged_sizes(table: Table) -> dict[str, int]:
    """The bytes that went into each merge, on disk, by the part that it has made."""
    made = merges_of(table)
    sources = {name: (sorted(part.name for part in parts),) for name, parts in made.items()}
    assert sources == part_events(table, "MergeParts", "arraySort(merged_from)"), error()
    return {name: sum(map(bytes_on_disk, parts)) for name, parts in made.items()}


def bytes_on_disk(part: PartRecord) -> int:
    return sum(listed_files(part.folder / "checksums.txt").values())


def asked(table: Table, what: str) -> int:
    """A number about the active parts of the table."""
    parts = (
        f"FROM system.parts WHERE active AND database = '{table.database}' "
        f"AND table = '{table.name}'"
    )
    return int(table.node.value(what.format(parts=parts)))


def wait_for(table: Table, what: str, equals: int) -> None:
    """Wait until this is so for the active parts of the table."""
    in_background(lambda: asked(table, what), equals=equals)


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Merge_SizeLimit("1.1"))
def background_keeps_to_the_limit(self):
    """Parts are merged until more would be larger than the limit; without one they are merged on."""
    with Given("equal tables that are merged for their sizes, with the limit and without"):
        limited, free = filled(WITH_LIMIT, EAGER), filled(WITHOUT_LIMIT, EAGER)

    with And("one whose parts are above the limit until they are compressed"):
        dense = filled(WITH_LIMIT, EAGER, DENSE)
        uncompressed = "SELECT min(data_uncompressed_bytes) {parts}"
        assert asked(dense, uncompressed) > LIMIT, error()

    with And("others that are not, without merges forced by age and with them"):
        # In this order: the table that waits has had more time.
        waiting, forced = filled(WITH_LIMIT, PATIENT), filled(WITH_LIMIT, {**PATIENT, **BY_AGE})

    with When("the background has merged what it likes"):
        wait_for(free, f"SELECT max(bytes_on_disk) > {LIMIT} {{parts}}", equals=1)
        for table in (limited, dense):
            wait_for(table, "SELECT max(level) > 0 {parts}", equals=1)
        # Two parts that fit together would be old enough now: nothing is left to do.
        wait_for(forced, MERGEABLE, equals=0)

    with Then("age alone was the reason for those merges: without it there were none"):
        assert len(active_parts(waiting)) == PARTS, error()

    with And("I merge what the limit has left, which OPTIMIZE FINAL is allowed to"):
        for table in (limited, forced):
            merge(table)

    with Then("no merge but that one took more than the limit allows"):
        for table in (limited, forced):
            (last,) = active_parts(table)
            sizes = merged_sizes(table)
            assert [name for name, size in sizes.items() if size > LIMIT] == [last], error()
            assert len(sizes) > 1, error()

    with And("it is the compressed size that counts"):
        assert max(merged_sizes(dense).values()) <= LIMIT, error()

    with And("all rows are there"):
        for table in (limited, forced, free, waiting, dense):
            numbers = table.node.column(f"SELECT i FROM {table} ORDER BY i")
            assert numbers == [*range(PARTS)], error()
