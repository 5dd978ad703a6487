"""The one way of a statement to its server: recorded, intercepted, sent, and its failure told in full."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from helpers.cluster.client.failures import LOST, QueryFailed, QueryTimedOut, describe
from helpers.cluster.client.interception import CALLS
from helpers.cluster.client.recording import Statement, now, preview
from helpers.cluster.client.server import Server
from helpers.cluster.client.tampering import INTERCEPTOR, Answer, Channel

ERROR_PREVIEW = 300
DYING_SECONDS = 0.5


def execute(
    server: Server,
    channel: Channel,
    statement: Statement,
    parameters: Mapping[str, Any],
    send: Callable[[str, Mapping[str, Any]], Answer],
    seconds: float,
    *,
    query_id: str = "",
    after_failure: Callable[[bool], None] = lambda refused: None,
) -> Answer:
    """Send a statement by `send` and return the answer; raise what a reader of a report needs.

    `after_failure` is called before anything is raised, with whether the server has refused it.
    """
    call = CALLS.identify(statement.sql)
    if call is not None:
        statement = replace(statement, place=call.place, occurrence=call.occurrence)
    sql, user = statement.sql, statement.user or server.endpoint.user
    with server.recorder.executing(statement) as execution:
        try:
            answer = INTERCEPTOR.intercept(server, call, sql, parameters, user, channel, send)
        except channel.refusals as error:
            after_failure(True)
            code, message = channel.read_refusal(error)
            execution.code = code
            execution.outcome = f"refused: {message.splitlines()[0][:ERROR_PREVIEW]}"
            raise QueryFailed(
                code=code,
                message=message,
                node=server.name,
                sql=sql,
                user=user,
                seconds=execution.seconds,
                query_id=query_id,
                read_log=partial(server.log_tail, 5, query_id),
            ) from None
        except channel.silent:
            after_failure(False)
            execution.outcome = "no answer in time"
            headline = f"{server.name} did not answer{channel.suffix} within {seconds:.0f} s"
            log = server.log_tail(5)
            raise QueryTimedOut(describe(headline, query=sql, log=log)) from None
        except LOST as error:
            after_failure(False)
            execution.outcome = f"connection lost: {type(error).__name__}"
            server.raise_if_dead(sql, DYING_SECONDS)
            raise
        execution.outcome = preview(answer)
        execution.rows, execution.columns = _shape(answer)
        return answer


def statement_of(
    server: Server, sql: str, user: str | None, settings: Mapping[str, Any], **more: Any
) -> Statement:
    """A statement as it is recorded before it is sent."""
    return Statement(
        node=server.name,
        sql=sql,
        at=now(),
        user=None if user == server.endpoint.user else user,
        settings=dict(settings),
        **{"database": server.database or None, **more},
    )


def _shape(answer: Answer) -> tuple[int, int]:
    """How many rows and columns an answer has; raw bytes count as lines of one column."""
    if isinstance(answer, bytes):
        return answer.count(b"\n"), 1
    return (len(answer), len(answer[0]) if answer else 0) if isinstance(answer, list) else (0, 0)
