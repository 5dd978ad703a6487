"""Parts that the server finds broken at its start are set aside; the others are served."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.marks import needs
from requirements.srs102_table_parts import RQ_SRS_102_ClickHouse_TableParts_Detached_Broken
from steps.corruption import CELLS, WIDE, Cell, damage_partitions
from steps.part_files import detached_folder
from steps.part_kinds import ANY_BYTES, Kind, fill_with_kind
from steps.part_life import active_parts, detached_parts
from steps.tables import NO_MERGES, by_partition, create_table

REASON = "broken-on-start"
KINDS = (Kind.COMPACT, Kind.WIDE)
SOUND = {Kind.COMPACT: 1000, Kind.WIDE: 1001}
CONTENT_ONLY = ("changed", "garbled")


def is_noticed(cell: Cell) -> bool:
    """A start reads the lists of a part and the sizes of its files, and no more.

    Wrong bytes in files of the right size wait for a reader; a list that is missing, or in a wide part
    has no columns in it, can be made anew from the rest.
    """
    if cell.file in ("data", "index") or (cell.file == "marks" and cell.part_type == WIDE):
        return cell.damage not in CONTENT_ONLY
    if cell.file == "columns" and cell.part_type == WIDE:
        return cell.damage not in ("emptied", "removed")
    return (cell.file, cell.damage) not in (("checksums", "removed"), ("count", "changed"))


BROKEN = [cell for cell in CELLS if cell.kind in KINDS and is_noticed(cell)]


@TestScenario
@Requirements(RQ_SRS_102_ClickHouse_TableParts_Detached_Broken("1.0"))
@needs(Capability.PROCESS_CONTROL)
def broken_parts_are_detached(self):
    """Each damage that a start notices sets the part aside with its reason, and no other part."""
    with Given("a table with a partition for each damage, and sound ones"):
        table = create_table("broken", settings={**NO_MERGES, **ANY_BYTES})
        for kind in KINDS:
            numbers = [number for number, cell in enumerate(BROKEN, 1) if cell.kind is kind]
            fill_with_kind(table, kind, [*numbers, SOUND[kind]])
        rows, parts = by_partition(table), active_parts(table)
        names = {int(part.partition_id): part.name for part in parts.values()}
        assert len(names) == len(parts) == len(BROKEN) + len(SOUND), error()

    with When("the parts are damaged and the server starts again"):
        damage_partitions(table, BROKEN)
        table.node.restart()

    with Then("each damaged part is detached, for the reason that it was broken"):
        found = detached_parts(table)
        missed = [
            str(cell)
            for number, cell in enumerate(BROKEN, 1)
            if found.get(f"{REASON}_{names[number]}") != REASON
        ]
        assert missed == [] and len(found) == len(BROKEN), error()

    with And("its folder is kept among the detached ones"):
        assert {entry.name for entry in detached_folder(table).iterdir()} == found.keys(), error()

    with And("the others are served, with all their rows"):
        assert sorted(active_parts(table)) == sorted(names[one] for one in SOUND.values()), error()
        assert by_partition(table) == {number: rows[number] for number in SOUND.values()}, error()
