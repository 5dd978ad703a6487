"""Servers of any version: statements in older syntax for those that do not know the one of today."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.session import Row
from helpers.cluster.node import Node

UNKNOWN_DATABASE_ENGINE = 336
SYNTAX_ERROR = 62
INLINE_ROWS = re.compile(r"\s*INSERT\s+INTO\b.*?\bVALUES\s*\(", re.IGNORECASE | re.DOTALL)


class AnyVersionNode(Node):
    """A node whose server may be of any version."""

    older_statements: set[str]
    """The statements that the server needs in older syntax, as far as it is known."""

    def query(self, sql: str, *, user: str | None = None, **options: Any) -> list[Row]:
        # Old servers wait for rows after an INSERT over the native protocol, though it has them in it.
        if INLINE_ROWS.match(sql) and options.get("data") is None and self.is_outdated:
            self.http(sql, user=user, **(options.get("settings") or {}))
            return []
        return super().query(sql, user=user, **options)

    # Before databases were atomic a dropped table was gone at once, and there was no SYNC.

    def create_database(self, name: str) -> None:
        self._either(super().create_database, UNKNOWN_DATABASE_ENGINE, "CREATE DATABASE", name)

    def drop_database(self, name: str) -> None:
        self._either(super().drop_database, SYNTAX_ERROR, "DROP DATABASE IF EXISTS", name)

    def drop_table(self, name: str) -> None:
        self._either(super().drop_table, SYNTAX_ERROR, "DROP TABLE", name)

    def _either(self, method: Callable[[str], None], code: int, older: str, name: str) -> None:
        """Call a method, or execute the older statement if the server refuses the new one with this code."""
        if older not in self.older_statements:
            try:
                method(name)
                return
            except QueryFailed as failed:
                if failed.code != code:
                    raise
        self.query(f"{older} {name}")
        self.older_statements.add(older)
