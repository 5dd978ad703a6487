"""Superseded parts at a start of the server: they stay inactive, unless their successor is broken."""

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.node import Node
from helpers.cluster.session import Row
from helpers.context import this
from helpers.marks import needs
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery,
    RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart,
)
from steps.part_files import damage, table_folder
from steps.part_life import (
    KEPT,
    PartRecord,
    active_parts,
    detached_parts,
    inactive_parts,
    merge,
    mutate,
)
from steps.tables import NO_MERGES, Table, contents, create_table, insert

# A second end comes before the server has had time to tidy up what the first one left.
ENDINGS = {
    "shut down": (Node.stop,),
    "killed": (Node.kill,),
    "shut down twice": (Node.stop, Node.stop),
    "killed twice": (Node.kill, Node.kill),
}
SUPERSEDE: Mapping[str, Callable[[Table], None]] = {
    "a merge": merge,
    "a mutation": lambda table: mutate(table, "UPDATE owner = 'new' WHERE 1"),
}
KINDS = {"Compact": 1_000_000, "Wide": 0}
# Files of a successor and what is done to them, so that the server finds the part broken.
BREAKS = (
    ("count.txt", "removed"),
    ("columns.txt", "garbled"),
    ("checksums.txt", "garbled"),
    ("*.bin", "truncated"),
    ("*.bin", "removed"),
)
SOUND = 0


@dataclass(frozen=True)
class State:
    """The parts and rows of a table."""

    active: dict[str, PartRecord]
    inactive: dict[str, PartRecord]
    rows: list[Row]


def state(table: Table) -> State:
    return State(active_parts(table), inactive_parts(table), contents(table))


def two_parts(partitions: Sequence[int] = (1,), **settings: int) -> Table:
    """Two parts in each partition, which are kept when they are superseded."""
    table = create_table("restarted", settings={**NO_MERGES, **KEPT, **settings})
    for start in (0, 10):
        insert(table, [(p, start + one, "old") for p in partitions for one in range(10)])
    return table


def changes_since(before: State, table: Table) -> list[str]:
    """What a restart has made otherwise."""
    found = []
    # Superseded parts are loaded when the table answers already: look before and after that.
    for _ in range(2):
        if active_parts(table) != before.active:
            found.append(f"active are {sorted(active_parts(table))}")
        if contents(table) != before.rows:
            found.append(f"{len(contents(table))} rows, or others")
        this().eventually(lambda: sorted(inactive_parts(table)), equals=sorted(before.inactive))
    return found


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Inactive_Restart("1.0"))
@needs(Capability.PROCESS_CONTROL)
def superseded_parts_stay_inactive(self):
    """However the server ends, at its start what was superseded is not active again."""
    with Given("tables with a merge, a mutation, and both behind them"):
        tables = [two_parts() for _ in range(3)]
        for table, happened in zip(tables, ("a merge", "a mutation", "both"), strict=True):
            for what, happen in SUPERSEDE.items():
                if happened in (what, "both"):
                    happen(table)
        before = [state(table) for table in tables]
        assert [len(one.inactive) for one in before] == [2, 2, 3], error()

    violations, node = [], this().node()
    for name, endings in ENDINGS.items():
        with When(f"the server is {name}"):
            for end in endings:
                end(node)
                node.start()
            for table, was in zip(tables, before, strict=True):
                violations += [f"{name}: {change}" for change in changes_since(was, table)]

    with Then("the same parts are active as before, and the rows are the same"):
        assert violations == [], error()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery("1.0"))
@needs(Capability.PROCESS_CONTROL)
def sources_take_the_place_of_a_broken_successor(self):
    """Where the successor is broken at a start, the parts it was made of are active, with their rows."""
    with Given("tables whose parts were merged or mutated, with a partition for each damage"):
        tables, sources, successors = [], [], []
        for (kind, wide_from), happen in itertools.product(KINDS.items(), SUPERSEDE.values()):
            formats = {"min_bytes_for_wide_part": 0, "min_rows_for_wide_part": wide_from}
            table = two_parts(range(len(BREAKS) + 1), **formats)
            tables.append(table)
            sources.append(state(table))
            happen(table)
            successors.append(state(table))
            assert successors[-1].inactive.keys() == sources[-1].active.keys(), error()
            assert {part.kind for part in successors[-1].active.values()} == {kind}, error()

    with When("the successors are broken while the server is down, all but those of one partition"):
        node, folders = this().node(), [table_folder(table) for table in tables]
        node.stop()
        for one in successors:
            for part in one.active.values():
                if int(part.partition_id) != SOUND:
                    pattern, how = BREAKS[int(part.partition_id) - 1]
                    damage(sorted(part.folder.glob(pattern))[0], how)
        # A mutation that the server remembers would be run again, on the sources.
        for file in itertools.chain.from_iterable(one.glob("mutation_*") for one in folders):
            file.unlink()
        node.start()

    sound = f"{SOUND}_"
    with Then("the sources are active again, and the sound successors still are"):
        for table, old, new in zip(tables, sources, successors, strict=True):
            expected = [name for name in old.active if not name.startswith(sound)]
            expected += [name for name in new.active if name.startswith(sound)]
            assert sorted(active_parts(table)) == sorted(expected), error()

    with And("the table has the rows of the sources"):
        for table, old, new in zip(tables, sources, successors, strict=True):
            rows = [row for row in old.rows if row[0] != SOUND]
            rows += [row for row in new.rows if row[0] == SOUND]
            assert contents(table) == sorted(rows), error()

    with And("the broken successors are set aside"):
        for table, new in zip(tables, successors, strict=True):
            broken = [
                f"broken-on-start_{name}" for name in new.active if not name.startswith(sound)
            ]
            assert detached_parts(table) == dict.fromkeys(broken, "broken-on-start"), error()
