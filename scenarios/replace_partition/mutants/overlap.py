"""Sabotages of REPLACE PARTITION while merges and mutations run, and of statements that follow it."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from scenarios.replace_partition.mutants.statements import RQ, Replace, replace_in

BESIDE = f"{RQ}.Concurrent"
STOPPED_MUTATIONS = [f"{BESIDE}.Delete", f"{BESIDE}.Alter.*"]
PARTITION_STATEMENT = re.compile(
    r"ALTER TABLE \S+ (DETACH|DROP|ATTACH|REPLACE|FREEZE|UNFREEZE|FETCH) PARTITION"
    r"|ALTER TABLE \S+ MOVE PARTITION \S+ TO (TABLE|DISK|VOLUME 'other')"
    r"|ALTER TABLE \S+ (UPDATE|DELETE|CLEAR \w+) .*IN PARTITION"
)


def merging(statement: InterceptedStatement, replace: Replace) -> list[str]:
    """The partitions of the destination in which something is in progress."""
    database, _, table = replace.destination.partition(".")
    rows = statement.inspect(
        "SELECT DISTINCT partition_id FROM system.merges "
        f"WHERE database = '{database}' AND table = '{table}'"
    )
    return [row[0] for row in rows]


@mutant(violates=[BESIDE, *STOPPED_MUTATIONS, f"{BESIDE}.SameDestination"])
def replace_does_not_wait(statement: InterceptedStatement) -> Answer:
    """REPLACE PARTITION returns at once where something is in progress in the partition."""
    replace = replace_in(statement.sql)
    if replace and replace.partition in merging(statement, replace):
        return statement.acknowledge()
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
