"""Tables that differ in one point of their definition, and what REPLACE PARTITION does with them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from helpers.cluster.node import Node
from helpers.scenario.step import step
from steps.partitions import replacing
from steps.refusals import attempt
from steps.tables import NO_MERGES, Table, create_table, definition

BAD_ARGUMENTS, INCOMPATIBLE_COLUMNS = 36, 122
PARTITION, PART = "_partition_id", "_part"
REPLACED = "accepted and replaced"
CLAUSES = ("CODEC", "TTL", "SAMPLE BY", "COMMENT", "CONSTRAINT", "PRIMARY KEY")  # 6 variants
ROWS = 3
# Types with fewer values than there are rows.
FEW_VALUES = "Bool|Enum8|^Int8|^Array.UInt8"
TextRow = dict[str, str]
TEXT = {"v": "concat('text ', toString(n))"}


@dataclass(frozen=True)
class Definition:
    """How a table is made, and the expressions over n that fill its columns besides p and i."""

    columns: str = "p UInt64, i UInt64, v String"
    partition_by: str = "p"
    order_by: str = "i"
    more: str = ""
    engine: str = "MergeTree"
    settings: Mapping[str, Any] = field(default_factory=dict)
    values: Mapping[str, str] = field(default_factory=lambda: TEXT)


class DefinitionPair(NamedTuple):
    """Two definitions that differ in the point that the name says.

    `in_writing`: only in how they are written, the server defines the tables alike.
    """

    name: str
    usual: Definition
    other: Definition
    in_writing: bool = False


@dataclass(frozen=True)
class Filled:
    """A table with rows, the columns that can be read from it, the ids of its partitions, and how the
    server has defined it."""

    table: Table
    columns: tuple[str, ...]
    partition_ids: tuple[str, ...]
    definition: str


@dataclass(frozen=True)
class Pair:
    """A source and a destination, both with rows in the partition of this id and in others."""

    name: str
    source: Filled
    destination: Filled

    @property
    def partition_id(self) -> str:
        """Of the partitions that the source has, the first is the one to replace."""
        return self.source.partition_ids[0]

    @property
    def replacing(self) -> str:
        return replacing(self.destination.table, self.source.table, f"ID '{self.partition_id}'")


@dataclass(frozen=True)
class Pairs:
    """Tables of both definitions of each difference: the pairs that differ, and the pairs that do not."""

    different: list[Pair]
    alike: list[Pair]


@step("I create pairs of tables that differ in one point")
def make_pairs(differences: Iterable[DefinitionPair]) -> Pairs:
    """A source and a destination of each definition, paired in all four ways."""
    different, alike = [], []
    for name, usual, other, in_writing in differences:
        usual_tables = make(usual, "source", 0), make(usual, "target", 100)
        other_tables = make(other, "source", 200), make(other, "target", 300)
        definitions = [
            {filled.definition for filled in tables} for tables in (usual_tables, other_tables)
        ]
        assert list(map(len, definitions)) == [1, 1], f"{name}: two of {definitions}"
        assert (definitions[0] == definitions[1]) is in_writing, f"{name}: {definitions}"
        different.append(Pair(f"{name} (source first)", usual_tables[0], other_tables[1]))
        different.append(Pair(f"{name} (destination first)", other_tables[0], usual_tables[1]))
        alike.append(Pair(f"{name}, on neither side", *usual_tables))
        alike.append(Pair(f"{name}, on both sides", *other_tables))
    return Pairs(different, alike)


def make_pair(name: str, source: Definition, destination: Definition) -> Pair:
    return Pair(name, make(source, "source", 0), make(destination, "target", 100))


def make(wanted: Definition, name: str, start: int, node: Node | None = None) -> Filled:
    """A table with rows in two partitions (p is 1 and 2); none of their values is a default, and none
    comes twice in its column where the type has so many."""
    table = create_table(
        name,
        node=node,
        columns=wanted.columns,
        engine=wanted.engine,
        partition_by=wanted.partition_by,
        order_by=wanted.order_by,
        more=wanted.more,
        settings={**NO_MERGES, **wanted.settings},
    )
    names = "".join(f", {column}" for column in wanted.values)
    values = "".join(f", {expression}" for expression in wanted.values.values())
    table.node.query(
        f"INSERT INTO {table} (p, i{names}) SELECT 1 + number % 2, n{values} "
        f"FROM (SELECT number, {start} + 1 + number AS n FROM numbers({2 * ROWS}))"
    )
    defined = defined_as(table, wanted)
    ((columns, number),) = table.node.query(
        f"SELECT arraySort(groupArray(name)), count() FROM system.columns WHERE {readable(table)}"
    )
    assert len(columns) == number, f"{table} has {number} columns, not {columns}"
    defaults = ", ".join(
        f"countIf(toString(`{column}`) = toString(defaultValueOfArgumentType(`{column}`)))"
        for column in columns
    )
    numbers = ", ".join(
        f"if(match(toTypeName({column}), '{FEW_VALUES}'), {2 * ROWS}, uniqExact({column}))"
        for column in ("i", *wanted.values)
    )
    ((partition_ids, empty, different),) = table.node.query(
        f"SELECT arraySort(groupUniqArray(_partition_id)), [{defaults}], [{numbers}] FROM {table}"
    )
    assert not any(empty), f"the fixture has default values: {empty} of {columns} in {table}"
    assert set(different) == {2 * ROWS}, f"the fixture has values twice: {different} in {table}"
    return Filled(table, tuple(columns), tuple(partition_ids), defined)


def defined_as(table: Table, meant: Definition) -> str:
    """How the server has defined a table: with the clauses and the settings in which tables may differ."""
    asked = f"{meant.columns} {meant.more}"
    wanted = [clause for clause in CLAUSES if clause in asked]
    wanted += [f"{name} = {value!r}" for name, value in meant.settings.items()]
    wanted += ["PARTITION BY"] if meant.partition_by not in ("", "tuple()") else []
    defined = definition(table)
    missing = [clause for clause in wanted if clause not in defined]
    assert missing == [], f"the fixture {table} lacks {missing}"
    return defined


def outcome(pair: Pair) -> str:
    """What came of replacing the partition: how it was refused, or what the destination has then.

    All columns are compared that both tables have, as text; columns of the destination alone are added.
    """
    kept, before = read(pair.source), read(pair.destination)
    expected, _ = _divided(kept, pair.partition_id)
    old, others = _divided(before, pair.partition_id)
    assert expected, f"the fixture is empty: {pair.source}"
    assert others or pair.partition_id == "all", f"{pair.destination} has no other partition"
    assert [row["i"] for row in expected] != [row["i"] for row in old], f"{pair.name}: same rows"
    attempted = attempt(pair.destination.table.node, pair.replacing)
    after = read(pair.destination)
    if read(pair.source) != kept:
        return f"{attempted}; the source is not what it was"
    if not attempted.accepted:
        return str(attempted) + ("" if after == before else "; the destination is not what it was")
    actual, others_after = _divided(after, pair.partition_id)
    if others_after != others:
        return "accepted, and another partition is not what it was"
    if {row[PART] for row in actual} & {row[PART] for row in old}:
        return "accepted, and nothing was replaced"
    return "; ".join([REPLACED, *_changes(pair, expected, actual)])


def _divided(rows: Sequence[TextRow], partition_id: str) -> tuple[list[TextRow], list[TextRow]]:
    """The rows of this partition, and those of the others."""
    of_partition = [row for row in rows if row[PARTITION] == partition_id]
    return of_partition, [row for row in rows if row[PARTITION] != partition_id]


def not_refused(pairs: Sequence[Pair], code: int, text: str) -> dict[str, str]:
    """What came of the pairs that were not refused in this way, with both tables kept."""
    outcomes = {pair.name: outcome(pair) for pair in pairs}
    wanted = f"refused with code {code}: "
    return {
        name: what
        for name, what in outcomes.items()
        if not (what.startswith(wanted) and text in what and not what.endswith("what it was"))
    }


def not_replaced(pairs: Sequence[Pair]) -> dict[str, str]:
    """What came of the pairs whose partition was not replaced, value for value."""
    outcomes = {pair.name: outcome(pair) for pair in pairs}
    return {name: what for name, what in outcomes.items() if what != REPLACED}


def read(filled: Filled) -> list[TextRow]:
    """All rows: the values of all columns as text, and the partition and the part they are in."""
    names = [PARTITION, PART, *filled.columns]
    values = ", ".join(f"toString(`{name}`)" for name in names)
    # Each row has the number of all: an answer with a row missing or doubled is noticed.
    number = f"(SELECT count() FROM {filled.table})"
    columns = f"(SELECT count() FROM system.columns WHERE {readable(filled.table)})"
    sql = f"SELECT {number}, {columns}, {values} FROM {filled.table} ORDER BY i"
    rows = filled.table.node.query(sql)
    counts = {(len(rows), len(filled.columns))}
    assert {row[:2] for row in rows} == counts, f"not all of {filled.table}: {rows}"
    return [dict(zip(names, row[2:], strict=True)) for row in rows]


def readable(table: Table) -> str:
    """The condition for the columns in system.columns that can be read from a table."""
    named = f"database = '{table.database}' AND table = '{table.name}'"
    return f"default_kind != 'EPHEMERAL' AND {named}"


def _changes(pair: Pair, expected: Sequence[TextRow], actual: Sequence[TextRow]) -> list[str]:
    """Which columns of the destination read differently from the source, and how."""
    if len(actual) != len(expected):
        return [f"{len(actual)} rows for {len(expected)}"]
    changes = []
    for column in pair.destination.columns:
        reads = ", ".join(row[column] for row in actual)
        if column not in pair.source.columns:
            changes.append(f"{column} reads {reads}")
            continue
        meant = ", ".join(row[column] for row in expected)
        changes += [] if reads == meant else [f"{column} reads {reads} for {meant}"]
    return changes
