"""Writing hive-partitioned tables: their creation, what an insert leaves in the store, refusals."""

from __future__ import annotations

import io
import re
from collections.abc import Mapping
from typing import Any

from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.recording import literal
from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from helpers.scenario.step import step
from steps.hive_partitioning.objects import BUCKET, COLLECTION, Lake
from steps.tables import Table

COLUMNS = "year UInt16, country String, x UInt8"
BY_BOTH = "(year, country)"
HIVE: Mapping[str, Any] = {"partition_strategy": "'hive'"}
ACCEPTED = "accepted"
THERE = ", and the table is there"
# Without it a refused request is repeated for minutes; an INSERT's own value of it is ignored.
ONE_ATTEMPT: Mapping[str, Any] = {"s3_retry_attempts": 1}
# For inserts of thousands of objects: no threads for a file of a few rows, and no request that asks whether
# an object exists whose name is new in any case.
MANY_OBJECTS: Mapping[str, Any] = {
    "output_format_parallel_formatting": 0,
    "s3_allow_parallel_part_upload": 0,
    "s3_truncate_on_insert": 1,
}
# For scenarios that insert so.
WITHOUT_THREADS = equivalent(
    mutant="omit[*parallel_*", statement="INSERT INTO", reason="they only save time"
)
NEW_NAMES = equivalent(
    mutant="omit[s3_truncate_on_insert]",
    statement="INSERT INTO",
    reason="names of objects are new, so there is nothing to overwrite; it saves asking for them",
)
BAD_ARGUMENTS = 36
Contents = dict[str, list[bytes]]


def new_table(lake: Lake) -> Table:
    """A table's name; its objects go below a directory of the same name, unless an argument says where."""
    return Table(lake.node, this().database, this().unique("hive"))


def creation(
    lake: Lake,
    table: Table,
    *,
    columns: str = COLUMNS,
    partition_by: str = BY_BOTH,
    collection: str = COLLECTION,
    **arguments: Any,
) -> str:
    """The statement that makes an S3 table. Arguments are SQL; None leaves one of the defaults out."""
    named: dict[str, str | None] = {
        "filename": literal(lake.filename(table.name)),
        "format": "CSV",
        **arguments,
    }
    given = [f"{name} = {value}" for name, value in named.items() if value is not None]
    clause = f" PARTITION BY {partition_by}" if partition_by else ""
    engine = f"S3({', '.join([lake.collection(collection), *given])})"
    return f"CREATE TABLE {table} ({columns}) ENGINE = {engine}{clause}"


@step("I create a table with the strategy hive")
def hive_table(lake: Lake, *, settings: Mapping[str, Any] | None = None, **arguments: Any) -> Table:
    """A table with the strategy hive; arguments are those of `creation`."""
    table = new_table(lake)
    lake.node.query(creation(lake, table, **HIVE, **arguments), settings=settings)
    return table


def outcome(lake: Lake, sql: str, settings: Mapping[str, Any] | None = None) -> str:
    """What becomes of a statement: accepted, or the code and the first line of the refusal, without what
    is different in every run."""
    try:
        lake.node.query(sql, settings=settings)
    except QueryFailed as failed:
        return refusal_line(lake, failed)
    return ACCEPTED


def refusal_line(lake: Lake, failed: QueryFailed) -> str:
    """A refusal in a line that is the same in every run."""
    line = failed.message.splitlines()[0]
    for varying, constant in (
        (re.escape(lake.store.url), "<store>"),
        (re.escape(lake.bucket), BUCKET),
        (re.escape(lake.folder), "<folder>"),
        (r"\bhive_\d+\b", "<table>"),
        (r"\b\d{19}\b", "<id>"),
    ):
        line = re.sub(varying, constant, line)
    return f"{failed.code}: {line}"


def creation_outcome(
    lake: Lake, *, settings: Mapping[str, Any] | None = None, **arguments: Any
) -> str:
    """What becomes of a CREATE TABLE (see `creation`); a refused table must not be there, an accepted one
    must."""
    table = new_table(lake)
    result = outcome(lake, creation(lake, table, **arguments), settings)
    there = lake.node.value(f"EXISTS TABLE {table}") == 1
    if there != (result == ACCEPTED):
        return f"{result}{THERE if there else ', and the table is not there'}"
    return result


def hive_outcome(lake: Lake, **arguments: Any) -> str:
    """The same for a table with the strategy hive."""
    return creation_outcome(lake, **HIVE, **arguments)


def is_refused(result: str, beginning: str = f"{BAD_ARGUMENTS}: ") -> bool:
    """Whether a creation was refused, in words that begin like this, and there is no table."""
    return result.startswith(beginning) and not result.endswith(THERE)


def not_refused(answers: Mapping[str, str], ending: str = "") -> dict[str, str]:
    """The answers of creations that were accepted, or whose refusal does not end in these words."""
    return {
        cell: answer
        for cell, answer in answers.items()
        if not is_refused(answer) or not answer.endswith(ending)
    }


def insertion(table: Table, values: str) -> str:
    """An INSERT with its rows in the statement."""
    return f"INSERT INTO {table} VALUES {values}"


@step("I insert {values} into {table}")
def insert_values(table: Table, values: str, settings: Mapping[str, Any] | None = None) -> None:
    table.node.query(insertion(table, values), settings=settings)


def objects(lake: Lake, path: str) -> Contents:
    """What the store has below a path: the contents of the objects, by directory. Their names are the
    server's own."""
    contents: Contents = {}
    for key in lake.paths(f"{path}/"):
        directory = key.removeprefix(f"{path}/").rpartition("/")[0]
        contents.setdefault(directory, []).append(lake.content(key))
    return {directory: sorted(held) for directory, held in contents.items()}


def parquet_columns(content: bytes) -> list[str]:
    """The columns of a Parquet file, out of its schema."""
    import pyarrow.parquet as pq  # here: half a second

    return list(pq.read_schema(io.BytesIO(content)).names)
