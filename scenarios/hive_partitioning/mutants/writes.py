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
HIVE = "partition_strategy = 'hive'"
KEYS_IN_FILE = re.compile(r"(?<=partition_columns_in_data_file = )[^,)]+")


def creates(statement: InterceptedStatement) -> bool:
    """Whether the statement makes a hive-partitioned table."""
    return statement.sql.startswith("CREATE TABLE") and HIVE in statement.sql


def inserts(statement: InterceptedStatement) -> bool:
    return statement.sql.startswith("INSERT INTO")


def create_otherwise(statement: InterceptedStatement, pattern: str, replacement: str) -> Answer:
    """Make a hive-partitioned table by another statement, where the pattern is found in it."""
    other = re.sub(pattern, replacement, statement.sql)
    if not creates(statement) or other == statement.sql:
        return statement.execute()
    return statement.substitute(other)


@mutant(violates=ONE_TO_WRITE)
def insert_is_forgotten(statement: InterceptedStatement) -> Answer:
    """Inserts are acknowledged, and nothing is written."""
    if not inserts(statement):
        return statement.execute()
    return statement.acknowledge()


@mutant(violates=[f"{RQ}.S3", f"{RQ}.UseHivePartitions", f"{RQ}.PartitionStrategy"])
def strategy_is_ignored(statement: InterceptedStatement) -> Answer:
    """A table with the strategy hive is written as one object."""
    return create_otherwise(statement, HIVE, "partition_strategy = 'none'")


@mutant(violates=[f"{RQ}.UseHivePartitions"])
def reading_setting_stops_writes(statement: InterceptedStatement) -> Answer:
    """With use_hive_partitioning = 0 nothing is written."""
    if inserts(statement) and statement.settings.get("use_hive_partitioning") == 0:
        return statement.acknowledge()
    return statement.execute()


@mutant(violates=[f"{RQ}.PartitionsParts"])
def partition_is_written_once(statement: InterceptedStatement) -> Answer:
    """A second insert into a partition is lost."""
    if inserts(statement) and "(1, 4), (1, 5)" in statement.sql:
        return statement.acknowledge()
    return statement.execute()


@mutant(violates=[f"{RQ}.PartitionKey"], on="*order of the clause")
def directories_are_sorted(statement: InterceptedStatement) -> Answer:
    """Directories are nested by the names of their columns."""
    return create_otherwise(statement, r"\(year, region\)", "(region, year)")


@mutant(violates=[f"{RQ}.PartitionKey"], on="*harmless characters")
def characters_are_replaced(statement: InterceptedStatement) -> Answer:
    """A percent sign in a value becomes something else."""
    if inserts(statement) and "50%" in statement.sql:
        return statement.substitute(statement.sql.replace("50%", "50_"))
    return statement.execute()


@mutant(violates=[f"{RQ}.PartitionColumnsInDataFile"])
def keys_are_always_in_the_file(statement: InterceptedStatement) -> Answer:
    """Files have the columns of the clause whatever the parameter says."""
    if creates(statement) and "partition_columns_in_data_file" not in statement.sql:
        return statement.substitute(
            statement.sql.replace(HIVE, f"{HIVE}, partition_columns_in_data_file = 1")
        )
    return create_otherwise(statement, KEYS_IN_FILE.pattern, "1")


@mutant(violates=[f"{RQ}.PartitionColumnsInDataFile"])
def keys_are_never_in_the_file(statement: InterceptedStatement) -> Answer:
    """Files lack the columns of the clause whatever the parameter says."""
    return create_otherwise(statement, KEYS_IN_FILE.pattern, "0")


@mutant(violates=[f"{RQ}.Path"])
def objects_lie_elsewhere(statement: InterceptedStatement) -> Answer:
    """Objects lie in another directory than the path says."""
    return create_otherwise(statement, r"(url = '[^']+?)/?'", r"\1/elsewhere'")


@mutant(violates=[f"{RQ}.Filename"])
def filename_is_ignored(statement: InterceptedStatement) -> Answer:
    """The filename is no part of the path of an object."""
    return create_otherwise(statement, r"filename = '[^']*'", "filename = ''")


@mutant(violates=[f"{RQ}.NotDefinedFilename"])
def filename_is_made_up(statement: InterceptedStatement) -> Answer:
    """A table without a filename gets one."""
    if creates(statement) and "filename =" not in statement.sql:
        return statement.substitute(statement.sql.replace(HIVE, f"{HIVE}, filename = 'table'"))
    return statement.execute()


@mutant(violates=[f"{RQ}.S3EngineParameters"], on="*compressions")
def compression_is_ignored(statement: InterceptedStatement) -> Answer:
    """Files of a hive-partitioned table are not compressed."""
    return create_otherwise(statement, r"compression = '\w+'", "compression = 'none'")


@mutant(violates=[f"{RQ}.S3EngineParameters"], on="*refusals")
def credentials_are_ignored(statement: InterceptedStatement) -> Answer:
    """A hive-partitioned table is written with the credentials of the named collection."""
    return create_otherwise(statement, r", access_key_id = .*?(?=, partition_strategy|\))", "")


@mutant(violates=[f"{RQ}.DefaultValue"])
def defaults_are_ignored(statement: InterceptedStatement) -> Answer:
    """A column that is left out has the default of its type."""
    return create_otherwise(statement, r" DEFAULT [^,]+(?:\([^)]*\))?(?=,)", "")


@mutant(violates=[f"{RQ}.SupportedDataTypes"], on="*supported type")
def wide_numbers_are_narrow(statement: InterceptedStatement) -> Answer:
    """A key of 256 bits has 64."""
    return create_otherwise(statement, r"k (U?)Int256", r"k \1Int64")


@mutant(violates=[f"{RQ}.SupportedDataTypes"], on="*values of texts")
def every_text_is_accepted(statement: InterceptedStatement) -> Answer:
    """An insert with any text in its key is acknowledged."""
    return accept_refusal(statement, inserts(statement))


@mutant(violates=[f"{RQ}.FileExist"])
def existing_rows_are_lost(statement: InterceptedStatement) -> Answer:
    """A table returns the rows of its last insert only."""
    answer = statement.execute()
    if statement.sql.startswith("SELECT *") and isinstance(answer, list) and len(answer) > 1:
        return statement.respond(sorted(answer)[-1:])
    return answer


@mutant(violates=[f"{RQ}.ParallelInserts"], on="*several users")
def one_user_is_forgotten(statement: InterceptedStatement) -> Answer:
    """The inserts of one of several users are acknowledged, and one of them is lost."""
    if inserts(statement) and statement.user == "eve" and "forgotten" not in statement.memory:
        statement.memory["forgotten"] = True
        return statement.acknowledge()
    return statement.execute()


@mutant(violates=[f"{RQ}.ParallelInserts"], on="*several servers")
def one_server_writes_twice(statement: InterceptedStatement) -> Answer:
    """Each insert of one of the servers is carried out twice."""
    if inserts(statement) and statement.node.name == "lake3":
        statement.inject(statement.sql)
    return statement.execute()


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
