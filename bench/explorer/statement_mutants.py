"""Mutants of statements for bench/explore_mutants.py: they are accepted, and something else is done."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from helpers.cluster.client.tampering import InterceptedStatement
from helpers.explore.model.schema import COLUMN, RENAMED

Tamper = Callable[[InterceptedStatement], Any]

# Statements that do nothing, by a pattern of their SQL.
IGNORED = {
    "update-is-ignored": r"^UPDATE \S+ SET v",
    "update-of-a-column-is-ignored": rf"^UPDATE \S+ SET {COLUMN}",
    "delete-by-patches-is-ignored": r"^DELETE FROM .* lightweight_delete_mode",
    "patches-are-not-applied": r"APPLY PATCHES$",
    "column-is-not-added": r"ADD COLUMN",
    "column-is-not-dropped": r"DROP COLUMN",
    "column-is-not-renamed": r"RENAME COLUMN",
    "column-is-not-cleared": r"CLEAR COLUMN",
    "alter-update-of-a-column-is-ignored": rf"ALTER TABLE \S+ UPDATE {COLUMN}",
    "ttl-is-not-modified": r"(MODIFY|REMOVE) TTL",
    "index-is-not-added": r"ADD INDEX",
    "index-is-not-dropped": r"DROP INDEX",
    "projection-is-not-added": r"ADD PROJECTION",
    "projection-is-not-dropped": r"DROP PROJECTION",
    "duplicates-are-kept": r"DEDUPLICATE$",
    "backup-is-not-attached": r"ATTACH PART '",
    "table-stays-dropped": r"^UNDROP",
}
# Statements after which another one is executed, on the same table.
FOLLOWED = {
    "backup-takes-the-rows": (r"FREEZE PARTITION", "TRUNCATE TABLE {table}"),
    "longer-ttl-removes-all-rows": (r"MODIFY TTL", "TRUNCATE TABLE {table}"),
    "dropped-column-takes-the-rows": (r"DROP COLUMN", "TRUNCATE TABLE {table}"),
    "renamed-column-is-emptied": (
        r"RENAME COLUMN",
        f"ALTER TABLE {{table}} DROP COLUMN {RENAMED}",
    ),
    "clearing-a-column-changes-another": (
        r"CLEAR COLUMN",
        "ALTER TABLE {table} DELETE WHERE 1",
    ),
}
# Statements whose condition is forgotten.
EVERYWHERE = {
    "update-changes-every-row": r"^UPDATE \S+ SET v",
    "alter-update-of-a-column-changes-every-row": rf"ALTER TABLE \S+ UPDATE {COLUMN}",
    "delete-by-patches-deletes-every-row": r"^DELETE FROM .* lightweight_delete_mode",
}
ONE_ROW_LESS = {"select-forgets-a-row": r"^SELECT .* FROM \S+( FINAL)? WHERE "}
_TABLE = re.compile(r"^(?:ALTER TABLE|UPDATE|DELETE FROM) (\S+)")


def _ignored(pattern: str) -> Tamper:
    return lambda sent: [] if re.search(pattern, sent.sql) else sent.execute()


def _followed(pattern: str, more: str) -> Tamper:
    def tamper(sent: InterceptedStatement) -> Any:
        answer = sent.execute()
        if re.search(pattern, sent.sql) and (found := _TABLE.match(sent.sql)):
            sent.execute(more.format(table=found[1]))
        return answer

    return tamper


def _everywhere(pattern: str) -> Tamper:
    def tamper(sent: InterceptedStatement) -> Any:
        if not re.search(pattern, sent.sql):
            return sent.execute()
        return sent.execute(re.sub(r"WHERE i = \S+", "WHERE 1", sent.sql))

    return tamper


def _one_row_less(pattern: str) -> Tamper:
    def tamper(sent: InterceptedStatement) -> Any:
        answer = sent.execute()
        return answer[1:] if re.search(pattern, sent.sql) else answer

    return tamper


STATEMENT_MUTANTS: dict[str, Tamper] = {
    **{name: _ignored(pattern) for name, pattern in IGNORED.items()},
    **{name: _followed(*both) for name, both in FOLLOWED.items()},
    **{name: _everywhere(pattern) for name, pattern in EVERYWHERE.items()},
    **{name: _one_row_less(pattern) for name, pattern in ONE_ROW_LESS.items()},
}
