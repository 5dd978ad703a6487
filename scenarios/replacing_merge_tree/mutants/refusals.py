"""Sabotages of refusals: of tables that make no sense, of cleanups, of wrong deletion marks."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from helpers.sensitivity.refusals import accept_refusal, inject_on_refusal
from scenarios.replacing_merge_tree.mutants.statements import RQ, optimized_table

SUPPORT_IS_DISABLED, INCORRECT_DATA = 344, 117
NOT_CREATED = [
    f"{RQ}.Create.MissingSortingKey",
    f"{RQ}.Create.TooManyParameters",
    f"{RQ}.Create.MissingColumn",
    f"{RQ}.Create.DeprecatedSyntax.Disallowed",
    f"{RQ}.Version.UnsupportedType",
    f"{RQ}.IsDeleted.SameAsVersion",
    f"{RQ}.IsDeleted.Type",
]


@mutant(violates=NOT_CREATED)
def senseless_table_is_accepted(statement: InterceptedStatement) -> Answer:
    """A table that has to be refused is answered as if it had been created."""
    return accept_refusal(statement, statement.sql.startswith("CREATE TABLE"))


@mutant(violates=NOT_CREATED)
def refused_table_is_there(statement: InterceptedStatement) -> Answer:
    """A table is refused, and there it is."""
    match = re.match(r"CREATE TABLE (\S+)", statement.sql)
    created = f"CREATE TABLE {match[1]} (key UInt64) ENGINE = Memory" if match else None
    return inject_on_refusal(statement, created)


@mutant(violates=[f"{RQ}.Cleanup.NotAllowed"])
def refused_cleanup_merges(statement: InterceptedStatement) -> Answer:
    """A cleanup that is refused merges the table all the same."""
    optimize = optimized_table(statement.sql)
    merge = f"OPTIMIZE TABLE {optimize} FINAL" if optimize else None
    return inject_on_refusal(statement, merge, SUPPORT_IS_DISABLED)


@mutant(violates=[f"{RQ}.IsDeleted.WrongValue"])
def wrong_mark_is_accepted(statement: InterceptedStatement) -> Answer:
    """A deletion mark that is neither 0 nor 1 disturbs nobody."""
    return accept_refusal(statement, code=INCORRECT_DATA)
