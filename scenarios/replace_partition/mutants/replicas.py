"""Sabotages of what REPLACE PARTITION does on replicas other than the one that executes it."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from scenarios.replace_partition.mutants.statements import RQ, replace_in

REPLICATED = "*/replica*"
READ = re.compile(r"SELECT \* FROM \S+\.destination_\d+")


@mutant(violates=[f"{RQ}.Replicas"], on=REPLICATED)
def other_replicas_keep_the_old_rows(statement: InterceptedStatement) -> Answer:
    """Replicas that did not execute the statement show what the destination had before the first one."""
    replace = replace_in(statement.sql)
    if replace and "old" not in statement.memory:
        statement.memory["old"] = statement.inspect(f"SELECT * FROM {replace.destination}")
        statement.memory["node"] = statement.node.name
    executed_here = statement.memory.get("node", statement.node.name) == statement.node.name
    if not executed_here and READ.fullmatch(statement.sql):
        return statement.respond(statement.memory["old"])
    return statement.execute()


@mutant(violates=[f"{RQ}.Replicas"], on=REPLICATED)
def a_replica_loses_a_row(statement: InterceptedStatement) -> Answer:
    """The last replica has one row less in the destination once a partition was replaced."""
    answer = statement.execute()
    if replace_in(statement.sql):
        statement.memory["replaced"] = True
    last = statement.node.name == "node3" and READ.fullmatch(statement.sql)
    if last and answer and "replaced" in statement.memory:
        return statement.respond(list(answer)[:-1])
    return answer
