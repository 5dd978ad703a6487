"""Mutations: whether a statement that leaves one waits until it is done, which the statement says itself."""

from __future__ import annotations

import re
from collections.abc import Mapping

MUTATES = re.compile(r"ALTER TABLE \S+ (?:UPDATE|DELETE|MATERIALIZE|APPLY)\b")
# The default of a server is 0: the statement returns as soon as the mutation is registered.
UNTIL_DONE: Mapping[str, int] = {"mutations_sync": 2}


def until_done(sql: str) -> Mapping[str, int]:
    """The setting with which this statement waits for the mutation that it leaves, if it leaves one.

    Other changes wait by default: alter_sync and lightweight_deletes_sync say so.
    """
    return UNTIL_DONE if MUTATES.match(sql) else {}


def in_background(sql: str) -> dict[str, int]:
    """The one setting with which this statement does not wait for the mutation that it leaves."""
    if sql.startswith("DELETE FROM"):
        return {"lightweight_deletes_sync": 0}
    return {"mutations_sync" if MUTATES.match(sql) else "alter_sync": 0}
