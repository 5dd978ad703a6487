"""Detached parts and sources that are damaged: refused as a whole, with nothing changed."""

import itertools
from collections.abc import Mapping, Sequence

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs103_attach_and_move import (
    RQ_SRS_103_ClickHouse_AttachAndMove_AllOrNothing,
    RQ_SRS_103_ClickHouse_AttachAndMove_DamagedSource,
    RQ_SRS_103_ClickHouse_AttachAndMove_Integrity,
)
from steps.damage import damage
from steps.partitions import attaching, replacing
from steps.refusals import attempt_over_http
from steps.replace_partition.damaged_partitions import (
    READS_RIGHT,
    Cell,
    chosen,
    damage_partitions,
    reading,
    sound_table,
    written,
)
from steps.replace_partition.part_kinds import PartKind
from steps.table_parts.part_files import FileState, detached_folder, files_of, lost_files
from steps.table_parts.part_life import FORMATS, active_parts, filled_parts
from steps.tables import NO_MERGES, Table, by_partition, create_table, divided, insert

DEVIATIONS = "damaged-parts"  # the beginning of their ids
PARTS = 3
_EVERYWHERE = ("checksums.txt", "columns.txt", "count.txt", "partition.dat", "primary.cidx")
FILES = {  # 2 variants
    "Compact": ("data.bin", "data.cmrk4", *_EVERYWHERE),
    "Wide": ("i.bin", "i.cmrk2", "owner.bin", "p.cmrk2", *_EVERYWHERE),
}
KINDS = ("changed", "truncated", "emptied", "removed")  # 4 variants
PLACES = {  # 2 variants
    kind: list(itertools.product(files, KINDS)) for kind, files in FILES.items()
}
# Without a list of checksums, or of the columns of a wide part, the server makes it anew.
REPAIRED = {"Compact": [("checksums.txt", "removed")]}
REPAIRED["Wide"] = [*REPAIRED["Compact"], ("columns.txt", "removed"), ("columns.txt", "emptied")]


# What is attached with wrong bytes in it, and how it reads then.
UNREAD = {  # 2 variants
    "Compact": ("data.bin", "primary.cidx"),
    "Wide": ("i.bin", "i.cmrk2", "owner.bin", "primary.cidx"),
}
NOTHING_IS_READ = "read in full fails, by partition fails, by keys fails"
SOME = "some of the rows"
FEWER_ROWS = (
    f"read in full finds {SOME}, by partition finds {SOME}, by keys finds {SOME}, "
    "counted finds something else"
)


def damaged_places(kind: str) -> tuple[Table, dict[int, list[Row]]]:
    """A table with a partition for each damage whose three parts are detached, the middle one damaged,
    and one more partition that is sound; and the rows of each partition."""
    table = create_table("shelf", settings={**NO_MERGES, **FORMATS[kind]})
    numbers = range(1, len(PLACES[kind]) + 2)
    rows = []
    for part in range(PARTS):
        rows += (new := [(p, PARTS * p + part, f"row {part} of {p} " * 3) for p in numbers])
        insert(table, new)
    rows_by_partition = divided(sorted(rows))
    assert by_partition(table) == rows_by_partition, error()
    parts = list(active_parts(table).values())
    assert {part.kind for part in parts} == {kind}, error()
    table.node.query(f"ALTER TABLE {table} DETACH PARTITION ALL")
    for number, (file, how) in enumerate(PLACES[kind], 1):
        _, middle, _ = sorted(part.name for part in parts if part.partition_id == str(number))
        damage(detached_folder(table) / middle / file, how)
    return table, rows_by_partition


def files_of_partition(table: Table, partition: int) -> dict[str, dict[str, FileState]]:
    """The files of the detached parts of this partition."""
    folders = detached_folder(table).glob(f"{partition}_*")
    return {folder.name: files_of(folder) for folder in folders}


def attached(
    table: Table, kind: str, rows: Mapping[int, Sequence[Row]]
) -> tuple[list[str], dict[str, str]]:
    """Attach each partition: what a refusal has changed, and how those that were attached read."""
    changed, read = [], {}
    for number, (file, how) in enumerate(PLACES[kind], 1):
        name = f"{kind}, {file} {how}"
        before = files_of_partition(table, number)
        outcome = attempt_over_http(table.node, f"ALTER TABLE {table} ATTACH PARTITION {number}")
        if outcome.accepted:
            read[name] = reading(table, number, rows[number])
            table.node.query(f"ALTER TABLE {table} DROP PARTITION {number}")
        elif filled_parts(table) or lost_files(before, files_of_partition(table, number)):
            changed.append(f"{name}: attached are {list(filled_parts(table))}")
    return changed, read


