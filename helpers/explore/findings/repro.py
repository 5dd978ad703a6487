"""A finding as a script (helpers/deviations/reproduction.py) that shows the difference on a bare server."""

from __future__ import annotations

import re

from helpers.explore.execution.observe import OTHER_DETACHED, OTHER_PARTS
from helpers.explore.model import tables as model
from helpers.explore.model.histories import ACCEPTED, HistoryDifference
from helpers.explore.model.statements import FRAGMENT, MUTATIONS, create_table, used_tables

REFUSED = re.compile(r"refused with code (\d+)")
SETTINGS = ", ".join(
    f"{name} = {value}" for name, value in {"async_insert": 0, **MUTATIONS}.items()
)


def script(difference: HistoryDifference, observed: str) -> str:
    """The statements of a history; the one that shows the difference says what is expected of it.

    `observed` is what a bare server has answered to it.
    """
    lines = [f"-- {difference.signature}", f"SET {SETTINGS};"]
    if difference.history.tiered:
        lines.insert(1, f"-- fragments: {FRAGMENT}")
    lines += [sql + ";" for sql in creates(difference)]
    *before, last = difference.sent
    for sent in before:
        lines.append(plain(sent.sql, difference) + ";" + _hint(sent.outcome))
    answers = [f"-- expected: {line}" for line in _expected(difference).splitlines()]
    answers += [f"-- observed: {line}" for line in observed.splitlines()]
    shown = plain(last.sql, difference)
    if difference.table:
        lines.append(shown + ";" + _hint(last.outcome))
        shown = look(difference)
    return "\n".join([*lines, "", *answers, shown + ";"]) + "\n"


def creates(difference: HistoryDifference) -> list[str]:
    """The statements that make its tables."""
    history = difference.history
    return [
        create_table("", name, history.kinds[name]).replace(" .", " ")
        for name in used_tables(history.every_statement)
    ]


def script_of_sent(difference: HistoryDifference) -> str:
    """What was sent and what came of it, where no script can show the difference by itself."""
    lines = [f"-- {difference.signature}", f"SET {SETTINGS};"]
    lines += [f"{sql};" for sql in creates(difference)]
    for sent in difference.sent:
        who = f"client {sent.client}, " if difference.history.clients else ""
        lines.append(f"{plain(sent.sql, difference)}; -- {who}{sent.outcome}")
    return "\n".join(
        [*lines, f"-- expected: {difference.expected}", f"-- actual: {difference.actual}", ""]
    )


def plain(sql: str, difference: HistoryDifference) -> str:
    """The statement as it is in a database of its own."""
    return sql.replace(f"{difference.database}.", "")


def _hint(outcome: str) -> str:
    match = REFUSED.fullmatch(outcome)
    return f" -- {{ serverError {match[1]} }}" if match else ""


def look(difference: HistoryDifference) -> str:
    """The statement that shows what is wrong with a table."""
    table = difference.table or difference.statement.table
    if difference.kind == OTHER_DETACHED:
        return (
            "SELECT partition_id, count() FROM system.detached_parts WHERE database = "
            f"currentDatabase() AND table = '{table}' GROUP BY partition_id ORDER BY partition_id"
        )
    if difference.kind == OTHER_PARTS:
        return (
            "SELECT p, arraySort(groupArray((i, v))) AS rows FROM "
            f"{table} GROUP BY p, _part ORDER BY p, rows"
        )
    return f"SELECT p, i, v FROM {table} ORDER BY p, i, v"


def _expected(difference: HistoryDifference) -> str:
    """What the model expects of that statement, in the words of a script."""
    if not difference.table or difference.state is None:
        return difference.expected
    table = difference.state.tables[difference.table]
    if difference.kind == OTHER_DETACHED:
        counts = sorted(model.detached(table).items())
        return "\n".join(f"{partition}, {count}" for partition, count in counts) or ACCEPTED
    parts = sorted(model.contents(table).elements())
    if difference.kind == OTHER_PARTS:
        return "\n".join(
            f"{partition}, [{','.join(f'({k},{v})' for k, v in rows)}]" for partition, rows in parts
        )
    rows = sorted((partition, k, v) for partition, part in parts for k, v in part)
    return "\n".join(f"{p}, {k}, {v}" for p, k, v in rows) or ACCEPTED
