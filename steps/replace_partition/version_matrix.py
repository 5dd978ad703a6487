"""Every ClickHouse that PyPI has, taking over what every other one wrote: its parts, or its data folder."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.cluster.client.failures import NodeDied
from helpers.cluster.client.interception import action
from helpers.cluster.client.recording import literals
from helpers.cluster.client.session import Row
from helpers.cluster.engines.offline import OfflineEngine, ScriptFailed
from helpers.cluster.engines.wheels import BY_CLICKHOUSE, OLDEST
from helpers.scenario.context import this
from steps.partitions import replacing
from steps.replace_partition.versions import KINDS, MORE_COLUMNS, PARTITIONS, random_rows
from steps.tables import COLUMNS, NO_MERGES

VERSIONS = tuple(BY_CLICKHOUSE)
RECENT = tuple(version for version in VERSIONS if version != OLDEST)
FORWARDS = [(old, new) for n, old in enumerate(RECENT) for new in RECENT[n + 1 :]]
BACKWARDS = [(new, old) for old, new in FORWARDS]
FROM_OLDEST = [(OLDEST, version) for version in RECENT]
TO_OLDEST = [(version, OLDEST) for version in RECENT]
DATABASE = "kept"
THEIRS = (f"{DATABASE}.their_source", f"{DATABASE}.their_destination")  # 2 variants
OURS = (f"{DATABASE}.our_source", f"{DATABASE}.our_destination")  # 2 variants
EVERY = (*THEIRS, *OURS)  # 2 variants
# Source, destination and partition: theirs into ours, ours into theirs, theirs into theirs.
REPLACED = (
    (THEIRS[0], OURS[1], 1),
    (OURS[0], THEIRS[1], 1),
    (THEIRS[0], THEIRS[1], 2),
)  # 3 variants
# What is replaced is removed from the disk in an hour: a kill comes before that, however late it is.
REPLACED_PARTS_STAY = {"merge_tree_clear_old_parts_interval_seconds": 3600}
Contents = Mapping[str, Sequence[Row]]


class Refused(Exception):
    """An engine does not load tables, attach parts or read them, and says so."""


@dataclass(frozen=True)
class Folder:
    """A data folder as the engine that wrote it has left it, and what is in its tables."""

    version: str
    kind: str
    engine: OfflineEngine
    contents: Contents
    paths: Mapping[str, Path]

    @property
    def untouched(self) -> Path:
        """A copy that no engine has opened."""
        return self.engine.folder / "untouched"

    @property
    def mark(self) -> Path:
        """A file that says that somebody may have worked here since; the copy does not have it."""
        return self.engine.data / "worked-on"

    def under(self, version: str) -> OfflineEngine:
        """An engine on this folder, whatever is in it now."""
        return this().cluster.offline(version, self.engine.folder)


def _keep(folder: Folder) -> None:
    """Have `_restore` bring back what is there now."""
    shutil.rmtree(folder.untouched, ignore_errors=True)
    folder.mark.unlink(missing_ok=True)
    shutil.copytree(folder.engine.data, folder.untouched, symlinks=True)
    folder.mark.touch()


def _restored(folder: Folder) -> None:
    """The folder is as its writer has left it; every user of it gets it so."""
    _restore(folder)
    assert not folder.mark.exists(), f"{folder.engine.name} is not what its writer has left"
    folder.mark.touch()


@action
def _restore(folder: Folder) -> None:
    """Bring the folder back to what its writer has left."""
    shutil.rmtree(folder.engine.data)
    shutil.copytree(folder.untouched, folder.engine.data, symlinks=True)


@action
def copy_parts(table: Path, into: Path) -> list[str]:
    """Copy the parts of one table to where another one attaches them from; their names."""
    parts = _parts(table)
    for part in parts:
        shutil.copytree(part, into / "detached" / part.name)
    return [part.name for part in parts]


def _parts(table: Path) -> list[Path]:
    """The parts of a table as they were inserted, one for each partition."""
    parts = sorted(table.glob("*_*_*_0"))
    assert len(parts) == len(PARTITIONS), f"{table} has {parts}"
    return parts


def creating(table: str, kind: str) -> str:
    settings = {**NO_MERGES, **REPLACED_PARTS_STAY, **KINDS[kind]}
    options = ", ".join(f"{name} = {value!r}" for name, value in settings.items())
    return (
        f"CREATE TABLE {table} ({COLUMNS}, {MORE_COLUMNS}) ENGINE = MergeTree "
        f"PARTITION BY p ORDER BY i SETTINGS {options}"
    )


def filling(table: str) -> str:
    rows = literals(random_rows(table)).replace("\n", " ")  # in a script a line ends the rows
    return f"INSERT INTO {table} (p, i, owner) VALUES {rows}"


def reading(table: str) -> str:
    return f"SELECT * FROM {table} ORDER BY p, i"


def written_folder(
    version: str, kind: str, full: Sequence[str] = THEIRS, empty: Sequence[str] = ()
) -> Folder:
    """A data folder of this engine, with tables that it has filled and empty ones."""
    engine = this().cluster.offline(version)
    made = [f"CREATE DATABASE {DATABASE} ENGINE = Atomic"]
    made += [creating(table, kind) for table in (*full, *empty)]
    made += [filling(table) for table in full]
    asked = [
        "SELECT version()",
        "SELECT concat(database, '.', name), data_paths[1] FROM system.tables "
        f"WHERE database = '{DATABASE}'",
    ]
    answers = engine.execute([*made, *asked, *map(reading, full)])[len(made) :]
    reported_version, paths, *contents = answers
    assert reported_version[0][0].startswith(f"{version}."), (
        f"{engine.name} says that it is {reported_version}"
    )
    assert all(contents), "the fixture is empty"
    rows = dict(zip(full, contents, strict=True))
    folder = Folder(version, kind, engine, rows, {name: Path(path) for name, path in paths})
    for table in full:
        for part in _parts(folder.paths[table]):
            assert (part / "data.bin").exists() == (kind == "compact"), f"{part} is not {kind}"
    _keep(folder)
    return folder


def taken_by_opening(written: Folder, taker: str) -> str | None:
    """Another engine opens the whole data folder; what is violated."""
    _restored(written)
    made = [sql for table in OURS for sql in (creating(table, written.kind), filling(table))]
    return _replaced_across(written.under(taker), made, written.contents)


def taken_by_attaching(written: Folder, own: Folder) -> str | None:
    """The engine of another folder attaches the parts to its tables; what is violated."""
    _restored(own)
    attached = [
        f"ALTER TABLE {table} ATTACH PART '{part}'"
        for table in THEIRS
        for part in copy_parts(_in_copy(written, table), own.paths[table])
    ]
    return _replaced_across(own.engine, attached, written.contents)


def crash_after_replace(written: Folder) -> list[Row]:
    """Kill the engine right after it has answered REPLACE PARTITION; what there should be then."""
    source, destination = THEIRS
    written.engine.execute_and_die([replacing(destination, source, 1)])
    _keep(written)
    return _with_partition(written.contents[destination], written.contents[source], 1)


def opened_after_crash(written: Folder, version: str, expected: Sequence[Row]) -> str | None:
    """What is wrong with the destination when an engine opens the folder of a crashed one."""
    source, destination = THEIRS
    _restored(written)
    kept, found = written.under(version).execute([reading(source), reading(destination)])
    if kept != written.contents[source]:
        return "the source has other rows"
    if found == expected:
        return None
    old = [row for row in written.contents[destination] if row not in expected]
    if sorted(found) == sorted([*expected, *old]):
        return "the old rows are there as well as the new ones"
    return _difference({destination: found}, {destination: expected})


def lost_on_return(written: Folder) -> str | None:
    """The engine that wrote a folder opens it again; what it lacks of what it wrote."""
    engine = written.under(written.version)
    found = dict(zip(THEIRS, engine.execute([reading(table) for table in THEIRS]), strict=True))
    return _difference(found, written.contents)


def _in_copy(folder: Folder, table: str) -> Path:
    return folder.untouched / folder.paths[table].relative_to(folder.engine.data)


def _replaced_across(engine: OfflineEngine, first: Sequence[str], theirs: Contents) -> str | None:
    """Read what another engine wrote, replace partitions from and into it, and merge all parts."""
    reads = [reading(table) for table in EVERY]
    merges = [f"OPTIMIZE TABLE {table} FINAL" for table in EVERY]
    replaces = [replacing(destination, source, n) for source, destination, n in REPLACED]
    # Not every version has a table of parts here.
    unmerged = " UNION ALL ".join(f"SELECT _part FROM {table}" for table in EVERY)
    unmerged = f"SELECT DISTINCT _part FROM ({unmerged}) WHERE endsWith(_part, '_0')"
    try:
        answers = engine.execute([*first, *reads, *replaces, *reads, *merges, *reads, unmerged])
    except ScriptFailed as failed:
        refusal = f"code {failed.code} at {failed.sql.split()[0]}"
        if failed.number < len(first) + len(reads):
            raise Refused(refusal) from None
        return refusal
    except NodeDied:
        return "the engine died"
    del answers[: len(first)]
    before = _contents(answers)
    after = _contents(answers[len(reads) + len(replaces) :])
    merged = _contents(answers[-len(reads) - 1 :])
    expected = dict(before)
    for source, destination, partition in REPLACED:
        expected[destination] = _with_partition(expected[destination], expected[source], partition)
    if lacking := _difference({table: before[table] for table in theirs}, theirs):
        return lacking
    assert expected != before, "the fixture is wrong: to replace changes nothing"
    if after != expected:
        return "other rows after REPLACE PARTITION"
    if merged != expected:
        return "other rows after a merge"
    return f"parts that no merge has written: {answers[-1]}" if answers[-1] else None


def _contents(answers: Sequence[list[Row]]) -> dict[str, list[Row]]:
    return dict(zip(EVERY, answers, strict=False))


def _difference(found: Contents, expected: Contents) -> str | None:
    """How many of the rows are there, if it is not all of them and no others."""
    if found == expected:
        return None
    total = sum(map(len, expected.values()))
    there = sum(len(set(found[table]) & set(rows)) for table, rows in expected.items())
    more = sum(map(len, found.values())) - there
    return f"{there} of {total} rows" + (f" and {more} others" if more else "")


def _with_partition(rows: Sequence[Row], new: Sequence[Row], partition: int) -> list[Row]:
    """Rows of which one partition has been replaced, as they are read."""
    name = str(partition)
    kept = [row for row in rows if row[0] != name] + [row for row in new if row[0] == name]
    return sorted(kept, key=lambda row: (int(row[0]), int(row[1])))
