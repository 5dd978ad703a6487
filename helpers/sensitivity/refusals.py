"""What mutants of several features do with refusals of the server."""

from __future__ import annotations

from helpers.sensitivity.mutant import REFUSALS, Answer, InterceptedStatement


def accept_refusal(
    statement: InterceptedStatement, applies: bool = True, code: int | None = None
) -> Answer:
    """Execute a statement; where it applies, acknowledge it although it is refused (with this code)."""
    try:
        return statement.execute()
    except REFUSALS as refused:
        if not applies or code not in (None, refused.code):
            raise
        return statement.acknowledge()


def inject_on_refusal(
    statement: InterceptedStatement, sql: str | None, code: int | None = None
) -> Answer:
    """Execute a statement; where it is refused (with this code), execute another one as well, if given."""
    try:
        return statement.execute()
    except REFUSALS as refused:
        if sql and code in (None, refused.code):
            statement.inject(sql)
        raise


def refuse_if(statement: InterceptedStatement, applies: bool, code: int, text: str) -> Answer:
    """Refuse a statement where that applies, and execute it elsewhere."""
    return statement.refuse(code, text) if applies else statement.execute()
