"""The source of an export: a MergeTree table, its physical columns, its parts, and what may change them."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from pipelines.clickhouse.server import QueryRefused, Server, Settings
from pipelines.clickhouse.types import literal, quoted, split_arguments, split_type
from pipelines.export.errors import ExportRefused

# The kinds of columns that a part does not hold.
COMPUTED = ("ALIAS", "EPHEMERAL")
PATCH = "patch-"
NO_UUID = "00000000-0000-0000-0000-000000000000"
HASHES = re.compile(r"\w*(hash|fingerprint|crc|md5|sha)\w*\s*\(", re.IGNORECASE)
KEY_TYPES = (
    *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)),
    *("Date", "Date32", "DateTime", "DateTime64", "Time", "Time64", "String", "FixedString"),
)


@dataclass(frozen=True)
class Identity:
    """Which table on which server the rows come from; replicas of one table have the same identity.

    `table` is the table's UUID, or its Keeper path if it is replicated. A server or a table without a
    UUID is known by its host or its folder.
    """

    server: str
    table: str
    replicated: bool = False

    def __str__(self) -> str:
        return f"{self.table} on {self.server}" if self.server else self.table

    @property
    def digest(self) -> str:
        """The identity as part of a file name."""
        return hashlib.sha256(f"{self.server}\0{self.table}".encode()).hexdigest()[:16]


UNKNOWN = Identity("", "")


@dataclass(frozen=True)
class ServerTable:
    """A table as the server describes it; `columns` are the physical ones, with their types; `lake_key`
    is the key by which its rows lie in the lake, where that is not the partition key."""

    database: str
    name: str
    engine: str
    engine_full: str
    partition_key: str
    columns: dict[str, str]
    identity: Identity = UNKNOWN
    lake_key: str | None = None
    folder_names: tuple[str, ...] = ()  # where folders do not have the names of the keys

    def __str__(self) -> str:
        return f"{self.database}.{self.name}"

    @property
    def sql(self) -> str:
        return f"{quoted(self.database)}.{quoted(self.name)}"

    @property
    def keys(self) -> list[str]:
        """The expressions whose values name folders: those of the partition key, or of the lake's."""
        text = (self.partition_key if self.lake_key is None else self.lake_key).strip()
        if text == "tuple()":
            return []
        name, arguments = split_type(text)
        if name == "tuple":
            return arguments
        whole = text.startswith("(") and len(split_arguments(text)) == 1
        return split_arguments(text[1:-1] if whole and text.endswith(")") else text)


@dataclass(frozen=True)
class Part:
    """A data part as `system.parts` shows it."""

    name: str
    partition_id: str
    min_block: int
    max_block: int
    rows: int
    compressed: int
    uncompressed: int
    checksum: str
    path: str


@dataclass(frozen=True)
class Snapshot:
    """What decides which rows a reader of a table's parts sees, beside the parts themselves."""

    pending_mutations: tuple[str, ...] = ()
    patches: tuple[str, ...] = ()
    columns: tuple[tuple[str, str], ...] = field(default=())

    @property
    def digest(self) -> str:
        return hashlib.sha256(repr(self).encode()).hexdigest()[:16]

    @property
    def settings(self) -> dict[str, str | int]:
        """By which a reader sees what pending mutations will make of the rows."""
        return {"apply_mutations_on_fly": 1} if self.pending_mutations else {}


def find_table(server: Server, database: str, name: str) -> ServerTable:
    """A table that exists and that the user may see."""
    rows = server.rows(
        "SELECT engine, engine_full, partition_key, toString(serverUUID()), toString(uuid), "
        "(SELECT groupArray((name, type, default_kind)) FROM "
        "(SELECT name, type, default_kind FROM system.columns "
        f"WHERE database = {literal(database)} AND table = {literal(name)} ORDER BY position)) "
        f"FROM system.tables WHERE database = {literal(database)} AND name = {literal(name)}"
    )
    if not rows:
        raise _unknown(server, database, name)
    engine, engine_full, partition_key, own, table, columns = rows[0]
    physical = {column: kind for column, kind, default in columns if default not in COMPUTED}
    identity = _identity(server, database, name, engine, own, table)
    return ServerTable(database, name, engine, engine_full, partition_key, physical, identity)


