"""ReplacingMergeTree: making such tables, giving them duplicates, and seeing which rows survive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from helpers.cluster.session import Row
from helpers.context import this
from steps.refusals import attempt
from steps.tables import NO_MERGES, Table, create_table

# The columns that go with the parameters of the engine.
COLUMNS_FOR = {
    "": "key UInt64, value String",
    "version": "key UInt64, value String, version UInt64",
    "version, deleted": "key UInt64, value String, version UInt64, deleted UInt8",
}
# Rows are written as they come, duplicates and all.
AS_THEY_COME = {"optimize_on_insert": 0}


def replacing_table(
    parameters: str = "",
    *,
    columns: str = "",
    partition_by: str = "",
    order_by: str = "key",
    settings: Mapping[str, Any] = NO_MERGES,
    more: str = "",
) -> Table:
    """An empty table of the engine with these parameters; nothing is merged unless it is asked for."""
    return create_table(
        "replacing",
        columns=columns or COLUMNS_FOR[parameters],
        engine=f"ReplacingMergeTree({parameters})",
        partition_by=partition_by,
        order_by=order_by,
        settings=settings,
        more=more,
    )


def insert_each(
    table: Table, *inserts: Sequence[Row], settings: Mapping[str, Any] | None = None
) -> None:
    """One statement for each of these."""
    for rows in inserts:
        table.node.query(f"INSERT INTO {table} VALUES", data=rows, settings=settings)


def survivors(
    table: Table, *, where: str = "", settings: Mapping[str, Any] | None = None
) -> list[Row]:
    """What SELECT … FINAL returns, sorted."""
    condition = f" WHERE {where}" if where else ""
    return _sorted(table.node.query(f"SELECT * FROM {table} FINAL{condition}", settings=settings))


def stored(table: Table) -> list[Row]:
    """What lies in the parts, duplicates and all, sorted."""
    return _sorted(table.node.query(f"SELECT * FROM {table}"))


def merge(table: Table, how: str = "FINAL") -> None:
    """Merge all parts of each partition; it is an error if the server finds a reason not to."""
    table.node.query(f"OPTIMIZE TABLE {table} {how}", settings={"optimize_throw_if_noop": 1})


@dataclass(frozen=True)
class Deduplicated:
    """Which rows survived, in the two ways in which it shows."""

    final: list[Row]
    merged: list[Row]

    def wrong(self, expected: Iterable[Row], name: str) -> list[str]:
        """What is wrong with them in this cell of a matrix."""
        wanted = _sorted(expected)
        told = {"FINAL": self.final, "a merge": self.merged}
        return [
            f"{name}: {how} leaves {rows} instead of {wanted}"
            for how, rows in told.items()
            if rows != wanted
        ]


def deduplicate(table: Table, *inserts: Sequence[Row]) -> Deduplicated:
    """Insert each of these, read with FINAL while all of it is there, then merge."""
    insert_each(table, *inserts)
    found, inserted = stored(table), _sorted(row for rows in inserts for row in rows)
    assert found == inserted, f"the fixture is not there: {found} instead of {inserted}"
    final = survivors(table)
    merge(table)
    return Deduplicated(final, stored(table))


@dataclass(frozen=True)
class Creation:
    """A CREATE TABLE that has to be refused: its columns and what follows them."""

    name: str
    columns: str
    definition: str
    text: str


def wrong_creations(creations: Iterable[Creation], *, code: int, **options: Any) -> list[str]:
    """What is wrong with how these were refused, by name; nothing may have been created."""
    node, wrong = this().node(), []
    for creation in creations:
        table = Table(node, this().database, this().unique("refused"))
        outcome = attempt(
            node, f"CREATE TABLE {table} ({creation.columns}) {creation.definition}", **options
        )
        if outcome.accepted:
            wrong.append(f"{creation.name}: accepted as {definition(table)}")
        elif outcome.code != code or creation.text not in outcome.message:
            wrong.append(f"{creation.name}: {outcome} (expected {code}, {creation.text!r})")
        elif exists(table):
            wrong.append(f"{creation.name}: refused, but there is a table {table}")
    return wrong


def exists(table: Table) -> bool:
    return bool(_system_table(table, "name"))


def definition(table: Table) -> str:
    """The engine and all that follows it, as the server understood it."""
    found = _system_table(table, "engine_full")
    return str(found[0][0]) if found else "nothing"


def keys_of(table: Table) -> Row:
    """Its partition key, sorting key, primary key and sampling key."""
    return _system_table(table, "partition_key, sorting_key, primary_key, sampling_key")[0]


def repeated_in_a_part(table: Table, key: str = "key") -> list[Row]:
    """Parts that hold more than one row of a key, with the key and their number."""
    return table.node.query(
        f"SELECT _part, {key}, count() AS copies FROM {table} "
        f"GROUP BY _part, {key} HAVING copies > 1 ORDER BY _part, {key}"
    )


def _system_table(table: Table, columns: str) -> list[Row]:
    return table.node.query(
        f"SELECT {columns} FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}'"
    )


def _sorted(rows: Iterable[Row]) -> list[Row]:
    """By their text: a NULL has no order among other values."""
    return sorted(rows, key=repr)
