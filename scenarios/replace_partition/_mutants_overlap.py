"""Sabotages of REPLACE PARTITION beside other things: merges, mutations, statements, readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from helpers.mutants import Answer, Said, mutant
from scenarios.replace_partition._statements import RQ, Replace, a_read_of, replace_in

BESIDE = f"{RQ}.Concurrent"
STOPPED = [f"{BESIDE}.{one}" for one in ("Insert", "Delete", "Attach", "Optimize")]
STOPPED_MUTATIONS = [f"{BESIDE}.Delete", f"{BESIDE}.Alter.*"]
PARTITION_STATEMENT = re.compile(
    r"ALTER TABLE \S+ (DETACH|DROP|ATTACH|REPLACE|FREEZE|UNFREEZE|FETCH) PARTITION"
    r"|ALTER TABLE \S+ MOVE PARTITION \S+ TO (TABLE|DISK|VOLUME 'other')"
    r"|ALTER TABLE \S+ (UPDATE|DELETE|CLEAR \w+) .*IN PARTITION"
)


@contextmanager
def seen_running(said: Said, replace: Replace) -> Iterator[None]:
    """While the statement runs, its destination is in the memory."""
    said.memory.setdefault("running", []).append(replace.destination)
    try:
        yield
    finally:
        said.memory["running"].remove(replace.destination)


def merging(said: Said, replace: Replace) -> list[str]:
    """The partitions of the destination in which something is in progress."""
    database, _, table = replace.destination.partition(".")
    found = said.look(
        "SELECT DISTINCT partition_id FROM system.merges "
        f"WHERE database = '{database}' AND table = '{table}'"
    )
    return [row[0] for row in found]


@mutant(violates=[*STOPPED, f"{BESIDE}.Detach", f"{BESIDE}.Alter.*"])
def merge_comes_to_its_natural_end(said: Said) -> Answer:
    """The log of parts says that the merge or mutation succeeded instead of being stopped."""
    answer = said.run()
    if answer and "SELECT error FROM system.part_log" in said.sql:
        return said.lie([(0,)])
    return answer


@mutant(violates=[BESIDE, *STOPPED, f"{BESIDE}.Alter.*"])
def merge_goes_on_behind_replace(said: Said) -> Answer:
    """system.merges still lists the merge or mutation when REPLACE PARTITION has returned."""
    answer = said.run()
    if replace_in(said.sql):
        said.memory["returned"] = True
    elif "FROM system.merges" in said.sql:
        if "returned" in said.memory:
            return said.lie(said.memory.get("merges", answer))
        if answer:
            said.memory["merges"] = answer
    return answer


@mutant(violates=[BESIDE, *STOPPED_MUTATIONS, f"{BESIDE}.SameDestination"])
def replace_does_not_wait(said: Said) -> Answer:
    """REPLACE PARTITION returns at once where something is in progress in the partition."""
    found = replace_in(said.sql)
    if found and found.partition in merging(said, found):
        return said.done()
    return said.run()


@mutant(violates=[BESIDE], on="*another partition*")
def merges_of_other_partitions_are_stopped(said: Said) -> Answer:
    """REPLACE PARTITION stops what is in progress in the whole table."""
    found = replace_in(said.sql)
    answer = said.run()
    if found and set(merging(said, found)) - {found.partition}:
        said.also(f"SYSTEM STOP MERGES {found.destination}")
    return answer


@mutant(violates=[f"{BESIDE}.Manipulating.Partitions", f"{BESIDE}.Manipulating.Partitions.*"])
def statement_is_refused_meanwhile(said: Said) -> Answer:
    """A statement on the partition is refused, instead of waiting, while REPLACE PARTITION runs."""
    found = replace_in(said.sql)
    if said.memory.get("running") and PARTITION_STATEMENT.match(said.sql):
        return said.refuse(159, "the partition is being replaced")
    if not found:
        return said.run()
    with seen_running(said, found):
        return said.run()


@mutant(violates=[f"{BESIDE}.Manipulating.Partitions.*"])
def statement_does_nothing_behind_replace(said: Said) -> Answer:
    """A statement on a partition that has been replaced answers and does nothing."""
    if said.memory.get("replaced") and PARTITION_STATEMENT.match(said.sql):
        return said.done()
    answer = said.run()
    if replace_in(said.sql):
        said.memory["replaced"] = True
    return answer


@mutant(violates=[f"{RQ}.Readers"])
def reader_misses_a_row(said: Said) -> Answer:
    """A read that overlaps with REPLACE PARTITION gets a part of the rows."""
    found = replace_in(said.sql)
    if found:
        said.memory[found.destination] = said.memory.get(found.destination, 0) + 1
        with seen_running(said, found):
            return said.run()
    tables = [one for one in _tables(said.sql) if a_read_of(said.sql, one)]
    before = [said.memory.get(one, 0) for one in tables]
    during = any(one in said.memory.get("running", []) for one in tables)
    answer = said.run()
    after = [said.memory.get(one, 0) for one in tables]
    return said.lie(answer[1:]) if during or before != after else answer


def _tables(sql: str) -> list[str]:
    return re.findall(r"FROM (\S+)", sql)


@mutant(violates=[f"{RQ}.KillQuery", f"{RQ}.KillQuery.Answer", f"{RQ}.ClientDisconnect"])
def interruption_leaves_a_strange_row(said: Said) -> Answer:
    """A statement that did not come to its end leaves a row that was in neither table."""
    found = replace_in(said.sql)
    for table in [one for one in said.memory if a_read_of(said.sql, one)]:
        said.also(f"INSERT INTO {table} VALUES (1, 0, 'strange')")
        del said.memory[table]
    try:
        return said.run()
    except Exception:
        if found:
            said.memory[found.destination] = True
        raise
