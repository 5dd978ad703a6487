"""What the files of parts must hold, computed by the server that has the parts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from pipelines.clickhouse.types import literal, quoted
from pipelines.compare.fingerprint import Fingerprint, hash_sql, sums_sql
from pipelines.export.commit import PART_NAME, Commit
from pipelines.export.plan import Plan, PlannedPart
from pipelines.export.readers import without_fingerprint

# How many rows of a part its commit file remembers.
SAMPLE = 16
# Engines whose merges leave all rows.
KEEP_ROWS = ("MergeTree", "ReplicatedMergeTree", "SharedMergeTree")


class Expected(NamedTuple):
    """How many rows a part has, their fingerprint unless a column's type has none, and hashes of some."""

    rows: int
    fingerprint: Fingerprint | None = None
    sample: tuple[int, ...] = ()


def expected_rows(
    plan: Plan, parts: Sequence[PlannedPart], with_fingerprint: bool
) -> dict[str, Expected]:
    """What a reader of each part sees; one query for all of them."""
    names = [planned.part.name for planned in parts]
    columns = ", ".join(map(quoted, plan.columns))
    if len(parts) == 1:
        part, source, group = literal(names[0]), f"({parts[0].select}{_settings(plan)})", ""
    else:
        listed = ", ".join(map(literal, names))
        part, group = "_part", " GROUP BY _part"
        source = (
            f"(SELECT _part, {columns} FROM {plan.source.sql} WHERE _part IN ({listed})"
            f"{_settings(plan)})"
        )
    hashed = hashed_columns(plan.columns) if with_fingerprint else {}
    is_whole = bool(hashed) and len(hashed) == len(plan.columns)
    numbers = sums_sql(hash_sql(hashed)) if is_whole else "count()"
    if hashed:
        row = "_row_hash" if is_whole else hash_sql(hashed)
        numbers += f", arrayMap(_h -> toString(_h), groupArray({SAMPLE})({row}))"
    none = Expected(0, Fingerprint() if is_whole else None)
    expected = {}
    for name, rows, *more in plan.server.rows(f"SELECT {part}, {numbers} FROM {source}{group}"):
        sample = tuple(map(int, more.pop())) if hashed else ()
        sums = Fingerprint(int(rows), *map(int, more)) if is_whole else None
        expected[str(name)] = Expected(int(rows), sums, sample)
    # A part whose rows are all removed has no group.
    return {name: expected.get(name, none) for name in names}


def hashed_columns(columns: Mapping[str, str]) -> dict[str, str]:
    """The columns that a row's hash covers."""
    without = without_fingerprint(columns)
    return {name: kind for name, kind in columns.items() if name not in without}


def without_proof(plan: Plan, planned: PlannedPart, commits: Iterable[Commit]) -> list[Commit]:
    """Those of these exports whose rows the part is not proved to have, by the rows they remember.

    Overlapping block numbers prove nothing: a server that starts with an empty table numbers its blocks
    from 1 again, and a restored copy of a table goes on with numbers that the first one has used.
    """
    unproved, groups = [], dict[tuple[tuple[str, str], ...], list[Commit]]()
    for commit in commits:
        if commit.rows:
            groups.setdefault(tuple(commit.columns.items()), []).append(commit)
    for columns, same in groups.items():
        found = _found(plan, planned, dict(columns), same)
        unproved += [commit for commit in same if not _is_proved(plan, planned, commit, found)]
    return unproved


def _found(
    plan: Plan, planned: PlannedPart, columns: Mapping[str, str], commits: Iterable[Commit]
) -> set[int]:
    """The hashes that these exports remember and that rows of the part have."""
    wanted = {str(row) for commit in commits for row in commit.sample}
    hashed = hashed_columns(columns)
    known = plan.source.columns
    if not wanted or any(known.get(name) != kind for name, kind in columns.items()):
        return set()
    selected = ", ".join(map(quoted, hashed))
    rows = plan.server.rows(
        f"SELECT DISTINCT toString({hash_sql(hashed)} AS _row_hash) FROM (SELECT {selected} "
        f"FROM {plan.source.sql} WHERE _part = {literal(planned.part.name)}{_settings(plan)}) "
        f"WHERE _row_hash IN ({', '.join(wanted)})"
    )
    return {int(row) for (row,) in rows}


def _is_proved(plan: Plan, planned: PlannedPart, commit: Commit, found: set[int]) -> bool:
    """Whether all rows that it remembers were found; one is enough where rows may have changed since."""
    same_rows = (
        plan.source.engine in KEEP_ROWS
        and "TTL" not in plan.source.engine_full
        and _version(planned.part.name) == _version(commit.part)
        and plan.snapshot.digest == commit.snapshot
    )
    return bool(commit.sample) and (all if same_rows else any)(
        row in found for row in commit.sample
    )


def _version(name: str) -> str | None:
    """The version that the last mutation gave a part."""
    match = PART_NAME.fullmatch(name)
    return match[5] if match else None


def _settings(plan: Plan) -> str:
    extra = ", ".join(f"{name} = {value}" for name, value in plan.snapshot.settings.items())
    return f" SETTINGS {extra}" if extra else ""
