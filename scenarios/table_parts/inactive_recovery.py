"""Superseded parts are what is left if their successor is broken: they take its place at a start."""

import itertools

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.context import this
from helpers.marks import needs
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery
from steps.damage import damage
from steps.part_files import table_folder
from steps.part_life import FORMATS, SUPERSEDE, active_parts, detached_parts
from steps.superseded import state, two_parts
from steps.tables import contents

# Files of a successor and what is done to them, so that the server finds the part broken.
BREAKS = (
    ("count.txt", "removed"),
    ("columns.txt", "garbled"),
    ("checksums.txt", "garbled"),
    ("*.bin", "truncated"),
    ("*.bin", "removed"),
)
SOUND = 0


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery("1.0"))
@needs(Capability.PROCESS_CONTROL)
def sources_take_the_place_of_a_broken_successor(self):
    """Where the successor is broken at a start, the parts it was made of are active, with their rows."""
    with Given("tables whose parts were merged or mutated, with a partition for each damage"):
        tables, sources, successors = [], [], []
        for (kind, formats), happen in itertools.product(FORMATS.items(), SUPERSEDE.values()):
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
