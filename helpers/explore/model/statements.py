"""The statements that histories are made of, and their SQL.

A statement is data. It names tables and partitions, never parts: `number` says which part of the partition,
which key, backup or setting is meant. The name of a part is looked up when the statement is sent.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from helpers.explore.model.schema import COLUMN, DATES, EXPIRED_KEY, RENAMED, SIMPLE, TTLS, Schema

Row = tuple[int, ...]
"""Key, value and further columns of a row, as numbers; the partition is known where rows are kept."""

TABLES = ("a", "b", "c")
SPARE = "d"
"""A name that no table has at the beginning: what RENAME renames to."""
DISKS = ("one", "two")
VOLUMES = ("hot", "cold")
ONE_BLOCK_A_ROW = (
    "max_block_size = 1, min_insert_block_size_rows = 1, min_insert_block_size_bytes = 0, "
    "max_insert_block_size = 1"
)

MUTATES = re.compile(r"ALTER TABLE \S+ (?:UPDATE|DELETE|MATERIALIZE|CLEAR|APPLY)\b")
MUTATIONS = {"mutations_sync": 1}
"""A statement of a history returns when its mutation is done: what the model knows is then there to see."""
DO_NOT_WAIT = " SETTINGS alter_sync = 0, mutations_sync = 0"
"""For changes of columns while merges, and with them mutations, are stopped."""
VERBOSE = "SETTINGS alter_partition_verbose_result = 1"

ROWS = {
    "update": "ALTER TABLE {table} UPDATE v = v + 10 WHERE i = {key}",
    "delete": "ALTER TABLE {table} DELETE WHERE i = {key}",
    "lightweight-delete": "DELETE FROM {table} WHERE i = {key}",
    "optimize": "OPTIMIZE TABLE {table} PARTITION {partition} FINAL",
    "optimize-table": "OPTIMIZE TABLE {table} FINAL",
    "deduplicate": "OPTIMIZE TABLE {table} PARTITION {partition} FINAL DEDUPLICATE",
    "truncate": "TRUNCATE TABLE {table}",
}
PARTITIONS = {
    "drop": "ALTER TABLE {table} DROP PARTITION {partition}",
    "detach": "ALTER TABLE {table} DETACH PARTITION {partition}",
    "attach": "ALTER TABLE {table} ATTACH PARTITION {partition}",
    "drop-part": "ALTER TABLE {table} DROP PART '{part}'",
    "detach-part": "ALTER TABLE {table} DETACH PART '{part}'",
    "drop-detached": "ALTER TABLE {table} DROP DETACHED PARTITION {partition} "
    "SETTINGS allow_drop_detached = 1",
    "freeze": f"ALTER TABLE {{table}} FREEZE PARTITION {{partition}} WITH NAME '{{backup}}' {VERBOSE}",
    "unfreeze": f"ALTER TABLE {{table}} UNFREEZE PARTITION {{partition}} WITH NAME '{{backup}}' "
    f"{VERBOSE}",
    "restore": "-- the parts in shadow/{backup} are copied to detached/ of {table}",
    "move-to-disk": "ALTER TABLE {table} MOVE PARTITION {partition} TO DISK '{disk}'",
    "move-to-volume": "ALTER TABLE {table} MOVE PARTITION {partition} TO VOLUME '{volume}'",
}
COLUMNS = {
    "add-column": f"ALTER TABLE {{table}} ADD COLUMN {COLUMN} {{column}}",
    "drop-column": f"ALTER TABLE {{table}} DROP COLUMN {COLUMN}",
    "rename-column": f"ALTER TABLE {{table}} RENAME COLUMN {COLUMN} TO {RENAMED}",
    "clear-column": f"ALTER TABLE {{table}} CLEAR COLUMN {COLUMN} IN PARTITION {{partition}}",
    "update-column": f"ALTER TABLE {{table}} UPDATE {COLUMN} = {{value}} WHERE i = {{key}}",
    "materialize-column": f"ALTER TABLE {{table}} MATERIALIZE COLUMN {COLUMN}",
    "stop-merges": "SYSTEM STOP MERGES {table}",
    "start-merges": "SYSTEM START MERGES {table}",
}
PATCHES = {
    "patch": "UPDATE {table} SET v = v + 10 WHERE i = {key}",
    "patch-column": f"UPDATE {{table}} SET {COLUMN} = {{value}} WHERE i = {{key}}",
    "patch-delete": "DELETE FROM {table} WHERE i = {key} "
    "SETTINGS lightweight_delete_mode = 'lightweight_update'",
    "apply-patches": "ALTER TABLE {table} APPLY PATCHES",
}
TTL = {
    "modify-ttl": "ALTER TABLE {table} {ttl}",
    "materialize-ttl": "ALTER TABLE {table} MATERIALIZE TTL",
}
EXTRAS = {
    "add-index": "ALTER TABLE {table} ADD INDEX ix v TYPE minmax",
    "drop-index": "ALTER TABLE {table} DROP INDEX ix",
    "materialize-index": "ALTER TABLE {table} MATERIALIZE INDEX ix",
    "add-projection": "ALTER TABLE {table} ADD PROJECTION pr (SELECT i, v ORDER BY v)",
    "drop-projection": "ALTER TABLE {table} DROP PROJECTION pr",
    "materialize-projection": "ALTER TABLE {table} MATERIALIZE PROJECTION pr",
}
NAMES = {
    "rename": "RENAME TABLE {table} TO {spare}",
    "rename-back": "RENAME TABLE {spare} TO {table}",
    "reload": "DETACH TABLE {table}; ATTACH TABLE {table}",
    "undrop": "DROP TABLE {table}; UNDROP TABLE {table}",
}
TWO_TABLES = {
    "replace": "ALTER TABLE {table} REPLACE PARTITION {partition} FROM {other}",
    "attach-from": "ALTER TABLE {table} ATTACH PARTITION {partition} FROM {other}",
    "move": "ALTER TABLE {table} MOVE PARTITION {partition} TO TABLE {other}",
    "exchange": "EXCHANGE TABLES {table} AND {other}",
}
RENAMES = ("rename", "rename-back")
ROUND_TRIP = "round-trip"
"""Statements that undo each other (model/round_trips.py)."""
SELECT = "select"
"""A SELECT under drawn settings, which has the answer of one that reads every row."""
TEMPLATES = {
    **TWO_TABLES,
    **ROWS,
    **PARTITIONS,
    **COLUMNS,
    **PATCHES,
    **TTL,
    **EXTRAS,
    **NAMES,
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
KINDS = ("insert", "insert-parts", *TEMPLATES, SELECT, ROUND_TRIP, *STARTED_AGAIN, S3_FAULT)
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
        if self.kind in TWO_TABLES or self.kind == ROUND_TRIP:
            return (self.table, self.other)
        if self.kind in STARTED_AGAIN or self.kind == S3_FAULT:
            return ()
        return (self.table, SPARE) if self.kind in RENAMES else (self.table,)

    @property
    def names_columns(self) -> bool:
        """Whether an INSERT writes the further columns, or leaves them to their default."""
        return self.number % 2 == 1

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


def further_value(key: int) -> int:
    """The number that an INSERT writes into the further columns of a row with this key."""
    return 10 + key


def updated_value(number: int) -> int:
    """The number that an UPDATE writes into the further column."""
    return 30 + number


def ttl_of(number: int) -> str:
    """The TTL that MODIFY TTL sets; none if it removes it."""
    return ("", *TTLS)[number % 3]


def sql_of(
    statement: HistoryStatement,
    database: str,
    schema: Schema = SIMPLE,
    part: str = "",
    further: Sequence[str] = (),
) -> list[str]:
    """What is sent for a statement: one text, or several that belong together. `further`: the further
    columns that its table has."""
    table = f"{database}.{statement.table}"
    partition = schema.partition_literal(statement.partition)
    if statement.kind == "insert":
        return [_insert(statement, table, schema, further if statement.names_columns else ())]
    if statement.kind == "insert-parts":
        return [_insert_parts(statement, table, schema)]
    if statement.kind in STARTED_AGAIN:
        return [STARTED_AGAIN[statement.kind]]
    if statement.kind == S3_FAULT:
        return [FAULTY.format(request=statement.request)]
    if statement.kind == READ:
        return [read_partition(table, schema, statement.partition, further)]
    ttl = ttl_of(statement.number)
    filled = TEMPLATES[statement.kind].format(
        table=table,
        other=f"{database}.{statement.other}",
        spare=f"{database}.{SPARE}",
        partition=partition,
        key=schema.key_type.literal(statement.number),
        column=schema.column,
        value=schema.value_type.literal(updated_value(statement.number)),
        backup=statement.backup,
        ttl=f"MODIFY TTL {TTLS[ttl]}" if ttl else "REMOVE TTL",
        part=part,
        disk=DISKS[statement.tier],
        volume=VOLUMES[statement.tier],
    )
    return filled.split("; ")


def _insert(statement: HistoryStatement, table: str, schema: Schema, further: Sequence[str]) -> str:
    partition = schema.partition_type.literal(statement.partition)
    rows = [
        [
            partition,
            schema.key_type.literal(key),
            str(value),
            f"'{DATES[key == EXPIRED_KEY]}'",
            *[schema.value_type.literal(further_value(key))] * len(further),
        ]
        for key, value in statement.rows
    ]
    values = ", ".join(f"({', '.join(row)})" for row in rows)
    return f"INSERT INTO {table} ({', '.join(['p, i, v, d', *further])}) VALUES {values}"


def _insert_parts(statement: HistoryStatement, table: str, schema: Schema) -> str:
    """A part for each row, with keys from 1 on."""
    kind, key = schema.partition_type, "number + 1"
    partition = f"CAST({kind.literal(statement.partition)} AS {kind.type})"
    if literals := schema.key_type.literals:
        key = f"CAST([{', '.join(literals)}][{key}] AS {schema.key_type.type})"
    usual, past = DATES
    date = f"if(number + 1 = {EXPIRED_KEY}, toDate('{past}'), toDate('{usual}'))"
    return (
        f"INSERT INTO {table} (p, i, v, d) SELECT {partition}, {key}, {value_of(statement.table)}, "
        f"{date} FROM numbers({statement.number}) SETTINGS {ONE_BLOCK_A_ROW}"
    )


def columns_read(further: Sequence[str]) -> str:
    """Key, value and further columns as texts, which mean the same for every type."""
    return ", ".join(f"ifNull(toString({name}), 'NULL')" for name in ("i", "v", *further))


def read_partition(table: str, schema: Schema, partition: int, further: Sequence[str]) -> str:
    """The SELECT that reads the rows of a partition."""
    found = f"p = {schema.partition_type.literal(partition)}"
    return f"SELECT {columns_read(further)} FROM {table} WHERE {found} ORDER BY ALL"


def used_tables(statements: Sequence[HistoryStatement]) -> list[str]:
    """The tables that a history needs, in the order of their names."""
    named = {name for statement in statements for name in statement.tables}
    return sorted(named - {SPARE})
