"""The client of clickhouse-driver, changed to keep its connection and to refuse unknown settings."""

from __future__ import annotations

import re
import sys
from typing import Any

import clickhouse_driver
from clickhouse_driver import errors

_STATE = re.compile(r"\s*(SET|USE|BEGIN|CREATE\s+(OR\s+REPLACE\s+)?TEMPORARY)\b", re.IGNORECASE)


class Client(clickhouse_driver.Client):  # type: ignore[misc]
    """A connection that stays open after a refusal; a setting that the server does not know is refused."""

    def __init__(self, **options: Any) -> None:
        # By default the server ignores a setting that it does not know: a misspelt one would test nothing.
        super().__init__(**options, settings_is_important=True)

    def disconnect(self) -> None:
        """Called by the driver after every error. After a refusal the connection can still be used, with its
        temporary tables, so it is kept."""
        if isinstance(sys.exc_info()[1], errors.ServerException):
            self.connection.is_query_executing = False
            if self._is_in_step():
                return
        self.hang_up()

    def _is_in_step(self) -> bool:
        """Whether the connection can be used after a refusal. Servers of 2018 take what was sent behind the
        refused statement for the next one."""
        try:
            return bool(self.connection.ping())
        except (errors.Error, OSError, EOFError):
            return False

    def hang_up(self) -> None:
        super().disconnect()


def leaves_state(sql: str) -> bool:
    """Whether a statement changes the connection it runs on, for the statements after it."""
    return _STATE.match(sql) is not None
