"""Sabotages of REPLACE PARTITION beside other things: merges, mutations, statements, readers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from scenarios.replace_partition.mutants.statements import RQ, Replace, a_read_of, replace_in

BESIDE = f"{RQ}.Concurrent"
STOPPED = [f"{BESIDE}.{name}" for name in ("Insert", "Delete", "Attach", "Optimize")]
STOPPED_MUTATIONS = [f"{BESIDE}.Delete", f"{BESIDE}.Alter.*"]
PARTITION_STATEMENT = re.compile(
    r"ALTER TABLE \S+ (DETACH|DROP|ATTACH|REPLACE|FREEZE|UNFREEZE|FETCH) PARTITION"
    r"|ALTER TABLE \S+ MOVE PARTITION \S+ TO (TABLE|DISK|VOLUME 'other')"
    r"|ALTER TABLE \S+ (UPDATE|DELETE|CLEAR \w+) .*IN PARTITION"
)


@contextmanager
def seen_running(statement: InterceptedStatement, replace: Replace) -> Iterator[None]:
    """While the statement runs, its destination is in the memory."""
    statement.memory.setdefault("running", []).append(replace.destination)
    try:
        yield
    finally:
        statement.memory["running"].remove(replace.destination)


def merging(statement: InterceptedStatement, replace: Replace) -> list[str]:
    """The partitions of the destination in which something is in progress."""
    database, _, table = replace.destination.partition(".")
    rows = statement.inspect(
        "SELECT DISTINCT partition_id FROM system.merges "
        f"WHERE database = '{database}' AND table = '{table}'"
    )
    return [row[0] for row in rows]


@mutant(violates=[*STOPPED, f"{BESIDE}.Detach", f"{BESIDE}.Alter.*"])
def merge_comes_to_its_natural_end(statement: InterceptedStatement) -> Answer:
    """The log of parts says that the merge or mutation succeeded instead of being stopped."""
    answer = statement.execute()
    sql = statement.sql
    if answer and sql.startswith("SELECT error,") and "FROM system.part_log" in sql:
        return statement.respond([(0, *row[1:]) for row in answer])
    return answer


@mutant(violates=[BESIDE, *STOPPED, f"{BESIDE}.Alter.*"])
def merge_goes_on_behind_replace(statement: InterceptedStatement) -> Answer:
    """system.merges still lists the merge or mutation when REPLACE PARTITION has returned."""
    answer = statement.execute()
    if replace_in(statement.sql):
        statement.memory["returned"] = True
    elif "FROM system.merges" in statement.sql:
        if "returned" in statement.memory:
            return statement.respond(statement.memory.get("merges", answer))
        if answer:
            statement.memory["merges"] = answer
    return answer


@mutant(violates=[BESIDE, *STOPPED_MUTATIONS, f"{BESIDE}.SameDestination"])
def replace_does_not_wait(statement: InterceptedStatement) -> Answer:
    """REPLACE PARTITION returns at once where something is in progress in the partition."""
    replace = replace_in(statement.sql)
    if replace and replace.partition in merging(statement, replace):
        return statement.acknowledge()
    return statement.execute()


@mutant(violates=[BESIDE], on="*another partition*")
def merges_of_other_partitions_are_stopped(statement: InterceptedStatement) -> Answer:
    """REPLACE PARTITION stops what is in progress in the whole table."""
    replace = replace_in(statement.sql)
    answer = statement.execute()
    if replace and set(merging(statement, replace)) - {replace.partition}:
        statement.inject(f"SYSTEM STOP MERGES {replace.destination}")
    return answer


@mutant(violates=[f"{BESIDE}.Manipulating.Partitions", f"{BESIDE}.Manipulating.Partitions.*"])
def statement_is_refused_meanwhile(statement: InterceptedStatement) -> Answer:
    """A statement on the partition is refused, instead of waiting, while REPLACE PARTITION runs."""
    replace = replace_in(statement.sql)
    if statement.memory.get("running") and PARTITION_STATEMENT.match(statement.sql):
        return statement.refuse(159, "the partition is being replaced")
    if not replace:
        return statement.execute()
    with seen_running(statement, replace):
        return statement.execute()


@mutant(violates=[f"{BESIDE}.Manipulating.Partitions.*"])
def statement_does_nothing_behind_replace(statement: InterceptedStatement) -> Answer:
    """A statement on a partition that has been replaced answers and does nothing."""
    if statement.memory.get("replaced") and PARTITION_STATEMENT.match(statement.sql):
        return statement.acknowledge()
    answer = statement.execute()
    if replace_in(statement.sql):
        statement.memory["replaced"] = True
    return answer


@mutant(violates=[f"{RQ}.Readers"])
def reader_misses_a_row(statement: InterceptedStatement) -> Answer:
    """A read that overlaps with REPLACE PARTITION gets a part of the rows."""
    replace = replace_in(statement.sql)
    if replace:
        statement.memory[replace.destination] = statement.memory.get(replace.destination, 0) + 1
        with seen_running(statement, replace):
            return statement.execute()
    tables = [table for table in _tables(statement.sql) if a_read_of(statement.sql, table)]
    before = [statement.memory.get(table, 0) for table in tables]
    during = any(table in statement.memory.get("running", []) for table in tables)
    answer = statement.execute()
    after = [statement.memory.get(table, 0) for table in tables]
    return statement.respond(answer[1:]) if during or before != after else answer


def _tables(sql: str) -> list[str]:
    return re.findall(r"FROM (\S+)", sql)


@mutant(violates=[f"{RQ}.KillQuery", f"{RQ}.KillQuery.Answer", f"{RQ}.ClientDisconnect"])
def interruption_leaves_a_strange_row(statement: InterceptedStatement) -> Answer:
    """A statement that did not come to its end leaves a row that was in neither table."""
    replace = replace_in(statement.sql)
    for table in [table for table in statement.memory if a_read_of(statement.sql, table)]:
        statement.inject(f"INSERT INTO {table} VALUES (1, 0, 'strange')")
        del statement.memory[table]
    try:
        return statement.execute()
    except Exception:
        if replace:
            statement.memory[replace.destination] = True
        raise
