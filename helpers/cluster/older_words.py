"""Statements in the words of earlier versions, for servers that do not know those of today."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from helpers.cluster.failures import QueryFailed
from helpers.cluster.node import Node
from helpers.cluster.session import Row

UNKNOWN_DATABASE_ENGINE = 336
SYNTAX_ERROR = 62
INLINE_ROWS = re.compile(r"\s*INSERT\s+INTO\b.*?\bVALUES\s*\(", re.IGNORECASE | re.DOTALL)


class TakesOlderWords(Node):
    """A node whose server may be of any version."""

    older_words: set[str]
    """Statements that it wants in the words of earlier versions, as far as it has shown."""

    def query(self, sql: str, *, user: str | None = None, **options: Any) -> list[Row]:
        # Old servers wait for rows after an INSERT over the native protocol, though it has them in it.
        if INLINE_ROWS.match(sql) and options.get("data") is None and self.is_outdated:
            self.http(sql, user=user, **(options.get("settings") or {}))
            return []
        return super().query(sql, user=user, **options)

    # Before databases were atomic, a dropped table was gone at once, and no word asked for it.

    def create_database(self, name: str) -> None:
        self._either(super().create_database, UNKNOWN_DATABASE_ENGINE, "CREATE DATABASE", name)

    def drop_database(self, name: str) -> None:
        self._either(super().drop_database, SYNTAX_ERROR, "DROP DATABASE IF EXISTS", name)

    def drop_table(self, name: str) -> None:
        self._either(super().drop_table, SYNTAX_ERROR, "DROP TABLE", name)

    def _either(self, verb: Callable[[str], None], code: int, older: str, name: str) -> None:
        """The verb of today, or what servers have to be told that do not know it."""
        if older not in self.older_words:
            try:
                verb(name)
                return
            except QueryFailed as failed:
                if failed.code != code:
                    raise
        self.query(f"{older} {name}")
        self.older_words.add(older)
