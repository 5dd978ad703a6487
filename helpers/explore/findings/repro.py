"""A finding as a script (helpers/deviations/reproduction.py) that shows the difference on a bare server."""

from __future__ import annotations

import re

from helpers.explore.execution.observe import OTHER_DETACHED, OTHER_PARTS
from helpers.explore.model import tables as model
from helpers.explore.model.histories import ACCEPTED, HistoryDifference
from helpers.explore.model.schema import FRAGMENT
from helpers.explore.model.statements import MUTATIONS, Row, columns_read, used_tables

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
        history.schema.create_table("", name, history.kinds[name]).replace(" .", " ")
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
    here = sql.replace(f"'{difference.database}'", "currentDatabase()")
    return here.replace(f"{difference.database}.", "")


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
    further = difference.state.tables[table].further if difference.state else ()
    columns = f"ifNull(toString(p), 'NULL') AS shown, {columns_read(further)}"
    if difference.kind == OTHER_PARTS:
        inner = f"SELECT {columns}, _part AS part FROM {table}"
        rows = "arraySort(groupArray(toString((* EXCEPT part))))"
        return f"SELECT {rows} AS rows FROM ({inner}) GROUP BY part ORDER BY rows"
    return f"SELECT {columns} FROM {table} ORDER BY ALL"


def _expected(difference: HistoryDifference) -> str:
    """What the model expects of that statement, in the words of a script."""
    if not difference.table or difference.state is None:
        return difference.expected
    table = difference.state.tables[difference.table]
    if difference.kind == OTHER_DETACHED:
        counts = sorted(model.detached(table).items())
        return "\n".join(f"{partition}, {count}" for partition, count in counts) or ACCEPTED
    parts = model.contents(table).elements()
    if difference.kind == OTHER_PARTS:
        shown = sorted(sorted(_texts(table, p, row) for row in rows) for p, rows in parts)
        return "\n".join(
            "["
            + ",".join("'(" + ",".join(f"\\'{text}\\'" for text in row) + ")'" for row in part)
            + "]"
            for part in shown
        )
    rows = sorted(_texts(table, p, row) for p, part in parts for row in part)
    return "\n".join(", ".join(row) for row in rows) or ACCEPTED


def _texts(table: model.ModelTable, partition: int, row: Row) -> tuple[str, ...]:
    """A row as the script's last statement answers it."""
    schema = table.schema
    key, value, *further = row
    texts = (
        schema.partition_type.text(partition),
        schema.key_type.text(key),
        str(value),
        *(schema.value_type.text(number) for number in further),
    )
    return tuple(text.replace("\\", "\\\\").replace("'", "\\'") for text in texts)
