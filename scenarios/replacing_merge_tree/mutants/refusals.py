"""Sabotages of refusals: of tables that make no sense, of cleanups, of wrong deletion marks."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import REFUSALS, Answer, InterceptedStatement, mutant
from helpers.sensitivity.refusals import (
    accept_refusal,
    change_refusal,
    inject_on_refusal,
    refuse_if,
)
from scenarios.replacing_merge_tree.mutants.statements import RQ, optimize_in

SUPPORT_IS_DISABLED, INCORRECT_DATA, SOMETHING_ELSE = 344, 117, 1002
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


@mutant(violates=NOT_CREATED)
def senseless_table_is_refused_otherwise(statement: InterceptedStatement) -> Answer:
    """A refusal comes with a code that says something else."""
    return change_refusal(statement, SOMETHING_ELSE, statement.sql.startswith("CREATE TABLE"))


@mutant(violates=[f"{RQ}.Create.MissingSortingKey"])
def missing_key_is_another_error(statement: InterceptedStatement) -> Answer:
    """Every table without a sorting key is refused, for a reason of its own."""
    lacking = statement.sql.startswith("CREATE TABLE") and "ORDER BY" not in statement.sql
    return refuse_if(statement, lacking, SOMETHING_ELSE, "ORDER BY or PRIMARY KEY is missing")


@mutant(violates=[f"{RQ}.IsDeleted.Type"])
def deletion_column_has_to_be_called_so(statement: InterceptedStatement) -> Answer:
    """A boolean is refused as a deletion column, though it is stored as UInt8."""
    boolean = "deleted Bool" in statement.sql
    return refuse_if(statement, boolean, 169, "is_deleted column must have type UInt8")


@mutant(violates=[f"{RQ}.Version.Types"])
def wide_versions_are_refused(statement: InterceptedStatement) -> Answer:
    """A version of more than 64 bits is refused."""
    wide = re.search(r"version UInt(128|256)", statement.sql)
    return refuse_if(statement, bool(wide), 169, "cannot be used as a version column")


@mutant(violates=[f"{RQ}.Cleanup.NotAllowed"])
def cleanup_is_always_allowed(statement: InterceptedStatement) -> Answer:
    """Cleanups need no permission."""
    try:
        return statement.execute()
    except REFUSALS as refused:
        optimize = optimize_in(statement.sql)
        if refused.code != SUPPORT_IS_DISABLED or not optimize:
            raise
        statement.inject(
            f"ALTER TABLE {optimize.table} MODIFY SETTING "
            "allow_experimental_replacing_merge_with_cleanup = 1"
        )
        return statement.execute()


@mutant(violates=[f"{RQ}.Cleanup.NotAllowed"])
def refused_cleanup_merges(statement: InterceptedStatement) -> Answer:
    """A cleanup that is refused merges the table all the same."""
    optimize = optimize_in(statement.sql)
    merge = f"OPTIMIZE TABLE {optimize.table} FINAL" if optimize else None
    return inject_on_refusal(statement, merge, SUPPORT_IS_DISABLED)


@mutant(violates=[f"{RQ}.Cleanup.NotAllowed", f"{RQ}.IsDeleted.WrongValue"])
def refused_for_another_reason(statement: InterceptedStatement) -> Answer:
    """What is refused is refused with another code."""
    return change_refusal(statement, SOMETHING_ELSE)


@mutant(violates=[f"{RQ}.IsDeleted.WrongValue"])
def wrong_mark_is_accepted(statement: InterceptedStatement) -> Answer:
    """A deletion mark that is neither 0 nor 1 disturbs nobody."""
    return accept_refusal(statement, code=INCORRECT_DATA)


@mutant(violates=[f"{RQ}.IsDeleted.WrongValue"])
def failed_merge_drops_the_wrong_mark(statement: InterceptedStatement) -> Answer:
    """A merge fails at a wrong deletion mark and removes its row."""
    optimize = optimize_in(statement.sql)
    table = optimize.table if optimize else ""
    deletion = f"ALTER TABLE {table} DELETE WHERE deleted > 1 SETTINGS mutations_sync = 2"
    return inject_on_refusal(statement, deletion if optimize else None, INCORRECT_DATA)
