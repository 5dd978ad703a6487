"""Sabotages of what lasts: disks, objects, restarts, shards, and what engines make of the rows later."""

from __future__ import annotations

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from scenarios.replace_partition.mutants.statements import (
    RQ,
    a_read_of,
    inject_after_replace,
    replace_in,
)

RESTARTED = [f"{RQ}.Restart", f"{RQ}.Crash.Clone"]
MARKER = "sabotage_marker"


def remember_until_restart(statement: InterceptedStatement) -> None:
    """Keep the statement in mind, and leave a row where no restart leaves it."""
    replace = replace_in(statement.sql)
    if replace:
        marker = f"{replace.destination.partition('.')[0]}.{MARKER}"
        statement.inspect(f"CREATE TABLE IF NOT EXISTS {marker} (x UInt8) ENGINE = Memory")
        statement.inspect(f"INSERT INTO {marker} VALUES (1)")
        statement.memory[replace.destination] = (replace, marker)


def forget_after_restart(statement: InterceptedStatement) -> list[tuple[str, str, str]]:
    """Destination, partition and source of what the server has been restarted after, if this
    statement is the first to read it."""
    restarted = []
    for table in [table for table in statement.memory if a_read_of(statement.sql, table)]:
        replace, marker = statement.memory[table]
        if not statement.inspect(f"SELECT x FROM {marker}"):
            restarted.append((replace.destination, replace.partition, replace.source))
            del statement.memory[table]
    return restarted


@mutant(
    violates=[
        *RESTARTED,
        *(f"{RQ}.{name}" for name in ("Crash.Commit", "KillQuery", "ClientDisconnect")),
        *(f"{RQ}.{name}" for name in ("KeepData", "Disks", "Encryption")),
    ]
)
def restart_loses_the_partition(statement: InterceptedStatement) -> Answer:
    """A partition that was to be replaced is empty after a restart."""
    remember_until_restart(statement)
    for destination, partition, _ in forget_after_restart(statement):
        statement.inject(f"ALTER TABLE {destination} DROP PARTITION {partition}")
    return statement.execute()


@mutant(violates=RESTARTED)
def restart_brings_the_clones_again(statement: InterceptedStatement) -> Answer:
    """Clones that are found at a restart become parts, whatever is there already."""
    remember_until_restart(statement)
    for destination, partition, source in forget_after_restart(statement):
        statement.inject(f"ALTER TABLE {destination} ATTACH PARTITION {partition} FROM {source}")
    return statement.execute()


@mutant(violates=[f"{RQ}.Shards"], on="*every shard")
def one_shard_is_forgotten(statement: InterceptedStatement) -> Answer:
    """Only the first shard carries the statement out."""
    if replace_in(statement.sql) and statement.node.name == "shard2":
        return statement.acknowledge()
    return statement.execute()


@mutant(violates=[f"{RQ}.Deduplication"])
def rows_are_doubled(statement: InterceptedStatement) -> Answer:
    """The source's rows are taken over twice."""
    return inject_after_replace(
        statement,
        "ALTER TABLE {destination} ATTACH PARTITION {partition} FROM {source}",
    )


@mutant(violates=[f"{RQ}.Deduplication", f"{RQ}.Deduplication.Window"])
def inserted_block_is_taken_for_a_known_one(statement: InterceptedStatement) -> Answer:
    """A destination drops whatever is inserted after its partition was replaced."""
    replace = replace_in(statement.sql)
    if replace:
        statement.memory[replace.destination] = True
    if any(statement.sql.startswith(f"INSERT INTO {table} ") for table in statement.memory):
        return statement.acknowledge()
    return statement.execute()
