"""Statements that undo each other, sent to a server: tables are read before and after, as texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from helpers.cluster.client.session import Row
from helpers.explore.execution.selects import lines
from helpers.explore.model.histories import answer
from helpers.explore.model.statements import Row as ModelRow
from helpers.explore.model.tables import RULES, ModelTable, Unspecified

NOT_BACK = "there and back again, something is different"
OF_PARTS = "rows, hash_of_all_files, has_lightweight_delete, projections, part_type, disk_name"
"""What goes with a part, whatever its name is."""


def snapshot(database: str, tables: Mapping[str, ModelTable]) -> str:
    """A statement that reads all there is to see of tables: rows with all columns, parts, definitions."""
    every = [
        f"SELECT 'parts', table, partition_id, toString(({OF_PARTS})) FROM system.parts "
        f"WHERE database = '{database}' AND active AND rows > 0",
        "SELECT 'definition', name, '', replaceAll(create_table_query, concat(database, '.'), '') "
        f"FROM system.tables WHERE database = '{database}'",
    ]
    for name, table in tables.items():
        rows = f"'{name}', _partition_id, toString(tuple(*)) FROM {database}.{name}"
        every.append(f"SELECT 'rows', {rows}")
        if table.kind in RULES and _has_one_final(table):
            every.append(f"SELECT 'final', {rows} FINAL")
    return f"SELECT * FROM ({' UNION ALL '.join(every)}) ORDER BY ALL"


def _has_one_final(table: ModelTable) -> bool:
    """Whether FINAL has one answer: of equal keys with other values an engine may keep any row."""
    partitions: dict[int, list[ModelRow]] = {}
    for part in table.parts:
        partitions.setdefault(part.partition, []).extend(part.rows)
    try:
        for rows in partitions.values():
            table.collapsed(rows)
    except Unspecified:
        return False
    return True


def travel(
    ask: Callable[[str], Sequence[Row]], sql: str, steps: Iterable[Callable[[], int | None]]
) -> tuple[str, str] | None:
    """Send the statements; what the tables were and what they are, if that is not the same.

    A statement that is refused ends it: the model says that it can be carried out.
    """
    before = ask(sql)
    for step in steps:
        refusal = step()
        if refusal is not None:
            return answer(None), answer(refusal)
    after = ask(sql)
    return (lines(before), lines(after)) if before != after else None
