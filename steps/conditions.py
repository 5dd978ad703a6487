"""Pairs of tables that differ in one point of their definition, and what REPLACE PARTITION says to them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from helpers.cluster.node import Node
from steps.partitions import replacing
from steps.refusals import wrong_refusal
from steps.tables import NO_MERGES, Table, create_table

BAD_ARGUMENTS, INCOMPATIBLE_COLUMNS = 36, 122
ROWS = 5


@dataclass(frozen=True)
class Definition:
    """How a table is made. It has columns p and i, which can be inserted."""

    columns: str = "p UInt64, i UInt64, v String"
    partition_by: str = "p"
    order_by: str = "i"
    more: str = ""
    engine: str = "MergeTree"
    settings: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Difference:
    """Two definitions that differ in the point that the name says."""

    name: str
    one: Definition
    other: Definition


@dataclass(frozen=True)
class Pair:
    """A source and a destination that differ, both with rows in the partition of this id."""

    name: str
    source: Table
    destination: Table
    partition_id: str

    @property
    def replacing(self) -> str:
        return replacing(self.destination, self.source, f"ID '{self.partition_id}'")


def both_ways(differences: Iterable[Difference], node: Node | None = None) -> list[Pair]:
    """Each difference twice: as it is, and with source and destination exchanged."""
    pairs = []
    for one in differences:
        pairs.append(make_pair(f"{one.name} (source first)", one.one, one.other, node))
        pairs.append(make_pair(f"{one.name} (destination first)", one.other, one.one, node))
    return pairs


def make_pair(name: str, source: Definition, destination: Definition, node: Node | None) -> Pair:
    """Both tables, with different rows; the partition is one that the source has."""
    ours, theirs = make(source, "source", 0, node), make(destination, "destination", 1000, node)
    found = ours.node.column(
        "SELECT DISTINCT partition_id FROM system.parts WHERE active "
        f"AND database = '{ours.database}' AND table = '{ours.name}' ORDER BY partition_id"
    )
    assert found, f"the fixture is empty: {ours}"
    return Pair(name, ours, theirs, found[0])


def make(definition: Definition, name: str, start: int, node: Node | None = None) -> Table:
    """A table with a few rows in which p is 1 and i counts from here."""
    table = create_table(
        name,
        node=node,
        columns=definition.columns,
        engine=definition.engine,
        partition_by=definition.partition_by,
        order_by=definition.order_by,
        more=definition.more,
        settings={**NO_MERGES, **definition.settings},
    )
    table.node.query(f"INSERT INTO {table} (p, i) SELECT 1, {start} + number FROM numbers({ROWS})")
    return table


def wrong_refusals(pairs: Sequence[Pair], code: int, text: str) -> dict[str, str]:
    """What is wrong in which pair, where each has to be refused and its destination kept."""
    found = {
        pair.name: wrong_refusal(pair.destination, pair.replacing, code=code, text=text)
        for pair in pairs
    }
    return {name: reason for name, reason in found.items() if reason}


def expect_refusals(pairs: Sequence[Pair], wrong: Mapping[str, str]) -> None:
    """None is wrong; the message counts them and says how they are."""
    reasons = sorted(set(wrong.values()))
    how = f"all {reasons[0]}" if len(reasons) == 1 else "in different ways"
    cells = "; ".join(f"{name}: {reason}" for name, reason in wrong.items())
    assert not wrong, f"{len(wrong)} of {len(pairs)} wrong: {how}\n{cells}"


def wrong_replacements(pairs: Sequence[Pair], columns: str = "p, i, v") -> dict[str, str]:
    """What is wrong in which pair, where each has to be replaced; these columns are compared."""
    wrong = {}
    for pair in pairs:
        rows = {
            table.name: table.node.query(f"SELECT {columns} FROM {table} ORDER BY ALL")
            for table in (pair.source, pair.destination)
        }
        expected = rows[pair.source.name]
        assert expected, f"the fixture is empty: {pair.source}"
        assert expected != rows[pair.destination.name], f"the fixture proves nothing: {pair.name}"
        pair.destination.node.query(pair.replacing)
        after = pair.destination.node.query(
            f"SELECT {columns} FROM {pair.destination} ORDER BY ALL"
        )
        if after != expected:
            wrong[pair.name] = f"the destination has {after}, the source {expected}"
    return wrong
