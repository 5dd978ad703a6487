"""Tables of fixed and of adaptive index granularity."""

from pathlib import Path

from testflows.asserts import error
from testflows.core import (
    And,
    Examples,
    Given,
    Requirements,
    Scenario,
    TestOutline,
    Then,
    When,
)

from helpers.cluster.client.session import Row
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Granularity,
)
from steps.partitions import replacing
from steps.parts import part_hashes, rewrite
from steps.refusals import attempt, state
from steps.replace_partition.conditions import BAD_ARGUMENTS
from steps.tables import NO_MERGES, Table, contents, create_table, fill

FIXED, ADAPTIVE = "fixed", "adaptive"
BYTES = {FIXED: 0, ADAPTIVE: 10 * 1024 * 1024}
# By the suffix of a file of marks.
SUFFIXES = {".cmrk": FIXED, ".cmrk2": ADAPTIVE}
WIDE = {"min_bytes_for_wide_part": 0, "min_rows_for_wide_part": 0}
REFUSAL = "has inconsistent granularity with table"


def table_of(name: str, granularity: str, mixed: int) -> tuple[Table, list[Row]]:
    """A table with parts of this granularity, as the names of their marks show, and its rows."""
    table = create_table(
        name,
        settings={
            **NO_MERGES,
            **WIDE,
            "index_granularity": 4,
            "index_granularity_bytes": BYTES[granularity],
            "enable_mixed_granularity_parts": mixed,
        },
    )
    rows = fill(table, [1, 2])
    assert granularities(table) == [granularity] * 2, f"{table} has {granularities(table)}"
    marks = table.node.column(
        "SELECT marks FROM system.parts WHERE active "
        f"AND database = '{table.database}' AND table = '{table.name}'"
    )
    assert len(marks) == 2 and min(marks) > 2, f"{table} has granules of too many rows: {marks}"
    return table, rows


def granularities(table: Table) -> list[str]:
    """The granularity of each active part, by name: files of marks have another suffix for each."""
    listed = table.node.query(
        "SELECT name, path FROM system.parts WHERE active AND rows > 0 "
        f"AND database = '{table.database}' AND table = '{table.name}' ORDER BY name"
    )
    found = []
    for part, path in listed:
        assert path.endswith(f"/{part}/"), f"the part {part} of {table} lies in {path}"
        (suffix,) = {file.suffix for file in Path(path).glob("i.*mrk*")}
        found.append(SUFFIXES[suffix])
    return found


@TestOutline(Scenario)
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Granularity("1.0"))
@Examples(
    "what ours theirs mixed accepted",
    [
        ("fixed to fixed", FIXED, FIXED, 1, True),
        ("fixed to adaptive", FIXED, ADAPTIVE, 1, True),
        ("adaptive to fixed", ADAPTIVE, FIXED, 1, False),
        ("adaptive to adaptive", ADAPTIVE, ADAPTIVE, 1, True),
        ("fixed to fixed unmixed", FIXED, FIXED, 0, True),
        ("fixed to adaptive unmixed", FIXED, ADAPTIVE, 0, False),
        ("adaptive to fixed unmixed", ADAPTIVE, FIXED, 0, False),
        ("adaptive to adaptive unmixed", ADAPTIVE, ADAPTIVE, 0, True),
    ],
)
def fixed_and_adaptive(self, what, ours, theirs, mixed, accepted):
    """Parts of the other granularity are taken where the destination can have them, and refused where not."""
    with Given(f"two tables, {what}"):
        source, new = table_of("source", ours, mixed)
        destination, old = table_of("other", theirs, mixed)
        before, kept = state(destination), state(source)
        assert (before.rows, kept.rows) == (old, new), error()
        others = [row for row in before.rows if row[0] == 2]

    with When("I replace a partition"):
        outcome = attempt(destination.node, replacing(destination, source, 1))

    with Then("the source is what it was"):
        assert state(source) == kept, error()

    if not accepted:
        with And("it is refused for that reason, and the destination is what it was"):
            assert outcome.code == BAD_ARGUMENTS and REFUSAL in outcome.message, error()
            assert state(destination) == before, error()
        return

    with And("the destination has the parts of the source, and what it had in the other partition"):
        assert outcome.accepted, error(str(outcome))
        assert contents(destination) == contents(source, partition=1) + others, error()
        assert part_hashes(destination, partition=1) == part_hashes(source, partition=1), error()
        assert sorted(granularities(destination)) == sorted([ours, theirs]), error()

    with And("the same rows when a merge has written them anew"):
        rewrite(destination)
        assert contents(destination) == contents(source, partition=1) + others, error()
