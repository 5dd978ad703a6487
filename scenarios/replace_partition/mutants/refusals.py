"""Sabotages of refusals: of who may replace a partition, and of what may not replace one."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from helpers.sensitivity.refusals import (
    accept_refusal,
    change_refusal,
    inject_on_refusal,
    refuse_if,
)
from scenarios.replace_partition.mutants.statements import RQ, a_read_of, replace_in

ABORTED = 236
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


@mutant(violates=[*REFUSED, f"{RQ}.Settings", f"{RQ}.Concurrent.Detach"])
def refusal_is_swallowed(statement: InterceptedStatement) -> Answer:
    """A statement that has to be refused is answered as if it had succeeded."""
    return accept_refusal(statement, is_meant(statement.sql))


@mutant(violates=REFUSED)
def refused_and_emptied(statement: InterceptedStatement) -> Answer:
    """A refused statement leaves the destination empty all the same."""
    match = re.match(r"(?:WITH.*)?ALTER TABLE (\S+)", statement.sql)
    emptied = f"TRUNCATE TABLE {match[1]}" if match and is_meant(statement.sql) else None
    return inject_on_refusal(statement, emptied)


@mutant(violates=[*REFUSED, f"{RQ}.Concurrent.Detach"])
def refusal_has_another_code(statement: InterceptedStatement) -> Answer:
    """A refusal comes with a code that says something else."""
    return change_refusal(statement, 1002, is_meant(statement.sql))


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


@mutant(violates=[f"{RQ}.RowPolicy"])
def row_policy_goes_with_the_rows(statement: InterceptedStatement) -> Answer:
    """What the source's policy hides is hidden in the destination, too."""
    replace = replace_in(statement.sql)
    if replace:
        statement.memory[replace.destination] = True
    answer = statement.execute()
    if not statement.by_administrator and any(
        a_read_of(statement.sql, table) for table in statement.memory
    ):
        return statement.respond([row for row in answer if row[1] % 2 == 0])
    return answer


@mutant(violates=[f"{RQ}.Corrupted"], on="*/damaged destination*")
def check_table_finds_nothing(statement: InterceptedStatement) -> Answer:
    """CHECK TABLE calls damaged parts sound."""
    answer = statement.execute()
    of_partition = statement.sql.startswith("CHECK TABLE") and " PARTITION " in statement.sql
    return statement.respond([(1,)]) if of_partition else answer


@mutant(violates=[f"{RQ}.Concurrent.Merges"])
def merge_is_accepted_meanwhile(statement: InterceptedStatement) -> Answer:
    """OPTIMIZE TABLE is answered with success though merges are blocked."""
    return accept_refusal(statement, statement.sql.startswith("OPTIMIZE"), ABORTED)


@mutant(violates=[f"{RQ}.Concurrent.Merges"])
def merge_is_refused_otherwise(statement: InterceptedStatement) -> Answer:
    """OPTIMIZE TABLE is refused for another reason than a running REPLACE PARTITION."""
    meant = statement.sql.startswith("OPTIMIZE")
    return refuse_if(statement, meant, 60, "there is no such table")


@mutant(violates=[f"{RQ}.Concurrent.Mutations"])
def only_deletes_are_refused(statement: InterceptedStatement) -> Answer:
    """Of the mutations that somebody starts meanwhile, only deletions are refused."""
    deletion = re.match(r"DELETE|ALTER TABLE \S+ DELETE", statement.sql)
    return refuse_if(statement, bool(deletion), ABORTED, "Cancelled mutating parts")