@TestScenario
@Requirements(
    RQ_SRS_103_ClickHouse_AttachAndMove_AllOrNothing("1.0"),
    RQ_SRS_103_ClickHouse_AttachAndMove_Integrity("1.0"),
)
@deviates(
    step="a part with damaged files is not attached",
    observed={
        **{f"{kind}, count.txt changed": FEWER_ROWS for kind in FORMATS},
        **{
            f"{kind}, {file} changed": "read by keys fails"
            if "primary" in file
            else NOTHING_IS_READ
            for kind, files in UNREAD.items()
            for file in files
        },
    },
    reason="the sizes of the files are compared with the checksums and not their content: wrong bytes are "
    "attached, and reads fail or miss rows",
    kind="bug",
    severity="wrong answer",
    upstream="https://clickhouse.com/docs/sql-reference/statements/alter/partition",
    no_sql="it changes files of detached parts",
)
def one_of_several_parts_is_damaged(self):
    """A partition with a damaged detached part is refused as a whole, whatever the damage is."""
    changed: list[str] = []
    read: dict[str, str] = {}
    for kind in FORMATS:
        with Given(f"partitions of three detached parts, of which one is damaged, {kind}"):
            table, rows = damaged_places(kind)

        with When("I attach each of them"):
            wrong, of_attached = attached(table, kind, rows)
            changed += wrong
            read |= of_attached

        with Then("the sound partition is attached"):
            number = len(PLACES[kind]) + 1
            table.node.query(f"ALTER TABLE {table} ATTACH PARTITION {number}")
            assert by_partition(table) == {number: rows[number]}, error()

    with Then("a refusal attaches no part and leaves all of them detached, unchanged"):
        assert changed == [], error()

    with And(
        "of those that were attached all rows are read where the server repairs the damage, only"
    ):
        repaired = {f"{kind}, {file} {how}" for kind in REPAIRED for file, how in REPAIRED[kind]}
        sound = {name for name, how in read.items() if how == READS_RIGHT}
        assert {f"{kind}, checksums.txt removed" for kind in FORMATS} <= sound <= repaired, error()

    with And("a part with damaged files is not attached"):
        assert_no_violations({name: how for name, how in read.items() if how != READS_RIGHT})


def is_alone(cell: Cell) -> bool:
    """Damage to the only part of a partition, with other bytes, fewer bytes, or no file."""
    alone = cell.kind is not PartKind.MIXED
    return alone and cell.damage in ("changed", "truncated", "removed")


@TestScenario
@Requirements(RQ_SRS_103_ClickHouse_AttachAndMove_DamagedSource("1.0"))
def damaged_source_as_for_replace(self):
    """ATTACH PARTITION FROM a damaged source has the outcome of REPLACE PARTITION from it, in every cell."""
    with Given("a source with a damage in each partition, and two destinations"):
        cells = written(this().node(), chosen(is_alone))
        source, _ = sound_table("source", cells)
        replaced, _ = sound_table("replaced", cells)
        attached_to, own = sound_table("attached", cells)
        damage_partitions(source, cells)

    with When("I replace and attach each partition"):
        violations = {}
        refused, taken = list[int](), list[int]()
        for number, cell in enumerate(cells, 1):
            outcomes = [
                attempt_over_http(table.node, statement(table, source, number))
                for statement, table in ((replacing, replaced), (attaching, attached_to))
            ]
            if outcomes[0].code != outcomes[1].code:
                violations[str(cell)] = f"REPLACE {outcomes[0]}, ATTACH {outcomes[1]}"
            (refused if outcomes[1].code else taken).append(number)

    with Then("the outcomes are the same"):
        assert_no_violations(violations)

    with And("some were refused and some were not"):
        assert len(refused) > len(cells) / 4 and len(taken) > 1, error()

    with And("a refusal leaves the destination as it was, and a sound partition is attached"):
        sound = len(cells) + 1
        attached_to.node.query(attaching(attached_to, source, sound))
        listed = ", ".join(map(str, (*refused, sound)))
        held = divided(
            attached_to.node.query(
                f"SELECT * FROM {attached_to} WHERE p IN ({listed}) ORDER BY ALL"
            )
        )
        assert {number: held[number] for number in refused} == {n: own[n] for n in refused}, error()
        assert len(held[sound]) == 2 * len(own[sound]), error()