def _identity(
    server: Server, database: str, name: str, engine: str, own: str, table: str
) -> Identity:
    """What tells the table from all others, also from those of the same name on other servers."""
    where = f"WHERE database = {literal(database)} AND"
    if engine.startswith("Replicated") and engine.endswith("MergeTree"):
        rows = server.rows(
            "SELECT COLUMNS('^zookeeper_(name|path)$') FROM system.replicas "
            f"{where} table = {literal(name)}"
        )
        if not rows:
            raise ExportRefused(
                "ACCESS_DENIED",
                f"User '{server.user}' does not see {database}.{name} in system.replicas: without its path "
                "in Keeper its replicas cannot be recognized. Grant SELECT on system.replicas.",
            )
        # Older servers have one Keeper, and no column with its name.
        return Identity("", ":".join(text for text in rows[0] if text != "default"), True)
    if table != NO_UUID:
        # An embedded ClickHouse has no UUID. There the table's own is enough: only ON CLUSTER and Replicated
        # databases give tables of several servers the same one, and it has neither.
        return Identity("" if own == NO_UUID else own, table)
    ((host, path),) = server.rows(
        f"SELECT hostName(), data_paths[1] FROM system.tables {where} name = {literal(name)}"
    )
    return Identity(host if own == NO_UUID else own, path)


def _unknown(server: Server, database: str, name: str) -> ExportRefused:
    """Why a table is not there: what a user may not see does not exist for that user."""
    who = f"does not exist, or user '{server.user}' may not see it."
    with suppress(QueryRefused):  # for lack of a grant
        if not server.rows(f"SELECT 1 FROM system.databases WHERE name = {literal(database)}"):
            return ExportRefused("UNKNOWN_DATABASE", f"Database {database} of table {name} {who}")
    return ExportRefused("UNKNOWN_TABLE", f"Table {database}.{name} {who}")


def check_engine(table: ServerTable) -> None:
    if not table.engine.endswith("MergeTree"):
        raise ExportRefused(
            "NOT_IMPLEMENTED", f"Table {table} has the engine {table.engine}, and so no parts."
        )


def find_parts(server: Server, table: ServerTable, condition: str) -> list[Part]:
    """The active parts that fulfil a condition on `system.parts`."""
    rows = server.rows(
        "SELECT name, partition_id, toString(min_block_number), toString(max_block_number), "
        "toString(rows), toString(data_compressed_bytes), toString(data_uncompressed_bytes), "
        "hash_of_all_files, path FROM system.parts "
        f"WHERE database = {literal(table.database)} AND table = {literal(table.name)} AND active "
        f"AND NOT startsWith(name, {literal(PATCH)}) AND ({condition}) ORDER BY min_block_number, name"
    )
    return [
        Part(name, partition, int(first), int(last), int(count), int(small), int(large), *texts)
        for name, partition, first, last, count, small, large, *texts in rows
    ]


def snapshot(server: Server, database: str, name: str) -> Snapshot:
    """The state of the table now; equal at the beginning and at the end of an undisturbed export."""
    where = f"database = {literal(database)} AND table = {literal(name)}"
    computed = ", ".join(map(literal, COMPUTED))
    ((mutations, patches, columns),) = server.rows(
        "SELECT (SELECT groupArray(mutation_id) FROM (SELECT mutation_id FROM system.mutations "
        f"WHERE {where} AND NOT is_done ORDER BY mutation_id)), "
        "(SELECT groupArray(name) FROM (SELECT name FROM system.parts "
        f"WHERE {where} AND active AND startsWith(name, {literal(PATCH)}) ORDER BY name)), "
        "(SELECT groupArray((name, type)) FROM (SELECT name, type FROM system.columns "
        f"WHERE {where} AND default_kind NOT IN ({computed}) ORDER BY position))"
    )
    return Snapshot(tuple(mutations), tuple(patches), tuple(map(tuple, columns)))


