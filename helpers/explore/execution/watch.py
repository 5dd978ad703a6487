"""Looking at the tables of a history after each of its statements, at little cost.

A look lists all parts: a part whose files have the hash of one that was read before has the
same rows; the rows of all others are read. It counts detached parts if it is to. A look at everything reads
all rows as well, and costs three times as much.

What was read is remembered from history to history, but only of histories without a difference: a
wrong answer does not make the next history wrong. Each history ends with a comparison of everything.
"""

from __future__ import annotations

from collections import ChainMap, Counter
from collections.abc import Callable, Sequence

from helpers.cluster.client.session import Row as ServerRow
from helpers.explore.execution.observe import (
    ONE_THREAD,
    Observation,
    Parts,
    detached_sql,
    observed,
    read_sql,
    rows_sql,
)
from helpers.explore.model.statements import Row

Ask = Callable[[str], Sequence[ServerRow]]
Files = tuple[str, str]
"""The partition of a part, and the hash of its files."""
Known = dict[Files, tuple[int, tuple[Row, ...]] | None]
"""Files that were read: partition and rows, or None if all of them are deleted."""
MOST_KNOWN = 50_000


class Watch:
    """What is known of the parts of a history's tables; `before` are the files that others have read."""

    def __init__(self, database: str, before: Known) -> None:
        self._database = database
        self._before = before
        self._known = ChainMap[Files, tuple[int, tuple[Row, ...]] | None]({}, before)

    def confirm(self) -> None:
        """Nothing differed: the next histories need not read these files."""
        if len(self._before) > MOST_KNOWN:
            self._before.clear()
        self._before.update(self._known.maps[0])

    def everything(self, ask: Ask, tables: Sequence[str]) -> Observation:
        """All rows and all detached parts, as they are read now."""
        return observed(ask(read_sql(self._database, tables)))

    def changes(self, ask: Ask, *, detached: bool = False) -> Observation:
        """All parts, also those that are detached; the rows of those that are new are read."""
        answer = ask(
            "SELECT table, name, partition_id, hash_of_all_files, disk_name FROM system.parts "
            f"WHERE database = '{self._database}' AND active AND rows > 0 {ONE_THREAD}"
        )
        listed: dict[tuple[str, str], Files] = {
            (table, part): (partition, files) for table, part, partition, files, _ in answer
        }
        new = {table for (table, _), files in listed.items() if files not in self._known}
        read: Parts = observed(ask(rows_sql(self._database, sorted(new)))).parts if new else {}
        parts: Parts = {}
        disks: dict[str, Counter[tuple[int, str]]] = {}
        on = {(table, part): disk for table, part, _, _, disk in answer}
        for (table, part), files in listed.items():
            if table in new:
                # None: it is not empty, and all of its rows are deleted.
                self._known[files] = read.get(table, {}).pop(part, None)
            if (known := self._known[files]) is not None:
                parts.setdefault(table, {})[part] = known
                disks.setdefault(table, Counter())[known[0], on[table, part]] += 1
        for table, rest in read.items():
            parts.setdefault(table, {}).update(
                rest
            )  # parts that are not in the list are shown, too
        counts = observed(ask(detached_sql(self._database))).detached if detached else None
        return Observation(parts, counts, disks)
