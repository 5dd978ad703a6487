"""What a server really has, read with one statement, and how it differs from the model."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from helpers.cluster.client.session import Row as ServerRow
from helpers.explore.model import tables as model
from helpers.explore.model.schema import (
    COLUMN,
    PARTITION_BY,
    RENAMED,
    SIMPLE,
    UNKNOWN,
    KeyType,
    Schema,
)
from helpers.explore.model.statements import Row
from helpers.explore.model.tables import ModelState, ModelTable

DETACHED, DISK = "detached", "disk"
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


def read_sql(database: str, tables: Mapping[str, ModelTable], *, disks: bool = False) -> str:
    """A statement that reads all rows with their parts, and the detached parts; with the disks of parts
    if it is to. All values are texts."""
    every = [_rows_of(database, name, table) for name, table in tables.items()]
    every.append(
        f"SELECT table, '{DETACHED}', ifNull(partition_id, ''), '', '', '', '' "
        f"FROM system.detached_parts WHERE database = '{database}'"
    )
    if disks:
        every.append(
            f"SELECT table, '{DISK}', name, disk_name, '', '', '' FROM system.parts "
            f"WHERE database = '{database}' AND active AND rows > 0"
        )
    return f"{' UNION ALL '.join(every)} {ONE_THREAD}"


def _rows_of(database: str, name: str, table: ModelTable) -> str:
    values = [_text(column) for column in ("p", "i", "v")]
    values += [_text(column) if column in table.further else "''" for column in (COLUMN, RENAMED)]
    return f"SELECT '{name}', _part, {', '.join(values)} FROM {database}.{name}"


def _text(column: str) -> str:
    return f"ifNull(toString({column}), 'NULL')"


class Decoder:
    """The numbers that texts of a schema stand for."""

    def __init__(self, schema: Schema) -> None:
        self.partitions = _numbers(schema.partition_type)
        self.keys = _numbers(schema.key_type)
        self.values = {schema.value_type.text(number): number for number in range(1, 256)}

    def row(self, key: str, value: str, *further: str) -> Row:
        """Key, value and further columns of a row."""
        decoded = [self.values.get(text, UNKNOWN) for text in further]
        return _number(self.keys, key), _number({}, value), *decoded


ID_OF_NULL = "2b16b490a87466b6a6d34fd9027f3c3d"
"""The id of the partition of NULL, which partitionId() does not compute."""
_ids: dict[str, dict[str, int]] = {}


def partition_ids(
    schema: Schema, ask: Callable[[str], Sequence[ServerRow]]
) -> Mapping[str, int] | None:
    """The numbers of partitions by their ids, which the server computes; None if an id is its number."""
    kind, expression = schema.partition_type, PARTITION_BY.get(schema.partition, ("", "p"))[1]
    if not kind.literals and expression == "p":
        return None
    if schema.partition not in _ids:
        literals = [kind.literal(number) for number in (1, 2, 3)]
        every = f"SELECT arrayJoin(CAST([{', '.join(literals)}] AS Array({kind.type}))) AS p"
        arguments = expression if expression.startswith("(") else f"({expression})"
        rows = ask(f"SELECT partitionId{arguments} FROM ({every})")
        _ids[schema.partition] = {
            row[0] or ID_OF_NULL: number for number, row in enumerate(rows, start=1)
        }
    return _ids[schema.partition]


@cache
def decoder(schema: Schema) -> Decoder:
    """The decoder of a schema."""
    return Decoder(schema)


def _numbers(kind: KeyType) -> dict[str, int]:
    return {text: number for number, text in enumerate(kind.texts, start=1)}


def _number(known: Mapping[str, int], text: str) -> int:
    """A type without texts shows its numbers themselves."""
    return known.get(text, UNKNOWN) if known else int(text)


def observed(
    answer: Iterable[ServerRow],
    schema: Schema = SIMPLE,
    ids: Mapping[str, int] | None = None,
    further: Mapping[str, Sequence[str]] | None = None,
) -> Observation:
    """The answer to `read_sql`. `ids`: the partitions by their id; `further`: further columns by table."""
    decode = decoder(schema)
    detached: dict[str, Counter[int]] = {}
    observation = Observation(detached=detached)
    rows: dict[tuple[str, str, int], list[Row]] = {}
    disks: dict[tuple[str, str], str] = {}
    for table, part, p, key, value, *rest in answer:
        if part == DETACHED:
            number = (ids or {}).get(p, UNKNOWN) if ids else int(p)
            detached.setdefault(table, Counter())[number] += 1
        elif part == DISK:
            disks[table, p] = key
        else:
            texts = [
                text
                for name, text in zip((COLUMN, RENAMED), rest, strict=True)
                if name in (further or {}).get(table, ())
            ]
            partition = _number(decode.partitions, p)
            rows.setdefault((table, part, partition), []).append(decode.row(key, value, *texts))
    for (table, part, partition), of_part in rows.items():
        # A name is that of one part; rows of two partitions under it would be shown as such.
        key = part if part not in observation.parts.get(table, {}) else f"{part} ({partition})"
        observation.parts.setdefault(table, {})[key] = partition, tuple(sorted(of_part))
    if disks:
        observation.disks = {
            table: Counter(
                (partition, disks.get((table, name), "")) for name, (partition, _) in parts.items()
            )
            for table, parts in observation.parts.items()
        }
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


def differing_keys(
    table: ModelTable, actual: Counter[tuple[int, tuple[Row, ...]]]
) -> frozenset[int]:
    """The keys of the rows that are missing or too many."""
    wanted, rows = _rows(model.contents(table)), _rows(actual)
    return frozenset(row[0] for _, row in [*(wanted - rows), *(rows - wanted)])


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
