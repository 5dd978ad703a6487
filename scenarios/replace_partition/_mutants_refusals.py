"""Sabotages of refusals: of who may replace a partition, and of what may not replace one."""

from __future__ import annotations

import re

from helpers.mutants import REFUSALS, Answer, Said, mutant
from scenarios.replace_partition._statements import RQ, a_read_of, replace_in

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
]


def is_meant(sql: str) -> bool:
    """Any REPLACE PARTITION, however malformed."""
    return "REPLACE PARTITION" in sql


@mutant(violates=[*REFUSED, f"{RQ}.Settings", f"{RQ}.Concurrent.Detach"])
def refusal_is_swallowed(said: Said) -> Answer:
    """A statement that has to be refused is answered as if it had succeeded."""
    try:
        return said.run()
    except REFUSALS:
        if not is_meant(said.sql):
            raise
        return said.done()


@mutant(violates=REFUSED)
def refused_and_emptied(said: Said) -> Answer:
    """A refused statement leaves the destination empty all the same."""
    try:
        return said.run()
    except REFUSALS:
        found = re.match(r"(?:WITH.*)?ALTER TABLE (\S+)", said.sql)
        if is_meant(said.sql) and found:
            said.also(f"TRUNCATE TABLE {found[1]}")
        raise


@mutant(violates=[*REFUSED, f"{RQ}.Concurrent.Detach"])
def refusal_has_another_code(said: Said) -> Answer:
    """A refusal comes with a code that says something else."""
    try:
        return said.run()
    except REFUSALS as refused:
        if not is_meant(said.sql):
            raise
        return said.refuse(1002, refused.message)


@mutant(violates=[f"{RQ}.RBAC"])
def everybody_may_replace(said: Said) -> Answer:
    """A privilege check that always passes: the statement runs as the administrator's."""
    if said.by_administrator or not replace_in(said.sql):
        return said.run()
    said.also(said.sql)
    return said.done()


@mutant(violates=[f"{RQ}.RBAC"])
def nobody_may_replace(said: Said) -> Answer:
    """A privilege check that never passes."""
    if said.by_administrator or not replace_in(said.sql):
        return said.run()
    return said.refuse(497, "Not enough privileges")


@mutant(violates=[f"{RQ}.RowPolicy"])
def row_policy_filters_the_copy(said: Said) -> Answer:
    """Rows that the user may not see are not copied."""
    found = replace_in(said.sql)
    if said.by_administrator or not found:
        return said.run()
    seen = said.look(f"SELECT i FROM {found.source} WHERE p = 1", user=said.user)
    answer = said.run()
    said.also(
        f"ALTER TABLE {found.destination} DELETE WHERE p = 1 AND i NOT IN "
        f"{[row[0] for row in seen]} SETTINGS mutations_sync = 2"
    )
    return answer


@mutant(violates=[f"{RQ}.RowPolicy"])
def row_policy_goes_with_the_rows(said: Said) -> Answer:
    """What the source's policy hides is hidden in the destination, too."""
    found = replace_in(said.sql)
    if found:
        said.memory[found.destination] = True
    answer = said.run()
    if not said.by_administrator and any(a_read_of(said.sql, one) for one in said.memory):
        return said.lie([row for row in answer if row[1] % 2 == 0])
    return answer


@mutant(violates=[f"{RQ}.Corrupted"], on="*check table*")
def check_table_finds_nothing(said: Said) -> Answer:
    """CHECK TABLE calls damaged parts sound."""
    answer = said.run()
    return said.lie([(1,)]) if said.sql.startswith("CHECK TABLE") else answer


@mutant(violates=[f"{RQ}.Concurrent.Merges"])
def merge_is_accepted_meanwhile(said: Said) -> Answer:
    """OPTIMIZE TABLE is answered with success though merges are blocked."""
    try:
        return said.run()
    except REFUSALS as refused:
        if refused.code != ABORTED or not said.sql.startswith("OPTIMIZE"):
            raise
        return said.done()


@mutant(violates=[f"{RQ}.Concurrent.Merges"])
def merge_is_refused_otherwise(said: Said) -> Answer:
    """OPTIMIZE TABLE is refused for another reason than a running REPLACE PARTITION."""
    if said.sql.startswith("OPTIMIZE"):
        return said.refuse(60, "there is no such table")
    return said.run()


@mutant(violates=[f"{RQ}.Concurrent.Mutations"])
def only_deletes_are_refused(said: Said) -> Answer:
    """Of the mutations that somebody starts meanwhile, only deletions are refused."""
    if re.match(r"DELETE|ALTER TABLE \S+ DELETE", said.sql):
        return said.refuse(ABORTED, "Cancelled mutating parts")
    return said.run()
