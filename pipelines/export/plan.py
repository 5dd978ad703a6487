"""What an export will do, checked before anything is written: parts, folders, files, segments."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from pipelines.clickhouse.server import QueryRefused, Server, Settings
from pipelines.clickhouse.types import literal, quoted
from pipelines.errors import PipelineError, Unavailable
from pipelines.export.commit import EXTENSION, commit_key, stem_of
from pipelines.export.destination import Destination, place_destination, table_destination
from pipelines.export.encoding import encoding
from pipelines.export.errors import ExportRefused
from pipelines.export.lock import PREFIX
from pipelines.export.names import DEFAULT_PATTERN, FileNames, names_of
from pipelines.export.source import (
    Part,
    ServerTable,
    Snapshot,
    check_engine,
    check_keys,
    find_parts,
    find_table,
    key_values,
    no_such_part,
    snapshot,
)
from pipelines.s3 import hive_folders
from pipelines.s3.store import Place, Store

AGE = re.compile(r"(\d+)([smhdw])")
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800}
# More seconds than any part is old; the server's numbers hold them.
OLDEST = 2**40
# They do not depend on each other, and each takes longer on its way than the server needs for it.
QUESTIONS_AT_ONCE = 4
NAME = re.compile(r"(?:`((?:[^`\\]|\\.)+)`|([^.`]+))\.(?:`((?:[^`\\]|\\.)+)`|([^.`]+))")


@dataclass(frozen=True)
class Request:
    """What a user asks for: one part, one partition (by its id) or all parts, or some of these.

    `lake_key` is the key that names folders, where that is not the table's partition key; `folder_names`
    are names for its expressions, with commas between them.
    """

    source: str
    destination: str
    part: str = ""
    partition: str = ""
    older_than: str = ""
    where: str = ""
    name_pattern: str = DEFAULT_PATTERN
    keys_in_file: bool = False
    lake_key: str | None = None
    folder_names: str = ""


@dataclass(frozen=True)
class PlannedPart:
    """A part, the file it becomes and the query for all of it."""

    part: Part
    folder: str
    key: str
    select: str
    # Names its commit file and its lock: no other part of any table has the same.
    stem: str

    @property
    def commit_key(self) -> str:
        return commit_key(self.key, self.stem)


@dataclass(frozen=True)
class Plan:
    """Everything that was decided before the first byte is written."""

    server: Server
    source: ServerTable
    destination: Destination
    snapshot: Snapshot
    parts: list[PlannedPart]
    columns: dict[str, str] = field(default_factory=dict)
    encoding: Settings = field(default_factory=dict)
    # Other replicas' plans of a part, by its name: they stand in if the server stops answering.
    stand_ins: Mapping[str, tuple[Plan, ...]] = field(default_factory=dict)

    @property
    def rows(self) -> int:
        return sum(planned.part.rows for planned in self.parts)

    @property
    def size(self) -> int:
        return sum(planned.part.compressed for planned in self.parts)


def make_plan(server: Server, request: Request, store: Store) -> Plan:
    """Check everything that can be checked without writing."""
    database, name = split_name(request.source, server.database)
    is_place = "://" in request.destination
    if not is_place and split_name(request.destination, server.database) == (database, name):
        raise ExportRefused("BAD_ARGUMENTS", "Exporting to the same table is not allowed")
    with ThreadPoolExecutor(QUESTIONS_AT_ONCE) as pool:
        known = pool.submit(encoding, server)
        state = pool.submit(snapshot, server, database, name)
        source = replace(find_table(server, database, name), lake_key=request.lake_key)
        source = replace(source, folder_names=names_of(source, request.folder_names, is_place))
        check_engine(source)
        if is_place:
            destination = place_destination(store, request.destination, request.keys_in_file)
        else:
            into = split_name(request.destination, server.database)
            destination = table_destination(server, source, *into, store)
        check_keys(server, source)
        columns = file_columns(source, destination)
        taken = pool.submit(check_store, destination)
        possible = pool.submit(_check_columns, server, source, columns)
        chosen = pool.submit(_chosen, server, source, request)
        names = FileNames.of(server, source, request.name_pattern)
        now = state.result()
        possible.result()
        taken.result()
        values = key_values(server, source, chosen.result(), now.settings)
        parts = [
            _planned(source, destination, part, columns, values[part.name], names)
            for part in chosen.result()
        ]
        return Plan(server, source, destination, now, parts, columns, known.result())


def _check_columns(server: Server, source: ServerTable, columns: Iterable[str]) -> None:
    """Refuse types that cannot be in a file, which the server knows best, and who may not read all columns:
    such a user is shown some of them only, and is refused parts."""
    selected = ", ".join(map(quoted, columns))
    server.execute(f"SELECT {selected} FROM {source.sql} WHERE _part IN ('') FORMAT Parquet", {})


def check_store(destination: Destination) -> None:
    """Refuse a store that does not take files; the attempt leaves nothing."""
    store, place = destination.store, destination.place
    probe = f"{place.prefix}{PREFIX}probe"
    try:
        store.abandon(store.begin(place.bucket, probe))
        # A process that was killed between these two has left its own.
        for upload in store.uploads(Place(place.bucket, probe)):
            store.abandon(upload)
    except Unavailable:
        raise
    except PipelineError as error:
        raise ExportRefused("S3_ERROR", str(error)) from None


def seconds_of(age: str) -> int:
    """The seconds of an age like 7d."""
    match = AGE.fullmatch(age)
    if not match:
        raise PipelineError(f"An age is a number and s, m, h, d or w, like 7d, not '{age}'.")
    return min(int(match[1]) * UNITS[match[2]], OLDEST)


def split_name(text: str, database: str) -> tuple[str, str]:
    """Database and table of a name; the database may be left out."""
    if "." not in text:
        return database, text.strip("`")
    match = NAME.fullmatch(text.strip())
    if not match:
        raise ExportRefused("BAD_ARGUMENTS", f"'{text}' is no name of a table: it is db.table.")
    return match[1] or match[2], match[3] or match[4]


def file_columns(source: ServerTable, destination: Destination) -> dict[str, str]:
    """The columns in the files: all physical ones but those that name folders."""
    named = () if destination.keys_in_files else source.keys
    columns = {
        name: kind
        for name, kind in source.columns.items()
        if name not in named and quoted(name) not in named
    }
    if not columns:
        raise ExportRefused(
            "BAD_ARGUMENTS",
            f"All columns of {source} are in its partition key: none is left for files.",
        )
    return columns


def _chosen(server: Server, source: ServerTable, request: Request) -> list[Part]:
    """The parts that are asked for; a part or a partition that is named must be there."""
    named = ["1"]
    if request.part:
        named.append(f"name = {literal(request.part)}")
    if request.partition:
        named.append(f"partition_id = {literal(request.partition)}")
    conditions = list(named)
    if request.older_than:
        # A difference of numbers: a time before 1970 would wrap around, and all parts would be older.
        seconds = seconds_of(request.older_than)
        conditions.append(f"toInt64(now()) - toInt64(modification_time) > {seconds}")
    if request.where:
        _check_condition(server, request.where)
        conditions.append(request.where)
    found = find_parts(server, source, _all_of(conditions))
    # Empty parts cover for a while what was dropped: they have neither rows nor a value of the key.
    parts = [part for part in found if part.rows or request.part]
    if found and not parts:
        return []
    if not parts and conditions != named and find_parts(server, source, _all_of(named)):
        return []  # they are there, and are not to be exported
    if not parts and request.part:
        raise no_such_part(request.part, source)
    if not parts and request.partition:
        raise ExportRefused(
            "NO_SUCH_DATA_PART",
            f"Table {source} has no active part of partition '{request.partition}'. Partitions are named "
            "by their id: SELECT DISTINCT partition_id FROM system.parts.",
        )
    return parts


def _all_of(conditions: Iterable[str]) -> str:
    return " AND ".join(f"({text})" for text in conditions)


def _check_condition(server: Server, condition: str) -> None:
    """Refuse what is no condition on `system.parts` by itself: the others must hold beside it."""
    try:
        server.run(f"SELECT {condition} FROM system.parts LIMIT 0")
    except QueryRefused as refused:
        raise QueryRefused(
            f"The condition '{condition}' cannot be: {refused}", refused.code
        ) from None


def _planned(
    source: ServerTable,
    destination: Destination,
    part: Part,
    columns: Iterable[str],
    values: list[str],
    names: FileNames,
) -> PlannedPart:
    folder = hive_folders.folder(source.folder_names or map(_unquoted, source.keys), values)
    selected = ", ".join(map(quoted, columns))
    select = f"SELECT {selected} FROM {source.sql} WHERE _part = {literal(part.name)}"
    key = f"{destination.place.prefix}{folder}{names.name(part)}{EXTENSION}"
    return PlannedPart(part, folder, key, select, stem_of(part, source.identity))


def _unquoted(key: str) -> str:
    return key[1:-1] if key.startswith("`") and key.endswith("`") else key
