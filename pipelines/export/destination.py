"""The destination of an export: an S3 table with Hive partitioning, or a place on S3."""

from __future__ import annotations

import re
import urllib.parse
from dataclasses import dataclass, replace

from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import split_arguments, split_type
from pipelines.errors import PipelineError
from pipelines.export.errors import ExportRefused
from pipelines.export.source import ServerTable, find_table
from pipelines.s3.store import Place, Store

# What a server calls the engine, also where a definition says GCS, COSN or OSS; engines over other stores
# need a client that is not here.
ENGINE = "S3"
PAIR = re.compile(r"(\w+)\s*=\s*(.+)", re.DOTALL)
TRUE = ("1", "true")
WRAPPERS = ("LowCardinality", "SimpleAggregateFunction")


@dataclass(frozen=True)
class Destination:
    """Where files go; `table` is None for a place that no table is named for."""

    store: Store
    place: Place
    table: ServerTable | None = None
    keys_in_files: bool = False

    def __str__(self) -> str:
        return str(self.table or self.place)


def place_destination(store: Store, path: str, keys_in_files: bool = False) -> Destination:
    """A place on S3, by s3://bucket/prefix."""
    return Destination(store, Place.parse(path), keys_in_files=keys_in_files)


def table_destination(
    server: Server, source: ServerTable, database: str, name: str, store: Store
) -> Destination:
    """A table of the server that can take the source's parts; else why it cannot.

    Where the store is comes from the table. The keys come from `store`: the server hides its own.
    """
    table = find_table(server, database, name)
    if server.rows(f"CHECK GRANT INSERT ON {table.sql}") != [[1]]:
        raise ExportRefused(
            "ACCESS_DENIED", f"{server.user}: Not enough privileges: INSERT on {table} is needed."
        )
    destination = locate(table, store)
    check_structure(source, table)
    return destination


def locate(table: ServerTable, store: Store) -> Destination:
    """Where a table keeps its files, if it keeps them as exports do."""
    arguments = _arguments(table)
    pairs = [pair for text in arguments if (pair := PAIR.fullmatch(text))]
    named = {pair[1]: pair[2].strip("'") for pair in pairs}
    if table.engine != ENGINE or named.get("partition_strategy") != "hive":
        raise ExportRefused(
            "NOT_IMPLEMENTED",
            f"Destination storage {table.engine} does not support MergeTree parts or uses "
            "unsupported partitioning",
        )
    if (format_name := named.get("format") or _format(arguments)) != "Parquet":
        raise ExportRefused(
            "NOT_IMPLEMENTED", f"Table {table} has the format {format_name}, not Parquet."
        )
    endpoint, place = _location(table, named.get("url") or arguments[0].strip("'"))
    keys_in_files = named.get("partition_columns_in_data_file", "0") in TRUE
    return Destination(replace(store, endpoint=endpoint), place, table, keys_in_files)


def check_structure(source: ServerTable, destination: ServerTable) -> None:
    """Refuse other columns, another order, other types and another partition key."""
    ours, theirs = list(source.columns), list(destination.columns)
    if ours != theirs:
        raise ExportRefused(
            "INCOMPATIBLE_COLUMNS",
            f"Tables have different structure: {source} has the columns {', '.join(ours)}, "
            f"{destination} has {', '.join(theirs)}.",
        )
    for name, kind in source.columns.items():
        other = destination.columns[name]
        if _plain(kind) != _plain(other):
            raise ExportRefused(
                "INCOMPATIBLE_COLUMNS",
                f"Tables have different structure: column {name} is {kind} in {source} and {other} in "
                f"{destination}.",
            )
    if source.keys != destination.keys:
        raise ExportRefused(
            "BAD_ARGUMENTS",
            f"Tables have different partition key: {source} has {', '.join(source.keys) or 'none'}, "
            f"{destination} has {destination.partition_key or 'none'}.",
        )


def _plain(kind: str) -> str:
    """The type that values have in a file, without what only concerns how a table keeps them."""
    name, arguments = split_type(kind)
    return _plain(arguments[-1]) if name in WRAPPERS else kind


def _arguments(table: ServerTable) -> list[str]:
    """What the table's engine was created with."""
    _, opened, rest = table.engine_full.partition("(")
    call = opened + rest
    end = _closing(call)
    return split_arguments(call[1:end]) if end else []


def _closing(text: str) -> int:
    """Where the parenthesis that opens a text is closed."""
    depth, quoted = 0, False
    for at, character in enumerate(text):
        if character == "'" and text[at - 1 : at] != "\\":
            quoted = not quoted
        elif not quoted:
            depth += {"(": 1, ")": -1}.get(character, 0)
            if depth == 0:
                return at
    return 0


def _format(arguments: list[str]) -> str:
    """The format among the positional arguments: the last of them."""
    positional = [text.strip("'") for text in arguments if not PAIR.fullmatch(text)]
    return positional[-1] if len(positional) > 1 else "auto"


def _location(table: ServerTable, url: str) -> tuple[str, Place]:
    """Endpoint and place of a URL, with the bucket in the path or in front of the host's name."""
    parts = urllib.parse.urlsplit(url)
    host, path = parts.netloc, parts.path.strip("/")
    if parts.scheme not in ("http", "https") or not host or "*" in path or "{" in path:
        raise PipelineError(
            f"Where {table} keeps its files cannot be told from its definition: name the place itself, "
            "s3://bucket/prefix."
        )
    bucket, dot, rest = host.partition(".s3")
    if dot:
        return f"{parts.scheme}://s3{rest}", Place.parse(f"{bucket}/{path}")
    return f"{parts.scheme}://{host}", Place.parse(path)
