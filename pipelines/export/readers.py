"""What readers of exported files get of each type: the same value, another one, or none.

ClickHouse gets every value back where the column is declared with its type, as in a destination table;
here it is a reader that takes the types from the file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from pipelines.clickhouse.types import map_type, split_element, split_type
from pipelines.errors import PipelineError

READERS = ("ClickHouse", "Spark", "pyarrow", "DuckDB")
EXACT, CHANGED, REFUSED = "exact", "changed", "refused"
WHOLE_FILE = "cannot open the file"


@dataclass(frozen=True)
class Reading:
    """What one reader gets of a type: exact, changed or refused, and how."""

    status: str
    how: str = ""

    def __str__(self) -> str:
        return f"{self.status}: {self.how}" if self.how else self.status


def _changed(how: str, *readers: str) -> dict[str, Reading]:
    return dict.fromkeys(readers or READERS, Reading(CHANGED, how))


def _refused(how: str, *readers: str) -> dict[str, Reading]:
    return dict.fromkeys(readers, Reading(REFUSED, how))


_LARGE = _changed("its bytes, lowest first")
# All other types are exact for all readers.
DIFFERENT: dict[str, dict[str, Reading]] = {
    "Int128": _LARGE,
    "UInt128": _LARGE,
    "Int256": _LARGE,
    "UInt256": _LARGE,
    "IPv4": _changed("a number"),
    "IPv6": _changed("its 16 bytes"),
    "UUID": _refused(WHOLE_FILE, "Spark"),
    "Decimal256": {**_refused(WHOLE_FILE, "Spark"), **_changed("a DOUBLE", "DuckDB")},
    "DateTime64 of nanoseconds": _refused(WHOLE_FILE, "Spark"),
    "String of bytes": {
        **_changed("bytes that are no UTF-8 are replaced", "Spark"),
        **_refused("a value that is no UTF-8", "pyarrow", "DuckDB"),
    },
}
MOST_DIGITS = 38


def readings(kind: str) -> dict[str, Reading]:
    """What each reader gets of a ClickHouse type; of a compound type the worst of its elements."""
    name, arguments = split_type(kind)
    found = dict.fromkeys(READERS, Reading(EXACT))
    inner: list[str] = []
    match name:
        case "Decimal" if int(arguments[0]) > MOST_DIGITS:
            name = "Decimal256"
        case "DateTime64" if int(arguments[0]) > 6:
            name = "DateTime64 of nanoseconds"
        case "Nullable" | "LowCardinality" | "Array" | "Map":
            inner = arguments
        case "SimpleAggregateFunction":
            inner = arguments[1:]
        case "Tuple" | "Nested":
            inner = [split_element(argument)[1] for argument in arguments]
    for part in (DIFFERENT.get(name, {}), *map(readings, inner)):
        for reader, reading in part.items():
            order = (EXACT, CHANGED, REFUSED)
            found[reader] = max(
                found[reader], reading, key=lambda reading: order.index(reading.status)
            )
    return found


def differences(columns: Mapping[str, str]) -> dict[str, str]:
    """The columns that not every reader gets exactly, and what the readers get instead."""
    found = {}
    for name, kind in columns.items():
        others = [
            f"{reader} {reading}"
            for reader, reading in readings(kind).items()
            if reading.status != EXACT
        ]
        if others:
            found[name] = "; ".join(others)
    return found


def without_fingerprint(columns: Mapping[str, str]) -> list[str]:
    """The columns of types that the fingerprint does not cover: then rows are counted only."""
    found = []
    for name, kind in columns.items():
        try:
            map_type(name, kind)
        except PipelineError:
            found.append(name)
    return found


def table() -> str:
    """The types that differ, as a table in Markdown."""
    lines = [f"| type | {' | '.join(READERS)} |", f"|---|{'---|' * len(READERS)}"]
    for kind, given in DIFFERENT.items():
        cells = [str(given.get(reader, Reading(EXACT))) for reader in READERS]
        lines.append(f"| {kind} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"
