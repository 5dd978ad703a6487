"""Sabotages of what lasts: disks, objects, restarts, shards, and what engines make of the rows later."""

from __future__ import annotations

from helpers.mutants import Answer, Said, mutant
from scenarios.replace_partition._statements import RQ, a_read_of, replace_in

RESTARTED = [f"{RQ}.Restart", f"{RQ}.Crash.Clone"]
MARKER = "sabotage_marker"


def remember_until_restart(said: Said) -> None:
    """Keep the statement in mind, and leave a row where no restart leaves it."""
    found = replace_in(said.sql)
    if found:
        marker = f"{found.destination.partition('.')[0]}.{MARKER}"
        said.look(f"CREATE TABLE IF NOT EXISTS {marker} (x UInt8) ENGINE = Memory")
        said.look(f"INSERT INTO {marker} VALUES (1)")
        said.memory[found.destination] = (found, marker)


def forget_after_restart(said: Said) -> list[tuple[str, str, str]]:
    """Destination, partition and source of what the server has been restarted after, if this
    statement is the first to read it."""
    found = []
    for table in [one for one in said.memory if a_read_of(said.sql, one)]:
        replace, marker = said.memory[table]
        if not said.look(f"SELECT x FROM {marker}"):
            found.append((replace.destination, replace.partition, replace.source))
            del said.memory[table]
    return found


@mutant(
    violates=[
        *RESTARTED,
        *(f"{RQ}.{one}" for one in ("Crash.Commit", "KillQuery", "ClientDisconnect")),
        *(f"{RQ}.{one}" for one in ("KeepData", "Disks", "Encryption")),
    ]
)
def restart_loses_the_partition(said: Said) -> Answer:
    """A partition that was to be replaced is empty after a restart."""
    remember_until_restart(said)
    for destination, partition, _ in forget_after_restart(said):
        said.also(f"ALTER TABLE {destination} DROP PARTITION {partition}")
    return said.run()


@mutant(violates=RESTARTED)
def restart_brings_the_clones_again(said: Said) -> Answer:
    """Clones that are found at a restart become parts, whatever is there already."""
    remember_until_restart(said)
    for destination, partition, source in forget_after_restart(said):
        said.also(f"ALTER TABLE {destination} ATTACH PARTITION {partition} FROM {source}")
    return said.run()


@mutant(violates=[f"{RQ}.Disks", f"{RQ}.Encryption"], on="*/replaced partition *")
def replaced_partition_does_not_move(said: Said) -> Answer:
    """MOVE PARTITION answers and leaves the parts where they are."""
    return said.done() if " MOVE PARTITION " in said.sql else said.run()


@mutant(violates=[f"{RQ}.S3"])
def store_loses_an_object(said: Said) -> Answer:
    """A part refers to an object that the store does not have any more."""
    answer = said.run()
    if replace_in(said.sql):
        said.memory["replaced"] = True
    if "replaced" in said.memory and said.sql.endswith("remote_path FROM system.remote_data_paths"):
        return said.lie([*answer, (f"{said.node.name}/lost",)])
    return answer


@mutant(violates=[f"{RQ}.S3"], on="*objects*")
def clone_has_objects_of_the_source(said: Said) -> Answer:
    """Each clone of a part refers to all objects of the source, whatever the disk."""
    answer = said.run()
    if "system.remote_data_paths" in said.sql and "data.bin" in said.sql:
        return said.lie(said.memory.setdefault("objects", answer))
    return answer


@mutant(violates=[f"{RQ}.Shards"], on="*every shard")
def one_shard_is_forgotten(said: Said) -> Answer:
    """Only the first shard carries the statement out."""
    return said.done() if replace_in(said.sql) and said.node.name == "shard2" else said.run()


@mutant(violates=[f"{RQ}.Shards"])
def shards_follow_each_other(said: Said) -> Answer:
    """Through a Distributed table every row comes twice."""
    answer = said.run()
    if answer and said.sql.startswith("SELECT *") and "_everywhere" in said.sql:
        return said.lie(answer * 2)
    return answer


@mutant(violates=[f"{RQ}.Deduplication"])
def rows_are_doubled(said: Said) -> Answer:
    """The source's rows are taken over twice."""
    found = replace_in(said.sql)
    answer = said.run()
    if found:
        said.also(
            f"ALTER TABLE {found.destination} ATTACH PARTITION {found.partition} "
            f"FROM {found.source}"
        )
    return answer


@mutant(violates=[f"{RQ}.Deduplication"])
def duplicates_stay(said: Said) -> Answer:
    """Rows with the same key stay apart in a replaced partition, whether read with FINAL or merged."""
    found = replace_in(said.sql)
    if found:
        said.memory[found.destination] = True
    for table in said.memory:
        if a_read_of(said.sql, table) and " FINAL " in said.sql:
            return said.lie(said.run(said.sql.replace(" FINAL ", " ")))
        if said.sql.startswith(f"OPTIMIZE TABLE {table} "):
            return said.done()
    return said.run()


@mutant(violates=[f"{RQ}.Deduplication", f"{RQ}.Deduplication.Window"])
def inserted_block_is_taken_for_a_known_one(said: Said) -> Answer:
    """A destination drops whatever is inserted after its partition was replaced."""
    found = replace_in(said.sql)
    if found:
        said.memory[found.destination] = True
    if any(said.sql.startswith(f"INSERT INTO {table} ") for table in said.memory):
        return said.done()
    return said.run()


@mutant(violates=[f"{RQ}.Deduplication.Window"])
def blocks_of_all_partitions_are_forgotten(said: Said) -> Answer:
    """REPLACE PARTITION makes the destination forget every block, those of other partitions too."""
    found = replace_in(said.sql)
    answer = said.run()
    if found:
        said.also(
            f"ALTER TABLE {found.destination} "
            "MODIFY SETTING non_replicated_deduplication_window = 0"
        )
    return answer
