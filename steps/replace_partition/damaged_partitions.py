"""Partitions that have one damage each, and what becomes of them when they are replaced."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import NamedTuple

from helpers.cluster.client.failures import QueryFailed, Unavailable
from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.step import step
from steps.damage import DAMAGES, content_of, damage
from steps.partitions import replacing
from steps.parts import parts, writes_statistics
from steps.refusals import Attempt, attempt_over_http
from steps.replace_partition.part_kinds import ANY_BYTES, PartKind, fill_with_kind
from steps.tables import NO_MERGES, Table, contents, create_table, divided

COMPACT, WIDE = "Compact", "Wide"
# The kind of the partition that is not damaged.
SOUND = PartKind.WIDE
# A table is loaded however many of its parts are damaged.
ANY_DAMAGE = {"max_suspicious_broken_parts": 1000}
READS_RIGHT = "reads right"
CHECK_FINDS, CHECK_FINDS_NOTHING = "CHECK TABLE finds it", "CHECK TABLE finds nothing"
_EVERYWHERE = {
    "index": "primary.*idx",
    "checksums": "checksums.txt",
    "columns": "columns.txt",
    "substreams": "columns_substreams.txt",
    "count": "count.txt",
    "minmax": "minmax_p.idx",
    "partition": "partition.dat",
    "serialization": "serialization.json",
    "metadata version": "metadata_version.txt",
    "default codec": "default_compression_codec.txt",
    "statistics": "statistics.packed",
}
# The file is there whatever the profile says, if the server writes statistics by itself (since 26.4).
WITH_STATISTICS = {"materialize_statistics_on_insert": 1}
# The server reads the marks of the first column when it loads a wide part, the others later.
FILES: Mapping[str, Mapping[str, str]] = {
    COMPACT: {"data": "data.bin", "marks": "data.cmrk*", **_EVERYWHERE},
    WIDE: {
        "data": "i.bin",
        "first data": "p.bin",
        "last data": "owner.bin",
        "marks": "i.cmrk*",
        "first marks": "p.cmrk*",
        "last marks": "owner.cmrk*",
        "sizes": "owner.size.bin",
        "marks of sizes": "owner.size.cmrk*",
        **_EVERYWHERE,
    },
}


@dataclass(frozen=True)
class Cell:
    """One way to corrupt a partition: its kind, the type of the damaged part, its file, the damage."""

    kind: PartKind
    part_type: str
    file: str
    damage: str

    def __str__(self) -> str:
        place = " next to a sound part" if self.kind is PartKind.MIXED else ""
        return f"{self.file} {self.damage} in a {self.part_type.lower()} part{place}"


# Beside a sound part, the smallest damage to a file and the greatest.
PLACES = (  # 4 variants
    (PartKind.COMPACT, COMPACT, tuple(DAMAGES)),
    (PartKind.WIDE, WIDE, tuple(DAMAGES)),
    (PartKind.MIXED, COMPACT, ("changed", "removed")),
    (PartKind.MIXED, WIDE, ("changed", "removed")),
)
CELLS = tuple(
    Cell(kind, part_type, file, how)
    for kind, part_type, damages in PLACES
    for file, how in itertools.product(FILES[part_type], damages)
)


def is_healed(cell: Cell) -> bool:
    """Damage to files that the server makes anew, or reads as nothing: no row and no part is lost by it."""
    if cell.file == "metadata version":
        return not is_lost_when_loaded(cell)
    if cell.part_type == WIDE and cell.file == "columns":
        return cell.damage in ("removed", "emptied")
    if cell.part_type == WIDE and cell.file == "substreams":
        return cell.damage == "removed"
    if cell.file == "checksums":
        return cell.damage == "removed"
    return cell.file == "default codec" and cell.part_type == WIDE


def is_lost_when_loaded(cell: Cell) -> bool:
    """An empty metadata version: the server puts the part aside as broken when it loads the table again."""
    return cell.file == "metadata version" and cell.damage in ("emptied", "truncated")


class Damaged(NamedTuple):
    """A file, and what it holds since it was damaged; None if it was removed."""

    file: Path
    content: bytes | None

    @property
    def is_so(self) -> bool:
        return content_of(self.file) == self.content


def written(node: Node, cells: Sequence[Cell]) -> list[Cell]:
    """Leave out the statistics if parts of this server have none; without a cell nothing can be tried."""
    automatic = writes_statistics(node)
    found = [cell for cell in cells if cell.file != "statistics" or automatic]
    if not found:
        raise Unavailable("statistics in every part: this server writes none by itself")
    return found


def sound_table(name: str, cells: Sequence[Cell]) -> tuple[Table, dict[int, list[Row]]]:
    """A table with a partition for each cell, numbered from 1 on, and one more; and their rows."""
    table = create_table(name, settings={**NO_MERGES, **ANY_BYTES, **ANY_DAMAGE})
    rows: list[Row] = []
    for kind in dict.fromkeys(cell.kind for cell in cells):
        numbers = [number for number, cell in enumerate(cells, 1) if cell.kind is kind]
        rows += fill_with_kind(table, kind, numbers, settings=WITH_STATISTICS)
    rows += fill_with_kind(table, SOUND, [len(cells) + 1], settings=WITH_STATISTICS)
    assert contents(table) == sorted(rows), f"{table} has other rows than were inserted"
    return table, divided(sorted(rows))


@step("I damage partitions of {table}")
def damage_partitions(
    table: Table, cells: Sequence[Cell], meant: Callable[[Cell], bool] = lambda cell: True
) -> dict[int, Damaged]:
    """Do to each partition of the table what its cell says, if that is meant, and see that it was done."""
    rows = table.node.query(
        "SELECT partition_id, part_type, path FROM system.parts "
        f"WHERE database = '{table.database}' AND table = '{table.name}' AND active"
    )
    assert all(path.endswith("/") for _, _, path in rows), f"{table} lies in {rows}"
    folders = {(partition, part_type): Path(path) for partition, part_type, path in rows}
    assert len(rows) == len(folders) == sum(_part_counts(cells).values()), f"{table} lies in {rows}"
    for (_, part_type), folder in folders.items():
        _assert_every_file_is_named(folder, FILES[part_type].values())
    damages = {}
    for number, cell in enumerate(cells, 1):
        if not meant(cell):
            continue
        file = _file(folders[str(number), cell.part_type], cell)
        sound = file.read_bytes()
        damage(file, cell.damage)
        damages[number] = Damaged(file, DAMAGES[cell.damage](sound))
        assert damages[number].is_so and damages[number].content != sound, f"{file} is sound"
    return damages


def _assert_every_file_is_named(folder: Path, patterns: Collection[str]) -> None:
    """No file of a part is left out: whatever can be damaged is damaged in some cell."""
    files = {file.name for file in folder.iterdir()}
    unnamed = {
        name for name in files if not any(fnmatchcase(name, pattern) for pattern in patterns)
    }
    assert not unnamed, f"{folder} has files that no kind of damage names: {unnamed}"


def _file(folder: Path, cell: Cell) -> Path:
    pattern = FILES[cell.part_type][cell.file]
    files = list(folder.glob(pattern))
    assert len(files) == 1, f"{folder} has {len(files)} files {pattern}, expected one"
    return files[0]


@step("I replace every damaged partition of {destination} from {source}")
def replace_all(
    source: Table, destination: Table, cells: Sequence[Cell], damages: Mapping[int, Damaged]
) -> list[Attempt]:
    """Replace the partition of each cell while its damage is there; where it was accepted all parts are
    other ones, and where it was refused they are the same."""
    before = parts_of_cells(destination, cells)
    outcomes = []
    for number, cell in enumerate(cells, 1):
        assert damages[number].is_so, f"{cell}: somebody has repaired {damages[number].file}"
        sql = replacing(destination, source, number)
        outcomes.append(attempt_over_http(destination.node, sql))
    after = parts_of_cells(destination, cells)
    for number, outcome in enumerate(outcomes, 1):
        old, new = before[number], after[number]
        truth = not old & new if outcome.accepted else old == new
        assert truth, f"{cells[number - 1]}: {outcome}, and {old} became {new}"
    return outcomes


def parts_of_cells(table: Table, cells: Sequence[Cell]) -> dict[int, set[str]]:
    """The names of the parts of each cell's partition and of the sound one, as many as there have to be."""
    names: dict[int, list[str]] = {}
    for part in parts(table):
        names.setdefault(int(part.partition_id), []).append(part.name)
    counts = {number: len(own) for number, own in names.items()}
    assert counts == _part_counts(cells), f"{table} has other parts than its cells: {names}"
    return {number: set(own) for number, own in names.items()}


