"""Sabotages of refusals: of who may replace a partition, and of what may not replace one."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from helpers.sensitivity.refusals import accept_refusal, inject_on_refusal, refuse_if
from scenarios.replace_partition.mutants.statements import RQ, replace_in

REFUSED = [
    f"{RQ}.NonExistentPartition",
    f"{RQ}.PartitionTypes",
    f"{RQ}.Corrupted",
    f"{RQ}.Conditions",
    f"{RQ}.Conditions.*",
    f"{RQ}.Prohibited",
    f"{RQ}.Prohibited.*",
    f"{RQ}.RBAC",
    f"{RQ}.PartitionExpression",
    f"{RQ}.AttachFromParity",
]


def is_meant(sql: str) -> bool:
    """Any REPLACE PARTITION, however malformed."""
    return "REPLACE PARTITION" in sql


@mutant(violates=[*REFUSED, f"{RQ}.Concurrent.Detach"])
def refusal_is_swallowed(statement: InterceptedStatement) -> Answer:
    """A statement that has to be refused is answered as if it had succeeded."""
    return accept_refusal(statement, is_meant(statement.sql))


@mutant(violates=REFUSED)
def refused_and_emptied(statement: InterceptedStatement) -> Answer:
    """A refused statement leaves the destination empty all the same."""
    match = re.match(r"(?:WITH.*)?ALTER TABLE (\S+)", statement.sql)
    emptied = f"TRUNCATE TABLE {match[1]}" if match and is_meant(statement.sql) else None
    return inject_on_refusal(statement, emptied)


@mutant(violates=[f"{RQ}.RBAC"])
def everybody_may_replace(statement: InterceptedStatement) -> Answer:
    """A privilege check that always passes: the statement runs as the administrator's."""
    if statement.by_administrator or not replace_in(statement.sql):
        return statement.execute()
    statement.inject(statement.sql)
    return statement.acknowledge()


@mutant(violates=[f"{RQ}.RBAC"])
def nobody_may_replace(statement: InterceptedStatement) -> Answer:
    """A privilege check that never passes."""
    meant = not statement.by_administrator and replace_in(statement.sql) is not None
    return refuse_if(statement, meant, 497, "Not enough privileges")


@mutant(violates=[f"{RQ}.RowPolicy"])
def row_policy_filters_the_copy(statement: InterceptedStatement) -> Answer:
    """Rows that the user may not see are not copied."""
    replace = replace_in(statement.sql)
    if statement.by_administrator or not replace:
        return statement.execute()
    seen = statement.inspect(f"SELECT i FROM {replace.source} WHERE p = 1", user=statement.user)
    answer = statement.execute()
    statement.inject(
        f"ALTER TABLE {replace.destination} DELETE WHERE p = 1 AND i NOT IN "
        f"{[row[0] for row in seen]} SETTINGS mutations_sync = 2"
    )
    return answer
