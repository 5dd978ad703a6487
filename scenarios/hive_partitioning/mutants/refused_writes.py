"""Sabotages of what hive-partitioned tables refuse."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from helpers.sensitivity.refusals import (
    accept_refusal,
    change_refusal,
    inject_on_refusal,
    refuse_if,
)
from scenarios.hive_partitioning.mutants.writes import RQ, create_otherwise

BAD_ARGUMENTS, SOMETHING_ELSE = 36, 1002
NOT_CREATED = [
    f"{RQ}.{name}"
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


@mutant(violates=NOT_CREATED)
def hive_table_is_refused_otherwise(statement: InterceptedStatement) -> Answer:
    """A refusal comes with a code that says something else."""
    return change_refusal(statement, SOMETHING_ELSE, makes_a_table(statement))


@mutant(violates=[f"{RQ}.PartitionBy"], on="*clause without columns")
def empty_clause_is_refused_otherwise(statement: InterceptedStatement) -> Answer:
    """A clause without columns is refused, for a reason of its own."""
    empty = statement.sql.endswith((" PARTITION BY tuple()", " PARTITION BY ()"))
    return refuse_if(statement, empty, SOMETHING_ELSE, "an empty clause")


@mutant(violates=[f"{RQ}.NullableDataType"])
def nullable_keys_are_accepted(statement: InterceptedStatement) -> Answer:
    """A nullable column in the clause is taken for one that is not."""
    return create_otherwise(statement, r"k Nullable\((\w+)\)", r"k \1")


@mutant(violates=[f"{RQ}.DataTypesUnsupported"])
def uuids_are_accepted(statement: InterceptedStatement) -> Answer:
    """A key may be a UUID."""
    return create_otherwise(statement, "k UUID", "k String")


@mutant(
    violates=[
        f"{RQ}.FilenameWithoutHivePartitionStrategy",
        f"{RQ}.PartitionColumnsInDataFileWithoutHivePartitionStrategy",
    ]
)
def parameter_is_refused_without_the_strategy(statement: InterceptedStatement) -> Answer:
    """What is for the strategy hive only is refused without it, where a clause is given."""
    without = makes_a_table(statement) and "partition_strategy" not in statement.sql
    applies = without and "PARTITION BY" in statement.sql
    return refuse_if(statement, applies, BAD_ARGUMENTS, "only with the strategy hive")


@mutant(violates=[f"{RQ}.PartitionStrategy"])
def strategy_auto_is_accepted(statement: InterceptedStatement) -> Answer:
    """The strategy auto is known, and writes as wildcard does."""
    auto = "partition_strategy = 'auto'"
    if auto not in statement.sql:
        return statement.execute()
    return statement.substitute(statement.sql.replace(auto, "partition_strategy = 'wildcard'"))


@mutant(violates=[f"{RQ}.ReadOnlyBucket"])
def reader_may_write(statement: InterceptedStatement) -> Answer:
    """Credentials that may only read may write."""
    return create_otherwise(statement, r"S3\(lake_read_only,", "S3(lake,")


@mutant(violates=[f"{RQ}.NonAccessibleBucket"])
def anybody_may_write(statement: InterceptedStatement) -> Answer:
    """Credentials without any right may write."""
    return create_otherwise(statement, r"S3\(lake_no_access,", "S3(lake,")


@mutant(violates=[f"{RQ}.ReadOnlyBucket", f"{RQ}.NonAccessibleBucket"])
def denied_insert_is_acknowledged(statement: InterceptedStatement) -> Answer:
    """An insert that is denied is answered as if it had succeeded."""
    return accept_refusal(statement, statement.sql.startswith("INSERT INTO"))
