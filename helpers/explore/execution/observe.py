"""What a server really has, read with one statement, and how it differs from the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from helpers.cluster.client.session import Row as ServerRow
from helpers.explore.model import tables as model
from helpers.explore.model.statements import Row
from helpers.explore.model.tables import ModelState

DETACHED = "detached"
OTHER_DETACHED = "other detached parts"
OTHER_PARTS = "other parts"
OTHER_DISKS = "parts on other disks"
Parts = dict[str, dict[str, tuple[int, tuple[Row, ...]]]]
ONE_THREAD = "SETTINGS max_threads = 1"
"""For few rows, more threads take more of the processors."""


@dataclass
class Observation:
    """Tables → names of parts → partition and rows; tables → how many detached parts a partition has,
    and how many parts on which disk; None if they were not read."""

    parts: Parts = field(default_factory=dict)
    detached: dict[str, Counter[int]] | None = None
    disks: dict[str, Counter[tuple[int, str]]] | None = None

    def contents(self, table: str) -> Counter[tuple[int, tuple[Row, ...]]]:
        return Counter(self.parts.get(table, {}).values())

    def name_of(self, table: str, partition: int, rows: tuple[Row, ...]) -> str | None:
        """The part with these rows."""
        names = [
            name for name, part in self.parts.get(table, {}).items() if part == (partition, rows)
        ]
        return names[0] if len(names) == 1 else None


def rows_sql(database: str, tables: Iterable[str]) -> str:
    """A statement that reads all rows of some tables, with their parts."""
    return _together(_rows_of(database, tables))


def read_sql(database: str, tables: Iterable[str]) -> str:
    """A statement that reads all rows with their parts, and the detached parts."""
    every = " UNION ALL ".join([*_rows_of(database, tables), _detached(database)])
    return f"SELECT * FROM ({every}) {ONE_THREAD}"


def detached_sql(database: str) -> str:
    """A statement that lists the detached parts."""
    return _together([_detached(database)])


def _together(selects: Sequence[str]) -> str:
    return f"{' UNION ALL '.join(selects)} {ONE_THREAD}"


def _rows_of(database: str, tables: Iterable[str]) -> list[str]:
    return [
        f"SELECT '{table}' AS t, _part AS part, p, i, v FROM {database}.{table}" for table in tables
    ]


def _detached(database: str) -> str:
    return (
        f"SELECT table AS t, '{DETACHED}' AS part, toUInt8OrZero(partition_id) AS p, "
        "toUInt32(0) AS i, toUInt32(0) AS v "
        f"FROM system.detached_parts WHERE database = '{database}'"
    )


def observed(answer: Iterable[ServerRow]) -> Observation:
    """The answer to `read_sql`."""
    detached: dict[str, Counter[int]] = {}
    observation = Observation(detached=detached)
    rows: dict[tuple[str, str, int], list[Row]] = {}
    for table, part, partition, key, value in answer:
        if part == DETACHED:
            detached.setdefault(table, Counter())[partition] += 1
        else:
            rows.setdefault((table, part, partition), []).append((key, value))
    for (table, part, partition), of_part in rows.items():
        # A name is that of one part; rows of two partitions under it would be shown as such.
        key = part if part not in observation.parts.get(table, {}) else f"{part} ({partition})"
        observation.parts.setdefault(table, {})[key] = partition, tuple(sorted(of_part))
    return observation


def difference(expected: ModelState, actual: Observation) -> tuple[str, str, str, str] | None:
    """The first table that differs, in which way, what was expected and what is there; or None."""
    for name, table in expected.tables.items():
        wanted, parts = model.contents(table), actual.contents(name)
        if wanted != parts:
            return name, _kind(wanted, parts), shown(name, wanted), shown(name, parts)
        if actual.disks is not None and table.kind == "tiered":
            wanted_disks, disks = model.disks(table), actual.disks.get(name, Counter())
            if wanted_disks != disks:
                return name, OTHER_DISKS, f"{name}: {dict(wanted_disks)}", f"{name}: {dict(disks)}"
        if actual.detached is not None:
            wanted_detached, detached = model.detached(table), actual.detached.get(name, Counter())
            if wanted_detached != detached:
                start = f"{name}: detached parts by partition: "
                texts = start + _counts(wanted_detached), start + _counts(detached)
                return name, OTHER_DETACHED, *texts
    return None


def shown(name: str, parts: Counter[tuple[int, tuple[Row, ...]]]) -> str:
    """A table in a line: partition, and the rows (key, value) of each part."""
    every = sorted(parts.elements())
    return f"{name}: " + (
        "; ".join(f"partition {p}: " + " ".join(map(str, rows)) for p, rows in every) or "empty"
    )


def _kind(
    wanted: Counter[tuple[int, tuple[Row, ...]]], actual: Counter[tuple[int, tuple[Row, ...]]]
) -> str:
    """Rows that are missing or too many; parts, where the rows are the same."""
    wanted_rows, rows = _rows(wanted), _rows(actual)
    if wanted_rows == rows:
        return OTHER_PARTS
    missing, additional = wanted_rows - rows, rows - wanted_rows
    if missing and additional:
        return "other rows"
    return "rows are missing" if missing else "rows too many"


def _rows(parts: Counter[tuple[int, tuple[Row, ...]]]) -> Counter[tuple[int, Row]]:
    return Counter((p, row) for p, rows in parts.elements() for row in rows)


def _counts(counts: Counter[int]) -> str:
    return ", ".join(f"{p}: {n}" for p, n in sorted(counts.items()) if n) or "none"
