"""Superseded parts are what is left if their successor is broken: they take its place at a start."""

import itertools
from dataclasses import dataclass
from pathlib import Path

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.interception import action
from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import needs
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery
from steps.damage import damage
from steps.restarts import shut_down
from steps.table_parts.part_files import table_folder
from steps.table_parts.part_life import (
    FORMATS,
    SUPERSEDING,
    PartRecord,
    active_parts,
    detached_parts,
    inactive_parts,
    supersede,
)
from steps.table_parts.superseded_parts import two_parts, two_parts_rows
from steps.tables import Table, contents

# Files of a successor and what is done to them, so that the server finds the part broken.
BREAKS = (
    ("count.txt", "removed"),
    ("columns.txt", "garbled"),
    ("checksums.txt", "garbled"),
    ("*.bin", "truncated"),
    ("*.bin", "removed"),
)
SOUND, BROKEN = 0, range(1, len(BREAKS) + 1)


@dataclass(frozen=True)
class Superseded:
    """A table before and after its parts were superseded."""

    table: Table
    how: str
    sources: dict[str, PartRecord]
    successors: dict[str, PartRecord]

    @property
    def rows(self) -> list[Row]:
        """The rows of the sources, but in the sound partition those of the successors."""
        sound = two_parts_rows([SOUND], "b" if self.how == "a mutation" else "old")
        return [*sound, *two_parts_rows(BROKEN)]

    @property
    def broken(self) -> dict[str, PartRecord]:
        """The successors of all partitions but the sound one."""
        return {
            name: part for name, part in self.successors.items() if part.partition_id != str(SOUND)
        }

    @property
    def expected(self) -> list[str]:
        """The sources of all partitions but the sound one, and its successors."""
        names = [name for name, part in self.sources.items() if part.partition_id != str(SOUND)]
        return sorted([*names, *(self.successors.keys() - self.broken.keys())])


def superseded(kind: str, how: str) -> Superseded:
    """A table with superseded parts of this format, in a partition for each damage and a sound one."""
    table = two_parts([SOUND, *BROKEN], **FORMATS[kind])
    sources = active_parts(table)
    successors = supersede(table, how)
    assert inactive_parts(table).keys() == sources.keys(), error()
    assert {part.kind for part in successors.values()} == {kind}, error()
    return Superseded(table, how, sources, successors)


def break_successors(item: Superseded) -> None:
    done = set()
    for part in item.broken.values():
        pattern, how = BREAKS[int(part.partition_id) - 1]
        damage(min(part.folder.glob(pattern)), how)
        done.add((pattern, how))
    assert done == {*BREAKS}, error()


@action
def forget_mutations(folder: Path) -> None:
    """A mutation that the server remembers would be run again, on the sources."""
    for file in folder.glob("mutation_*"):
        file.unlink()


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Inactive_Recovery("1.0"))
@needs(Capability.PROCESS_CONTROL)
def sources_take_the_place_of_a_broken_successor(self):
    """Where the successor is broken at a start, the parts it was made of are active, with their rows."""
    with Given("tables whose parts were merged or mutated, with a partition for each damage"):
        items = [superseded(kind, how) for kind, how in itertools.product(FORMATS, SUPERSEDING)]
        folders = [table_folder(item.table) for item in items]

    with When("the successors are broken while the server is down, all but those of one partition"):
        node = this().node()
        shut_down(node)
        for item, folder in zip(items, folders, strict=True):
            break_successors(item)
            if item.how == "a mutation":
                forget_mutations(folder)
        node.start()

    with Then("the sources are active again, and the sound successors still are"):
        for item in items:
            assert sorted(active_parts(item.table)) == item.expected, error()

    with And("the table has the rows of the sources"):
        for item in items:
            assert contents(item.table) == item.rows, error()

    with And("the broken successors are set aside"):
        for item in items:
            expected_names = {f"broken-on-start_{name}": "broken-on-start" for name in item.broken}
            assert detached_parts(item.table) == expected_names, error()
