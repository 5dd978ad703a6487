"""What the server's logs say of the parts of a table, and of the statements that changed it."""

from __future__ import annotations

from typing import Any

from steps.table_parts.part_life import by_name
from steps.tables import Table

# An expression over system.part_log: when.
SECONDS = "toUnixTimestamp64Micro(event_time_microseconds) / 1e6"


def part_events(table: Table, event: str, *columns: str) -> dict[str, tuple[Any, ...]]:
    """The successful events of this type that the log has of the table's parts: these columns, by part.

    An earlier table of the same name, of a scenario that is repeated, has another UUID.
    """
    table.node.query("SYSTEM FLUSH LOGS part_log")
    answer = table.node.query(
        f"SELECT {', '.join(('part_name', *columns))} FROM system.part_log WHERE error = 0 "
        f"AND event_type = '{event}' AND table_uuid = (SELECT uuid FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}') ORDER BY part_name"
    )
    return by_name(answer)


def statements_on(*tables: Table) -> list[dict[str, int]]:
    """How many statements of each kind have changed each table: what is not among them was not asked for.

    Those before its creation were about an earlier table of the same name, of a scenario that is repeated.

    (The log of parts does not tell: the merges of OPTIMIZE have no query in it either.)
    """
    tables[0].node.query("SYSTEM FLUSH LOGS query_log")
    return [_logged_statements(table) for table in tables]


def _logged_statements(table: Table) -> dict[str, int]:
    statements = (
        "FROM system.query_log WHERE type = 'QueryFinish' "
        f"AND match(query, '\\\\b{table.database}\\\\.{table.name}\\\\b')"
    )
    created = f"SELECT max(query_start_time_microseconds) {statements} AND query_kind = 'Create'"
    answer = table.node.query(
        f"SELECT query_kind, count() {statements} AND query_kind NOT IN ('Select', 'System') "
        f"AND query_start_time_microseconds >= ({created}) "
        "GROUP BY query_kind ORDER BY query_kind"
    )
    return {kind: number for kind, (number,) in by_name(answer).items()}
