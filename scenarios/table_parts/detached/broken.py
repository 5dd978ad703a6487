"""Parts that the server finds broken at its start are set aside; the others are served."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import leaves_out, needs
from helpers.scenario.obligations import covers
from requirements.srs102_table_parts import (
    RQ_SRS_102_ClickHouse_TableParts_Detached_Broken,
    RQ_SRS_102_ClickHouse_TableParts_Detached_Reasons,
)
from steps.damage import DAMAGES, content_of, damage
from steps.restarts import restart
from steps.table_parts.part_files import changes, detached_folder, files_of
from steps.table_parts.part_life import FORMATS, PartRecord, active_parts, detached_parts
from steps.tables import NO_MERGES, Table, contents, create_table, insert

REASON = "broken-on-start"
SOUND = 1000
ROWS = 10
LISTS = ("checksums.txt", "columns.txt", "count.txt")
# A start reads the lists of a part and the sizes of its files, and no more. Wrong bytes in files of the
# right size wait for a reader; a list that is missing, or in a wide part has no columns in it, can be
# made anew from the rest.
FILES = {  # 2 variants
    "Compact": ("data.bin", "data.cmrk4", "primary.cidx", *LISTS),
    "Wide": ("i.bin", "i.cmrk2", "p.cmrk2", "primary.cidx", *LISTS),
}
UNNOTICED = {
    "Compact": {
        **dict.fromkeys(("data.bin", "primary.cidx"), ("changed", "garbled")),
        "checksums.txt": ("removed",),
        "count.txt": ("changed",),
    },
    "Wide": {
        **dict.fromkeys(("i.bin", "i.cmrk2", "primary.cidx"), ("changed", "garbled")),
        "checksums.txt": ("removed",),
        "columns.txt": ("emptied", "removed"),
        "count.txt": ("changed",),
    },
}
CELLS = {
    kind: [
        (file, how) for file in files for how in DAMAGES if how not in UNNOTICED[kind].get(file, ())
    ]
    for kind, files in FILES.items()
}


def rows_of(partition: int) -> list[tuple[int, int, str]]:
    return [(partition, number, f"row {number} of {partition}") for number in range(ROWS)]


def table_of_parts(kind: str) -> Table:
    """A table of this format with a part for each damage and a sound one, each in its partition."""
    table = create_table("broken", settings={**NO_MERGES, **FORMATS[kind]})
    partitions = [*range(1, len(CELLS[kind]) + 1), SOUND]
    insert(table, [row for partition in partitions for row in rows_of(partition)])
    parts = active_parts(table)
    assert {part.kind for part in parts.values()} == {kind}, f"the parts are not {kind}"
    assert sorted(int(part.partition_id) for part in parts.values()) == partitions, error()
    return table


def damage_parts(parts: dict[int, PartRecord], kind: str) -> None:
    """Do to each part what its cell says."""
    for number, (file, how) in enumerate(CELLS[kind], 1):
        folder = parts[number].folder
        before, sound = files_of(folder), (folder / file).read_bytes()
        damage(folder / file, how)
        assert changes(before, files_of(folder)) == [file], error()
        assert content_of(folder / file) == DAMAGES[how](sound), error()


@TestScenario
@Requirements(
    RQ_SRS_102_ClickHouse_TableParts_Detached_Broken("1.0"),
    RQ_SRS_102_ClickHouse_TableParts_Detached_Reasons("1.0"),
)
@needs(Capability.PROCESS_CONTROL)
@leaves_out(
    "`broken` |",
    "`covered-by-broken` |",
    "`unexpected`, `ignored`",
    "`noquorum`",
    "`clone`",
    "`merge-not-byte-identical`",
    reason="a server detaches for this reason where tables are replicated; no scenario provokes it",
)
def broken_parts_are_detached(self):
    """Each damage that a start notices sets the part aside with its reason, and no other part."""
    with Given("tables with a part for each damage, and a sound one"):
        assert {kind: len(cells) for kind, cells in CELLS.items()} == {"Compact": 24, "Wide": 25}
        tables = {kind: table_of_parts(kind) for kind in FORMATS}
        parts = {
            kind: {int(part.partition_id): part for part in active_parts(table).values()}
            for kind, table in tables.items()
        }

    with When("the parts are damaged and the server starts again"):
        for kind in tables:
            damage_parts(parts[kind], kind)
        restart(tables["Wide"].node)

    with Then(
        "each damaged part is detached, for the reason that it was broken, and no other part"
    ):
        covers("`broken-on-start` |")
        detached = {kind: detached_parts(table) for kind, table in tables.items()}
        for kind, cells in CELLS.items():
            names = [parts[kind][number].name for number in range(1, len(cells) + 1)]
            assert detached[kind] == {f"{REASON}_{name}": REASON for name in names}, error()

    with And("its folder is kept among the detached ones"):
        for kind, table in tables.items():
            folders = {entry.name for entry in detached_folder(table).iterdir()}
            assert folders == detached[kind].keys(), error()

    with And("the others are served, with all their rows"):
        for kind, table in tables.items():
            assert list(active_parts(table)) == [parts[kind][SOUND].name], error()
            assert contents(table) == rows_of(SOUND), error()
