"""Partitions: the statements that move them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.recording import preview
from helpers.cluster.client.session import Row
from helpers.scenario.step import step
from steps.tables import Table, by_partition, contents_of_all, divided


@step("I replace partition {partition} of {destination} from {source}")
def replace_partition(
    destination: Table, *, source: Table | str, partition: int | str, **options: Any
) -> None:
    """ALTER TABLE destination REPLACE PARTITION partition FROM source."""
    destination.node.query(replacing(destination, source, partition), **options)


@step("I replace partition {partition} of {table} from itself")
def replace_from_itself(table: Table, *, partition: int | str) -> None:
    """The same with the table as its own source, for those who see by the parts that it was done."""
    table.node.query(_replacing(table, table, partition))


@step("I try to replace partition {partition} of {destination} from {source}")
def replace_is_refused(
    destination: Table,
    *,
    source: Table | str,
    partition: int | str,
    code: int,
    text: str,
    **options: Any,
) -> QueryFailed:
    """The same statement, which the server has to refuse in this way."""
    sql = replacing(destination, source, partition)
    return destination.node.fails(sql, code=code, text=text, **options)


def replacing(destination: Table | str, source: Table | str, partition: int | str) -> str:
    """The statement; a partition given as text is an expression, e.g. "ID '1'"."""
    # no mutant: it is the scenario that would be wrong
    assert str(source) != str(destination), f"{source} replaced from itself would show nothing"
    return _replacing(destination, source, partition)


def _replacing(destination: Table | str, source: Table | str, partition: int | str) -> str:
    return f"ALTER TABLE {destination} REPLACE PARTITION {partition} FROM {source}"


def attaching(destination: Table, source: Table | str, partition: int | str) -> str:
    return f"ALTER TABLE {destination} ATTACH PARTITION {partition} FROM {source}"


def moving(source: Table | str, destination: Table | str, partition: int | str) -> str:
    return f"ALTER TABLE {source} MOVE PARTITION {partition} TO TABLE {destination}"


@step("I replace partitions of {destination}, each from its source")
def replace_each(
    destination: Table, sources: Mapping[int, Table], names: Mapping[int, str] | None = None
) -> list[str]:
    """A matrix: replace each of these partitions from its source. What went wrong, by name.

    No refusal is raised, so that one bad cell does not hide the others. Partitions that are not named
    and all sources have to stay as they were.
    """
    tables = {str(source): source for source in sources.values()}
    before = contents_of_all(list(tables.values()))
    kept = {name: divided(rows) for name, rows in zip(tables, before, strict=True)}
    known = names or {partition: f"partition {partition}" for partition in sources}
    old = by_partition(destination)
    expected = old | {number: kept[str(source)][number] for number, source in sources.items()}
    different = other_partitions(old, expected, known).keys()
    assert different == sources.keys(), f"{sources.keys() - different} have the rows already"
    wrong = []
    for partition, source in sources.items():
        try:
            replace_partition(destination, source=source, partition=partition)
        except QueryFailed as failed:
            wrong.append(f"{known[partition]}: refused with code {failed.code}: {failed.message}")
    wrong += other_partitions(by_partition(destination), expected, known).values()
    after = contents_of_all(list(tables.values()))
    changed = [name for name, old, new in zip(tables, before, after, strict=True) if old != new]
    return wrong + [f"{name} lost or gained rows" for name in changed]


def other_partitions(
    actual: Mapping[int, list[Row]], expected: Mapping[int, list[Row]], names: Mapping[int, str]
) -> dict[int, str]:
    """The partitions that have other rows than are expected, and which."""
    return {
        partition: f"{names.get(partition, partition)}: {preview(has)} instead of {preview(wanted)}"
        for partition in sorted(expected.keys() | actual.keys())
        if (has := actual.get(partition, [])) != (wanted := expected.get(partition, []))
    }
