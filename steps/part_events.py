"""What system.part_log says of the parts of a table."""

from __future__ import annotations

from typing import Any

from steps.part_life import by_name
from steps.tables import Table

# Expressions over system.part_log: when, and whether a statement or the background has done it.
SECONDS = "toUnixTimestamp64Micro(event_time_microseconds) / 1e6"
BY_QUERY = "query_id != ''"


def part_events(table: Table, event: str, *columns: str) -> dict[str, tuple[Any, ...]]:
    """The successful events of this type that the log has of the table's parts: these columns, by part."""
    table.node.query("SYSTEM FLUSH LOGS part_log")
    answer = table.node.query(
        f"SELECT {', '.join(('part_name', *columns))} FROM system.part_log WHERE error = 0 "
        f"AND database = '{table.database}' AND table = '{table.name}' AND event_type = '{event}' "
        "ORDER BY part_name"
    )
    return by_name(answer)
