"""Sabotages of refusals around hive-partitioned data: accepted, told otherwise, or not without effect."""

from __future__ import annotations

from helpers.sensitivity.mutant import REFUSALS, Answer, InterceptedStatement, mutant
from helpers.sensitivity.refusals import accept_refusal, change_refusal
from scenarios.hive_partitioning.mutants.statements import RQ

SOMETHING_ELSE = 1002
WRITES = ("INSERT", "ALTER", "UPDATE", "DELETE")
UNKNOWN = [
    f"{RQ}.VirtualColumns.HiveDisabled",
    f"{RQ}.VirtualColumns.NonExistingKey",
    f"{RQ}.TableFunction.*",
]
REFUSED = [
    *UNKNOWN,
    f"{RQ}.EnableSetting.ExistingTable",
    f"{RQ}.VirtualColumns.ReadOnly",
    f"{RQ}.VirtualColumns.InvalidPath",
    f"{RQ}.VirtualColumns.DuplicateKey",
    f"{RQ}.VirtualColumns.UnevenKeys",
    f"{RQ}.VirtualColumns.Accessibility.Prewhere",
    f"{RQ}.TableEngines.Hive",
    f"{RQ}.Wildcards.WrongList",
    f"{RQ}.Wildcards.WrongRange",
    f"{RQ}.Wildcards.Range.Negative",
    f"{RQ}.Wildcards.Escaping",
]


@mutant(violates=REFUSED)
def refused_statements_are_accepted(statement: InterceptedStatement) -> Answer:
    """What has to be refused is answered as if it had been executed."""
    return accept_refusal(statement)


@mutant(violates=[requirement for requirement in REFUSED if ".Wrong" not in requirement])
def refused_with_another_code(statement: InterceptedStatement) -> Answer:
    """What is refused is refused with a code that says something else."""
    return change_refusal(statement, SOMETHING_ELSE)


@mutant(violates=UNKNOWN)
def unknown_keys_are_empty(statement: InterceptedStatement) -> Answer:
    """A key that no path has is an empty column."""
    return accept_refusal(statement, statement.sql.startswith("SELECT"), code=47)


@mutant(violates=[f"{RQ}.VirtualColumns.ReadOnly"])
def refused_write_is_carried_out(statement: InterceptedStatement) -> Answer:
    """A write to a key is refused, and the file has lost its rows."""
    try:
        return statement.execute()
    except REFUSALS:
        if statement.sql.startswith(WRITES) and "FUNCTION s3(" in statement.sql:
            source = statement.sql.partition("FUNCTION ")[2].partition(" (id, year)")[0]
            statement.inject(
                f"INSERT INTO FUNCTION {source} SETTINGS s3_truncate_on_insert = 1 VALUES (0)"
            )
        raise


@mutant(violates=[f"{RQ}.VirtualColumns.InvalidPath"])
def missing_files_are_empty(statement: InterceptedStatement) -> Answer:
    """An object that does not exist is read as an empty one."""
    return accept_refusal(statement, code=499)


@mutant(violates=[f"{RQ}.VirtualColumns.InvalidPath", f"{RQ}.Wildcards.Wrong*"])
def nothing_is_an_error(statement: InterceptedStatement) -> Answer:
    """A query without rows is refused."""
    answer = statement.execute()
    if statement.sql.startswith("SELECT id") and answer == []:
        return statement.refuse(499, "Failed to check existence of a key")
    return answer
