"""Sabotages of refusals: of tables that make no sense, of cleanups, of wrong deletion marks."""

from __future__ import annotations

import re

from helpers.mutants import REFUSALS, Answer, Said, mutant
from scenarios.replacing_merge_tree._statements import RQ, optimize_in

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
def senseless_table_is_accepted(said: Said) -> Answer:
    """A table that has to be refused is answered as if it had been created."""
    try:
        return said.run()
    except REFUSALS:
        if not said.sql.startswith("CREATE TABLE"):
            raise
        return said.done()


@mutant(violates=NOT_CREATED)
def refused_table_is_there(said: Said) -> Answer:
    """A table is refused, and there it is."""
    try:
        return said.run()
    except REFUSALS:
        found = re.match(r"CREATE TABLE (\S+)", said.sql)
        if found:
            said.also(f"CREATE TABLE {found[1]} (key UInt64) ENGINE = Memory")
        raise


@mutant(violates=NOT_CREATED)
def senseless_table_is_refused_otherwise(said: Said) -> Answer:
    """A refusal comes with a code that says something else."""
    try:
        return said.run()
    except REFUSALS as refused:
        if not said.sql.startswith("CREATE TABLE"):
            raise
        return said.refuse(SOMETHING_ELSE, refused.message)


@mutant(violates=[f"{RQ}.Create.MissingSortingKey"])
def missing_key_is_another_error(said: Said) -> Answer:
    """Every table without a sorting key is refused, for a reason of its own."""
    if said.sql.startswith("CREATE TABLE") and "ORDER BY" not in said.sql:
        return said.refuse(SOMETHING_ELSE, "ORDER BY or PRIMARY KEY is missing")
    return said.run()


@mutant(violates=[f"{RQ}.IsDeleted.Type"])
def deletion_column_has_to_be_called_so(said: Said) -> Answer:
    """A boolean is refused as a deletion column, though it is stored as UInt8."""
    if "deleted Bool" in said.sql:
        return said.refuse(169, "is_deleted column must have type UInt8")
    return said.run()


@mutant(violates=[f"{RQ}.Version.Types"])
def wide_versions_are_refused(said: Said) -> Answer:
    """A version of more than 64 bits is refused."""
    if re.search(r"version UInt(128|256)", said.sql):
        return said.refuse(169, "cannot be used as a version column")
    return said.run()


@mutant(violates=[f"{RQ}.Cleanup.NotAllowed"])
def cleanup_is_always_allowed(said: Said) -> Answer:
    """Cleanups need no permission."""
    try:
        return said.run()
    except REFUSALS as refused:
        found = optimize_in(said.sql)
        if refused.code != SUPPORT_IS_DISABLED or not found:
            raise
        said.also(
            f"ALTER TABLE {found.table} MODIFY SETTING "
            "allow_experimental_replacing_merge_with_cleanup = 1"
        )
        return said.run()


@mutant(violates=[f"{RQ}.Cleanup.NotAllowed"])
def refused_cleanup_merges(said: Said) -> Answer:
    """A cleanup that is refused merges the table all the same."""
    try:
        return said.run()
    except REFUSALS as refused:
        found = optimize_in(said.sql)
        if refused.code == SUPPORT_IS_DISABLED and found:
            said.also(f"OPTIMIZE TABLE {found.table} FINAL")
        raise


@mutant(violates=[f"{RQ}.Cleanup.NotAllowed", f"{RQ}.IsDeleted.WrongValue"])
def refused_for_another_reason(said: Said) -> Answer:
    """What is refused is refused with another code."""
    try:
        return said.run()
    except REFUSALS as refused:
        return said.refuse(SOMETHING_ELSE, refused.message)


@mutant(violates=[f"{RQ}.IsDeleted.WrongValue"])
def wrong_mark_is_accepted(said: Said) -> Answer:
    """A deletion mark that is neither 0 nor 1 disturbs nobody."""
    try:
        return said.run()
    except REFUSALS as refused:
        if refused.code != INCORRECT_DATA:
            raise
        return said.done()


@mutant(violates=[f"{RQ}.IsDeleted.WrongValue"])
def failed_merge_drops_the_wrong_mark(said: Said) -> Answer:
    """A merge fails at a wrong deletion mark and removes its row."""
    try:
        return said.run()
    except REFUSALS as refused:
        found = optimize_in(said.sql)
        if refused.code == INCORRECT_DATA and found:
            said.also(
                f"ALTER TABLE {found.table} DELETE WHERE deleted > 1 SETTINGS mutations_sync = 2"
            )
        raise