def _part_counts(cells: Sequence[Cell]) -> dict[int, int]:
    """How many parts the partition of each cell has, and the sound one."""
    kinds = [*(cell.kind for cell in cells), SOUND]
    return {number: 2 if kind is PartKind.MIXED else 1 for number, kind in enumerate(kinds, 1)}


def accepted_cells(
    cells: Sequence[Cell],
    outcomes: Sequence[Attempt],
    destination: Table,
    expected: Mapping[int, list[Row]],
) -> dict[int, str]:
    """What the destination is like in each partition that was replaced, by the cell's number."""
    damaged = damaged_partitions(destination)
    return {
        number: f"accepted; {reading(destination, number, expected[number])}; "
        + (CHECK_FINDS if number in damaged else CHECK_FINDS_NOTHING)
        for number, outcome in enumerate(outcomes, 1)
        if outcome.accepted
    }


@step("I have {table} loaded anew")
def load_anew(table: Table) -> None:
    """Detach the table and attach it: the server reads all files of its parts again."""
    table.node.query(f"DETACH TABLE {table} SYNC")
    table.node.query(f"ATTACH TABLE {table}")


def reading(table: Table, partition: int, expected: Sequence[Row]) -> str:
    """How a partition reads that has to have these rows: in full, by its number, by keys, counted."""
    rows, keys = list(expected), ", ".join(str(row[1]) for row in expected)
    inside = f"FROM {table} WHERE _partition_id = '{partition}'"
    questions: Mapping[str, tuple[str, list[Row]]] = {
        "in full": (f"SELECT * {inside} ORDER BY ALL", rows),
        "by partition": (f"SELECT * FROM {table} WHERE p = {partition} ORDER BY ALL", rows),
        "by keys": (f"SELECT * {inside} AND i IN ({keys}) ORDER BY ALL", rows),
        "counted": (f"SELECT count() {inside}", [(len(rows),)]),
    }
    if _at_once(table, [sql for sql, _ in questions.values()]) == [
        wanted for _, wanted in questions.values()
    ]:
        return READS_RIGHT
    wrong = []
    for name, (sql, wanted) in questions.items():
        try:
            actual = table.node.query(sql)
        except (QueryFailed, UnicodeDecodeError):  # an error may quote the damaged bytes
            wrong.append(f"{name} fails")
            continue
        if actual != wanted:
            some = "some of the rows" if set(actual) < set(wanted) else "something else"
            wrong.append(f"{name} finds {some if actual else 'nothing'}")
    return f"read {', '.join(wrong or ['in one statement finds something else'])}"


def _at_once(table: Table, questions: Sequence[str]) -> list[list[Row]] | None:
    """The answers to several questions, asked in one statement; None if one of them fails."""
    asked = (f"(SELECT groupArray(tuple(*)) FROM ({question}))" for question in questions)
    try:
        (answers,) = table.node.query(f"SELECT {', '.join(asked)}")
    except (QueryFailed, UnicodeDecodeError):
        return None
    return [sorted(answer) for answer in answers]


def damaged_partitions(table: Table) -> set[int]:
    """The partitions in which CHECK TABLE finds a damage; its messages may quote the damaged bytes."""
    answer = table.node.http(f"CHECK TABLE {table} FORMAT TabSeparated")
    lines = [line.split(b"\t") for line in answer.splitlines()]
    named = sorted(line[0].decode() for line in lines)
    assert named == [part.name for part in parts(table)], answer
    return {int(line[0].split(b"_")[0]) for line in lines if line[1] != b"1"}


def chosen(rule: Callable[[Cell], bool]) -> list[Cell]:
    return [cell for cell in CELLS if rule(cell)]
