"""Interception of statements on their way to a server.

Every statement, over the native protocol and over HTTP, goes through `INTERCEPTOR`. Usually it is
executed as it is; while a mutant is active (helpers/sensitivity/mutant.py) the mutant decides what is
executed and what is answered. The interceptor counts what the mutant changed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from helpers.cluster.client.interception import Call
from helpers.cluster.client.server import Server

Answer = Any
_thread = threading.local()


@dataclass(frozen=True)
class Channel:
    """A protocol: its answer without rows, how a refusal is made and read, and the exceptions that mean
    that there was no answer in time or that the server is gone."""

    empty: Answer
    refusal: Callable[[int, str], Exception]
    refusals: tuple[type[BaseException], ...]
    read_refusal: Callable[[Any], tuple[int, str]]
    silent: tuple[type[BaseException], ...]
    lost: tuple[type[BaseException], ...]
    suffix: str = ""
    """What is added to "did not answer"."""


@dataclass
class InterceptedStatement:
    """A statement before it is executed, and what a mutant may do with it.

    `memory` belongs to the mutant and is empty at the start of every scenario.
    """

    node: Server
    sql: str
    user: str
    channel: Channel
    call: Call | None
    settings: Mapping[str, Any]
    execute_unchanged: Callable[[str, Mapping[str, Any]], Answer]
    interceptor: Interceptor
    memory: dict[str, Any]
    error: BaseException | None = None

    def mark_changed(self) -> None:
        """The mutant has changed something."""
        self.interceptor.changes += 1

    def mark_possible(self) -> None:
        """The mutant may have changed something: a statement is refused, a value is wrong that may
        never be used."""
        self.interceptor.possible += 1

    def execute(self, sql: str | None = None, settings: Mapping[str, Any] | None = None) -> Answer:
        """Execute it, or another statement or other settings in its place, on the same connection."""
        try:
            return self.execute_unchanged(
                self.sql if sql is None else sql, self.settings if settings is None else settings
            )
        except BaseException as error:
            self.error = error
            raise

    def substitute(self, sql: str) -> Answer:
        """Execute another statement in its place, and return that one's answer."""
        return self.respond(self.execute(sql))

    def respond(self, answer: Answer) -> Answer:
        """Return this answer instead of the server's."""
        self.mark_changed()
        return answer

    def acknowledge(self) -> Answer:
        """Return an empty answer, as if it had been executed."""
        return self.respond(self.channel.empty)

    def refuse(self, code: int, text: str) -> Answer:
        """Fail as if the server had refused it."""
        self.mark_changed()
        self.error = self.channel.refusal(code, text)
        raise self.error

    def inject(self, sql: str) -> None:
        """Execute an additional statement, as the administrator."""
        self.mark_changed()
        self.inspect(sql)

    def inspect(self, sql: str, user: str | None = None) -> list[Any]:
        """Query the server for the mutant's own use; this is not intercepted."""
        _thread.bypass = True
        try:
            return self.node.query(sql, user=user)
        finally:
            _thread.bypass = False

    @property
    def by_administrator(self) -> bool:
        return self.user == self.node.endpoint.user


Tamper = Callable[[InterceptedStatement], Answer]


class Interceptor:
    """The active mutant of this process, if any, the number of its changes and of what may be changes,
    and its own failure."""

    def __init__(self) -> None:
        self.activate(None)

    def activate(self, tamper: Tamper | None) -> None:
        """From now on statements are given to this function; None executes them as they are."""
        self.tamper = tamper
        self.changes = 0
        self.possible = 0
        self.broken: str | None = None
        self.memory: dict[str, Any] = {}

    def pause(self) -> None:
        """Execute statements as they are from now on, and keep the counts."""
        self.tamper = None

    def intercept(
        self,
        node: Server,
        call: Call | None,
        sql: str,
        settings: Mapping[str, Any],
        user: str,
        channel: Channel,
        execute: Callable[[str, Mapping[str, Any]], Answer],
    ) -> Answer:
        """Execute a statement, or let the active mutant handle it."""
        tamper = self.tamper
        if tamper is None or getattr(_thread, "bypass", False):
            return execute(sql, settings)
        statement = InterceptedStatement(
            node, sql, user, channel, call, settings, execute, self, self.memory
        )
        try:
            return tamper(statement)
        except BaseException as error:
            # A scenario that fails because the mutant itself failed has noticed nothing. A server
            # that is killed on purpose while a mutant queries it is no failure of the mutant.
            if error is not statement.error and not isinstance(error, channel.lost):
                self.broken = f"{type(error).__name__}: {error}".splitlines()[0]
            raise

    def effects(self, noticed: bool) -> int:
        """How much it changed. What may be a change counts where the scenario noticed it: a statement that
        is refused as it is may be refused without its clause in the same way, which is no change."""
        return self.changes + (self.possible if noticed else 0)


INTERCEPTOR = Interceptor()
