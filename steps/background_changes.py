"""Changes that a server carries out in the background: the setting that lets a statement return at once."""

from __future__ import annotations

import re

MUTATES = re.compile(r"ALTER TABLE \S+ (?:UPDATE|DELETE|MATERIALIZE)\b")


def in_background(sql: str) -> dict[str, int]:
    """The one setting with which this statement does not wait for the mutation that it leaves."""
    if sql.startswith("DELETE FROM"):
        return {"lightweight_deletes_sync": 0}
    return {"mutations_sync" if MUTATES.match(sql) else "alter_sync": 0}
