"""Whether exported files are what their commit files say, and whether anything lies there besides."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from pipelines.clickhouse.rows import ClickHouseRows
from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import literal, quoted
from pipelines.compare import fingerprint
from pipelines.compare.fingerprint import Fingerprint
from pipelines.export.commit import EXTENSION, Commit, commits_below, violations
from pipelines.export.destination import Destination


@dataclass(frozen=True)
class Verified:
    """One exported part, or a file that no commit file speaks of; without violations it is as it was."""

    name: str
    rows: int
    violations: tuple[str, ...] = ()
    source: str = ""
    has_fingerprint: bool = True
    # Why its rows were not compared, if they should have been; and the statement that detaches its part.
    not_compared: str = ""
    columns_left_out: tuple[str, ...] = ()
    prune: str = ""


@dataclass(frozen=True)
class Compared:
    """What is known of a file from its source."""

    violations: tuple[str, ...] = ()
    reason: str = ""
    left_out: tuple[str, ...] = ()
    prune: str = ""


def verify(
    destination: Destination,
    server: Server | None = None,
    compare: Callable[[Commit], Compared] = lambda commit: Compared(),
) -> Iterator[Verified]:
    """Recompute what every commit file says: size, hashes and rows of the bytes in the store.

    Where the destination is a table, its server also reads each file, and the fingerprint of the rows
    it finds is compared with that of the part's rows. `compare` looks at the source too.
    """
    store, place = destination.store, destination.place
    known = set()
    for commit in commits_below(store, place):
        known.update(commit.keys)
        found = violations(store, place.bucket, commit)
        if not found and server and destination.table and commit.fingerprint:
            found = _rows_differ(destination, server, commit, commit.fingerprint)
        compared = Compared() if found else compare(commit)
        found += compared.violations
        yield Verified(
            commit.part,
            commit.rows,
            tuple(found),
            commit.owner,
            commit.fingerprint is not None,
            compared.reason,
            compared.left_out,
            "" if found else compared.prune,
        )
    for key, _ in store.objects(place):
        if key.endswith(EXTENSION) and key not in known:
            yield Verified(key, 0, (f"{key} is there and no commit file speaks of it",))


def _rows_differ(
    destination: Destination, server: Server, commit: Commit, expected: Fingerprint
) -> list[str]:
    assert destination.table
    columns = ", ".join(map(quoted, commit.columns))
    paths = ", ".join(literal(f"{destination.place.bucket}/{key}") for key in commit.keys)
    source = f"(SELECT {columns} FROM {destination.table.sql} WHERE _path IN ({paths}))"
    rows = ClickHouseRows(server, str(destination), source, commit.columns)
    actual = fingerprint.of_clickhouse(rows)
    if actual == expected:
        return []
    if actual.rows == expected.rows:
        return [f"{commit.key} has other rows in {destination} than the part had"]
    return [f"{commit.key} has {actual.rows} rows in {destination}, the part had {expected.rows}"]
