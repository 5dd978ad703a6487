"""Sabotages of reading hive-partitioned data: of keys, their values, and of what is read for a query."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from scenarios.hive_partitioning.mutants.statements import RQ, names_a_key, source_in

UNKNOWN_IDENTIFIER = 47
NO_ROW = "id = 4294967295"
READING = [
    f"{RQ}.Support",
    f"{RQ}.VirtualColumns",
    f"{RQ}.VirtualColumns.Accessibility",
    f"{RQ}.TableFunction.*",
    f"{RQ}.TableEngines.S3",
    f"{RQ}.TableEngines.HDFS",
]
PRUNING = [
    f"{RQ}.Generic.Pruning",
    f"{RQ}.Wildcards",
    f"{RQ}.TableFunction.*",
    f"{RQ}.TableEngines.S3",
    f"{RQ}.TableEngines.HDFS",
]


@mutant(
    violates=[
        *READING,
        f"{RQ}.EnableSetting",
        f"{RQ}.Generic.Performance",
        f"{RQ}.HivePartitionValue",
        f"{RQ}.HivePartitionValue.EmptyValue",
    ]
)
def keys_are_no_columns(statement: InterceptedStatement) -> Answer:
    """The keys of paths are not recognised, whatever the setting says."""
    if not names_a_key(statement.sql) or statement.settings.get("use_hive_partitioning") == 0:
        return statement.execute()
    return statement.refuse(UNKNOWN_IDENTIFIER, "Unknown expression identifier `year`")


@mutant(violates=[*PRUNING, f"{RQ}.Generic.Performance", f"{RQ}.HivePartitionValue.EmptyValue"])
def every_file_is_read(statement: InterceptedStatement) -> Answer:
    """No file is left out: each is read, and its rows are compared."""
    if source_in(statement.sql) is None or statement.sql.count(" WHERE ") != 1:
        return statement.execute()
    return statement.substitute(statement.sql.replace(" WHERE ", f" WHERE {NO_ROW} OR "))


@mutant(violates=[*PRUNING, f"{RQ}.Generic.Pruning.MixedConditions"])
def too_many_files_are_left_out(statement: InterceptedStatement) -> Answer:
    """Files are left out that have rows of the answer."""
    if source_in(statement.sql) is None or statement.sql.count(" WHERE ") != 1:
        return statement.execute()
    left_out = " WHERE _path NOT LIKE '%2021%' AND _path NOT LIKE '%country=US%' AND "
    return statement.substitute(statement.sql.replace(" WHERE ", left_out))


@mutant(violates=[f"{RQ}.TableFunction.S3Cluster"])
def one_node_reads_all(statement: InterceptedStatement) -> Answer:
    """The node that is asked reads everything by itself."""
    if "s3Cluster('lakes', " not in statement.sql:
        return statement.execute()
    return statement.substitute(statement.sql.replace("s3Cluster('lakes', ", "s3("))


@mutant(violates=[f"{RQ}.TableEngines.HDFS.Inserts"])
def every_insert_into_hdfs_is_lost(statement: InterceptedStatement) -> Answer:
    """What is inserted into HDFS is acknowledged and nowhere, whether HDFS has space or not."""
    if not re.match(r"INSERT INTO (?:FUNCTION hdfs\(|\S+\.hdfs_\d)", statement.sql):
        return statement.execute()
    return statement.acknowledge()


@mutant(violates=[f"{RQ}.Interoperation.Reads", f"{RQ}.Interoperation.DuckDB.Reads"])
def one_year_is_read(statement: InterceptedStatement) -> Answer:
    """Of a data set with many years one is read."""
    if "**.parquet" not in statement.sql:
        return statement.execute()
    return statement.substitute(statement.sql.replace("**.parquet", "year=2020/**.parquet"))
