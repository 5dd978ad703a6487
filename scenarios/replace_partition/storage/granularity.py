"""Tables of fixed and of adaptive index granularity."""

import itertools
from pathlib import Path

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.violations import assert_no_violations
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
    """A table with parts of this granularity, told by how their marks are named, and its rows."""
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


def may_replace(source: str, destination: str, mixed: int) -> bool:
    return source == destination or (destination == ADAPTIVE and bool(mixed))


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Granularity("1.0"))
def fixed_and_adaptive(self):
    """Parts of the other granularity are taken where the destination can have them, and refused
    where it cannot."""
    violations = {}
    for mixed, ours, theirs in itertools.product((1, 0), (FIXED, ADAPTIVE), (FIXED, ADAPTIVE)):
        cell = f"{ours} to {theirs}, mixed parts {'allowed' if mixed else 'forbidden'}"
        with Given(f"two tables: {cell}"):
            source, new = table_of("source", ours, mixed)
            destination, old = table_of("other", theirs, mixed)
            before, kept = state(destination), state(source)
            assert (before.rows, kept.rows) == (old, new), error()
            others = [row for row in before.rows if row[0] == 2]

        with When("I replace a partition"):
            outcome = attempt(destination.node, replacing(destination, source, 1))
            accepted = may_replace(ours, theirs, mixed)
            if outcome.accepted != accepted:
                violations[cell] = str(outcome)

        with Then("the source is what it was"):
            assert state(source) == kept, error()

        if not accepted:
            with And("it is refused for that reason, and the destination is what it was"):
                assert outcome.code == BAD_ARGUMENTS and REFUSAL in outcome.message, error()
                assert state(destination) == before, error()
            continue

        with And("the destination has the parts of the source, and what it had elsewhere"):
            assert contents(destination) == contents(source, partition=1) + others, error()
            assert part_hashes(destination, partition=1) == part_hashes(source, partition=1)
            assert sorted(granularities(destination)) == sorted([ours, theirs]), error()

        with And("the same rows when a merge has written them anew"):
            rewrite(destination)
            assert contents(destination) == contents(source, partition=1) + others, error()

    with Then("what can be taken is accepted, and nothing else"):
        assert_no_violations(violations)
