"""Sabotages of writing hive-partitioned tables: where rows go, what files hold, what becomes of inserts."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from helpers.sensitivity.refusals import accept_refusal, inject_on_refusal

RQ = "RQ.HivePartitioning.Writes"
ONE_TO_WRITE = [
    f"{RQ}.{name}"
    for name in (
        *("S3", "UseHivePartitions", "PartitionsParts", "PartitionKey", "PartitionStrategy"),
        *("PartitionColumnsInDataFile", "Path", "Filename", "NotDefinedFilename"),
        *("S3EngineParameters", "DefaultValue", "SupportedDataTypes", "FileExist"),
        *("ParallelInserts", "WriteFail"),
    )
]
EXCHANGED = [
    f"RQ.HivePartitioning.{name}"
    for name in ("Interoperation.DuckDB.Writes", "Interoperation.DuckDB.Names", "Generic.Encoding")
]


def inserts(statement: InterceptedStatement) -> bool:
    return statement.sql.startswith("INSERT INTO")


@mutant(violates=[*ONE_TO_WRITE, *EXCHANGED])
def insert_is_forgotten(statement: InterceptedStatement) -> Answer:
    """Inserts are acknowledged, and nothing is written."""
    if not inserts(statement):
        return statement.execute()
    return statement.acknowledge()


@mutant(violates=[f"{RQ}.WriteFail"])
def failed_insert_is_acknowledged(statement: InterceptedStatement) -> Answer:
    """An insert that fails is answered as if it had succeeded."""
    return accept_refusal(statement, inserts(statement))


@mutant(violates=[f"{RQ}.WriteFail"], on="*source that fails")
def failed_insert_leaves_a_row(statement: InterceptedStatement) -> Answer:
    """An insert whose source fails has written some of its rows."""
    table = statement.sql.split()[2] if inserts(statement) else ""
    return inject_on_refusal(
        statement, f"INSERT INTO {table} VALUES (1, 1, 'left')" if table else None
    )


@mutant(violates=["RQ.HivePartitioning.Interoperation.Writes"])
def one_row_is_not_written(statement: InterceptedStatement) -> Answer:
    """A row of a long insert is not written."""
    if not re.match(r"INSERT INTO \S+ SELECT \* FROM", statement.sql):
        return statement.execute()
    return statement.substitute(f"{statement.sql} WHERE id != 5")
