"""Sabotages of data that ClickHouse and Spark share."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant

RQ = "RQ.HivePartitioning.Interoperation"
KEYS_READ = re.compile(r"SELECT (?:id, )?k FROM s3\(")
MARK = "__HIVE_DEFAULT_PARTITION__"


@mutant(violates=[f"{RQ}.Reads"])
def one_year_is_read(statement: InterceptedStatement) -> Answer:
    """Of a data set with many years one is read."""
    if "**.parquet" not in statement.sql:
        return statement.execute()
    return statement.substitute(statement.sql.replace("**.parquet", "year=2020/**.parquet"))


@mutant(violates=[f"{RQ}.Writes"])
def one_row_is_not_written(statement: InterceptedStatement) -> Answer:
    """A row of a long insert is not written."""
    if not re.match(r"INSERT INTO \S+ SELECT \* FROM", statement.sql):
        return statement.execute()
    return statement.substitute(f"{statement.sql} WHERE id != 5")


@mutant(violates=[f"{RQ}.NullPartition"])
def mark_of_null_is_empty(statement: InterceptedStatement) -> Answer:
    """A partition without a value is read as one with an empty text."""
    answer = statement.execute()
    if MARK not in str(answer) or not isinstance(answer, list):
        return answer
    return statement.respond(
        [tuple("" if value == MARK else value for value in row) for row in answer]
    )


@mutant(violates=[f"{RQ}.Escaping"])
def escaped_values_are_cut(statement: InterceptedStatement) -> Answer:
    """Of an escaped value nothing is read from the first percent sign on."""
    answer = statement.execute()
    if not KEYS_READ.match(statement.sql) or not isinstance(answer, list):
        return answer
    return statement.respond([(*row[:-1], str(row[-1]).partition("%")[0]) for row in answer])


@mutant(violates=[f"{RQ}.Escaping", f"{RQ}.Writes"], on="*spark reads names of clickhouse")
def blanks_are_lost(statement: InterceptedStatement) -> Answer:
    """A text with a blank is written without it."""
    if not statement.sql.startswith("INSERT INTO") or "'a b'" not in statement.sql:
        return statement.execute()
    return statement.substitute(statement.sql.replace("'a b'", "'ab'"))
