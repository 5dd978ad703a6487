"""The statements that histories are made of, and their SQL.

A statement is data. It names tables and partitions, never parts: `number` says which part of the partition
is meant, and its name is looked up when the statement is sent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

Row = tuple[int, int]
"""Key and value of a row; the partition is known where rows are kept."""

TABLES = ("a", "b", "c")
SPARE = "d"
"""A name that no table has at the beginning: what RENAME renames to."""

TABLE_KINDS = {
    "plain": "MergeTree",
    "replacing": "ReplacingMergeTree(v)",
    "window": "MergeTree",
    "tiered": "MergeTree",
    "s3": "MergeTree",
}
DEFAULT_TABLES = ("plain", "replacing", "window", "tiered")
"""Those that need nothing beside a server."""
FRAGMENT = "disks"
"""The configuration (configs/fragments) that a tiered table needs: a policy of two volumes, a disk each."""
DISKS = ("one", "two")
VOLUMES = ("hot", "cold")
COLUMNS = "p UInt8, i UInt32, v UInt32"
NO_MERGES = "max_bytes_to_merge_at_max_space_in_pool = 1"
TIERED = "storage_policy = 'tiered'"
S3 = "storage_policy = 'explore_s3'"
WINDOW = "non_replicated_deduplication_window = 100"
ONE_BLOCK_A_ROW = (
    "max_block_size = 1, min_insert_block_size_rows = 1, min_insert_block_size_bytes = 0, "
    "max_insert_block_size = 1"
)

MUTATES = re.compile(r"ALTER TABLE \S+ (?:UPDATE|DELETE)\b")
MUTATIONS = {"mutations_sync": 1}
"""A statement of a history returns when its mutation is done: what the model knows is then there to see."""

ONE_TABLE = {
    "drop": "ALTER TABLE {table} DROP PARTITION {partition}",
    "detach": "ALTER TABLE {table} DETACH PARTITION {partition}",
    "attach": "ALTER TABLE {table} ATTACH PARTITION {partition}",
    "update": "ALTER TABLE {table} UPDATE v = v + 10 WHERE i = {number}",
    "delete": "ALTER TABLE {table} DELETE WHERE i = {number}",
    "lightweight-delete": "DELETE FROM {table} WHERE i = {number}",
    "optimize": "OPTIMIZE TABLE {table} PARTITION {partition} FINAL",
    "optimize-table": "OPTIMIZE TABLE {table} FINAL",
    "freeze": "ALTER TABLE {table} FREEZE PARTITION {partition} WITH NAME '{backup}' "
    "SETTINGS alter_partition_verbose_result = 1",
    "unfreeze": "ALTER TABLE {table} UNFREEZE PARTITION {partition} WITH NAME '{backup}' "
    "SETTINGS alter_partition_verbose_result = 1",
    "add-column": "ALTER TABLE {table} ADD COLUMN extra UInt8 DEFAULT 7",
    "drop-column": "ALTER TABLE {table} DROP COLUMN extra",
    "drop-part": "ALTER TABLE {table} DROP PART '{part}'",
    "detach-part": "ALTER TABLE {table} DETACH PART '{part}'",
    "drop-detached": "ALTER TABLE {table} DROP DETACHED PARTITION {partition} "
    "SETTINGS allow_drop_detached = 1",
    "truncate": "TRUNCATE TABLE {table}",
    "rename": "RENAME TABLE {table} TO {spare}",
    "rename-back": "RENAME TABLE {spare} TO {table}",
    "move-to-disk": "ALTER TABLE {table} MOVE PARTITION {partition} TO DISK '{disk}'",
    "move-to-volume": "ALTER TABLE {table} MOVE PARTITION {partition} TO VOLUME '{volume}'",
    "reload": "DETACH TABLE {table}; ATTACH TABLE {table}",
}
TWO_TABLES = {
    "replace": "ALTER TABLE {table} REPLACE PARTITION {partition} FROM {other}",
    "attach-from": "ALTER TABLE {table} ATTACH PARTITION {partition} FROM {other}",
    "move": "ALTER TABLE {table} MOVE PARTITION {partition} TO TABLE {other}",
    "exchange": "EXCHANGE TABLES {table} AND {other}",
}
PARTS_BY_NAME = ("drop-part", "detach-part")
RESTART = "restart"
SIGKILL = "sigkill"
STARTED_AGAIN = {
    RESTART: "-- the server is restarted",
    SIGKILL: "-- the server is killed with SIGKILL, and started again",
}
"""The end of a server between two statements, and its name in a history."""
S3_FAULT = "s3-fault"
"""The store refuses a request of the next statement."""
FAULTS = ("PutObject", "GetObject")
FAULTY = "-- the store refuses the first {request} of the next statement"
KINDS = ("insert", "insert-parts", *TWO_TABLES, *ONE_TABLE, *STARTED_AGAIN, S3_FAULT)
"""All statement kinds; the first is what a shrunk history prefers."""
KILL = "kill"
"""KILL QUERY of what other clients have running: a statement of the concurrent profile."""
READ = "read"
"""SELECT of a partition's rows: a statement of the concurrent profile."""