def key_values(
    server: Server, table: ServerTable, parts: Sequence[Part], settings: Settings
) -> dict[str, list[str]]:
    """The values of the partition key in each of these parts, as text; what `settings` would apply to their
    rows is not applied, since it changes no key. Another key of the lake needs one value in each part."""
    if not table.keys or not parts:
        return {part.name: [] for part in parts}
    # As digits, since JSON has no bytes that are not UTF-8 and replaces them by others.
    select = "SELECT _part, " + ", ".join(
        f"hex(toString({key}))"
        if table.lake_key is None
        else f"hex(toString(min({key}))), hex(toString(max({key})))"
        for key in table.keys
    )
    # A row that is deleted, or will be by a pending mutation, has the part's key as well.
    everything: dict[str, str | int] = {**dict.fromkeys(settings, 0), "apply_deleted_mask": 0}
    if table.lake_key is None:
        where, more = "_part_offset = 0", ""
        if len(parts) == 1:
            where += f" AND _part = {literal(parts[0].name)}"
    else:
        names = ", ".join(literal(part.name) for part in parts)
        where, more, everything = f"_part IN ({names})", " GROUP BY _part", {**settings}
    rows = server.rows(f"{select} FROM {table.sql} WHERE {where}{more}", **everything)
    values = {
        name: _texts(table, row if table.lake_key is None else _only(table, name, row))
        for name, *row in rows
    }
    if gone := [part.name for part in parts if part.name not in values]:
        if table.lake_key is None:
            raise no_such_part(gone[0], table)
        text = f"{gone[0]} of {table} has no row, and so no value of {table.lake_key}."
        raise ExportRefused("BAD_ARGUMENTS", text)
    return values


def _only(table: ServerTable, part: str, limits: list[str]) -> list[str]:
    """The values of the lake's key in a part, if the least is the greatest."""
    for key, least, greatest in zip(table.keys, limits[::2], limits[1::2], strict=True):
        if least != greatest:
            low, high = (
                bytes.fromhex(digits).decode(errors="replace") for digits in (least, greatest)
            )
            raise ExportRefused(
                "BAD_ARGUMENTS",
                f"{part} of {table} has several values of {key}, {low} to {high}: its files lie in one "
                "folder.",
            )
    return limits[::2]


def _texts(table: ServerTable, row: list[str]) -> list[str]:
    return [_text(table, key, digits) for key, digits in zip(table.keys, row, strict=True)]


def _text(table: ServerTable, key: str, digits: str) -> str:
    try:
        return bytes.fromhex(digits).decode()
    except UnicodeDecodeError:
        raise ExportRefused(
            "BAD_ARGUMENTS",
            f"The partition key {key} of {table} has the value unhex('{digits}'), which is no text in "
            "UTF-8 and cannot name a folder.",
        ) from None


def check_keys(server: Server, table: ServerTable) -> None:
    """Refuse a partition key whose values cannot name folders."""
    if not table.keys:
        return
    described = server.rows(f"DESCRIBE TABLE (SELECT {', '.join(table.keys)} FROM {table.sql})")
    for key, (_, kind, *_) in zip(table.keys, described, strict=True):
        name, arguments = split_type(kind)
        inner = arguments[0] if name == "LowCardinality" else kind
        if HASHES.search(key):
            reason = "is a hash"
        elif split_type(inner)[0] not in KEY_TYPES:
            reason = f"is of type {kind}"
        else:
            continue
        raise ExportRefused(
            "BAD_ARGUMENTS",
            f"The partition key {key} of {table} {reason}: Hive partitioning takes integers, dates, "
            "times and strings.",
        )


def no_such_part(name: str, table: ServerTable) -> ExportRefused:
    return ExportRefused(
        "NO_SUCH_DATA_PART", f"No such data part '{name}' to export in table '{table}'"
    )
