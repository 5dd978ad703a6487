"""Sabotages of refusals around hive-partitioned data: accepted, with another message, or with an effect."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from helpers.sensitivity.refusals import accept_refusal, inject_on_refusal
from scenarios.hive_partitioning.mutants.statements import RQ

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
    f"{RQ}.Wildcards.Escaping",
]


@mutant(violates=REFUSED)
def refused_statements_are_accepted(statement: InterceptedStatement) -> Answer:
    """What has to be refused is answered as if it had been executed."""
    return accept_refusal(statement)


NOT_CREATED = [
    f"{RQ}.Writes.{name}"
    for name in (
        *("PartitionStrategyWrongArgument", "PartitionColumnsInDataFileWrongArgument"),
        *("InvalidPath", "PartitionBy", "Expressions", "MissingColumn"),
        *("NullableDataType", "DataTypesUnsupported"),
    )
]


def makes_a_table(statement: InterceptedStatement) -> bool:
    return statement.sql.startswith("CREATE TABLE")


@mutant(violates=NOT_CREATED)
def senseless_hive_table_is_accepted(statement: InterceptedStatement) -> Answer:
    """A table that has to be refused is answered as if it had been created."""
    return accept_refusal(statement, makes_a_table(statement))


@mutant(violates=NOT_CREATED)
def refused_hive_table_is_there(statement: InterceptedStatement) -> Answer:
    """A table is refused, and there it is."""
    match = re.match(r"CREATE TABLE (\S+)", statement.sql)
    created = f"CREATE TABLE {match[1]} (key UInt64) ENGINE = Memory" if match else None
    return inject_on_refusal(statement, created)


@mutant(violates=[f"{RQ}.Writes.ReadOnlyBucket", f"{RQ}.Writes.NonAccessibleBucket"])
def denied_insert_is_acknowledged(statement: InterceptedStatement) -> Answer:
    """An insert that is denied is answered as if it had succeeded."""
    return accept_refusal(statement, statement.sql.startswith("INSERT INTO"))