@dataclass(frozen=True)
class HistoryStatement:
    """One statement of a history."""

    kind: str
    table: str = TABLES[0]
    other: str = TABLES[1]
    partition: int = 1
    rows: tuple[Row, ...] = ()
    number: int = 1

    @property
    def tables(self) -> tuple[str, ...]:
        """The names it mentions."""
        if self.kind in TWO_TABLES:
            return (self.table, self.other)
        if self.kind in STARTED_AGAIN or self.kind == S3_FAULT:
            return ()
        return (self.table, SPARE) if self.kind.startswith("rename") else (self.table,)

    @property
    def backup(self) -> str:
        return f"backup{self.number}"

    @property
    def tier(self) -> int:
        """Where it moves a partition: the number of a disk and its volume."""
        return self.number % len(DISKS)

    @property
    def request(self) -> str:
        """What a fault of the store refuses."""
        return FAULTS[self.number % len(FAULTS)]


def value_of(table: str) -> int:
    """The value of the rows that INSERT … SELECT inserts: it identifies the table."""
    return (*TABLES, SPARE).index(table) + 1


def create_table(database: str, name: str, kind: str) -> str:
    """The SQL that makes one of the tables; parts are merged only when a statement asks for it."""
    settings = NO_MERGES + {"window": f", {WINDOW}", "tiered": f", {TIERED}", "s3": f", {S3}"}.get(
        kind, ""
    )
    return (
        f"CREATE TABLE {database}.{name} ({COLUMNS}) ENGINE = {TABLE_KINDS[kind]} "
        f"PARTITION BY p ORDER BY i SETTINGS {settings}"
    )


def sql_of(statement: HistoryStatement, database: str, part: str = "") -> list[str]:
    """What is sent for a statement: one text, or several that belong together."""
    table = f"{database}.{statement.table}"
    if statement.kind == "insert":
        values = ", ".join(f"({statement.partition}, {k}, {v})" for k, v in statement.rows)
        return [f"INSERT INTO {table} (p, i, v) VALUES {values}"]
    if statement.kind == "insert-parts":
        value = value_of(statement.table)
        select = (
            f"SELECT {statement.partition}, number + 1, {value} FROM numbers({statement.number})"
        )
        return [f"INSERT INTO {table} (p, i, v) {select} SETTINGS {ONE_BLOCK_A_ROW}"]
    if statement.kind in STARTED_AGAIN:
        return [STARTED_AGAIN[statement.kind]]
    if statement.kind == S3_FAULT:
        return [FAULTY.format(request=statement.request)]
    if statement.kind == READ:
        return [f"SELECT i, v FROM {table} WHERE p = {statement.partition} ORDER BY i, v"]
    template = (ONE_TABLE | TWO_TABLES)[statement.kind]
    filled = template.format(
        table=table,
        other=f"{database}.{statement.other}",
        spare=f"{database}.{SPARE}",
        partition=statement.partition,
        number=statement.number,
        backup=statement.backup,
        part=part,
        disk=DISKS[statement.tier],
        volume=VOLUMES[statement.tier],
    )
    return filled.split("; ")


def used_tables(statements: Sequence[HistoryStatement]) -> list[str]:
    """The tables that a history needs, in the order of their names."""
    named = {name for statement in statements for name in statement.tables}
    return sorted(named - {SPARE})
