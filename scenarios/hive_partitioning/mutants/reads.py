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
PATTERNS = [
    f"{RQ}.Wildcards.{name}"
    for name in ("SingleStar", "DoubleStar", "QuestionMark", "List", "Range")
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


@mutant(violates=[f"{RQ}.Support", f"{RQ}.VirtualColumns", f"{RQ}.HivePartitionValue.EmptyValue"])
def values_have_a_letter_more(statement: InterceptedStatement) -> Answer:
    """A value that is text has a letter more than its path."""
    answer = statement.execute()
    if not names_a_key(statement.sql) or not any(isinstance(row[-1], str) for row in answer):
        return answer
    return statement.respond([(*row[:-1], f"{row[-1]}x") for row in answer])


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


@mutant(violates=[f"{RQ}.Generic.Pruning", f"{RQ}.Generic.Performance", f"{RQ}.TableFunction.*"])
def a_file_more_is_read(statement: InterceptedStatement) -> Answer:
    """One file more is read than the log should say."""
    answer = statement.execute()
    if "EngineFileLikeReadFiles" not in statement.sql:
        return answer
    files = 1 if "query_id, " in statement.sql else 0
    return statement.respond([(*row[:files], row[files] + 1, *row[files + 1 :]) for row in answer])


@mutant(violates=[f"{RQ}.EnableSetting", f"{RQ}.VirtualColumns.HiveDisabled"])
def setting_is_ignored(statement: InterceptedStatement) -> Answer:
    """Hive partitioning is always on."""
    if "use_hive_partitioning" in statement.settings:
        kept = {**statement.settings, "use_hive_partitioning": 1}
        changed = kept != dict(statement.settings)
        answer = statement.execute(settings=kept)
        return statement.respond(answer) if changed else answer
    if re.search(r"use_hive_partitioning = 0", statement.sql):
        on = statement.sql.replace("use_hive_partitioning = 0", "use_hive_partitioning = 1")
        return statement.substitute(on)
    return statement.execute()


@mutant(violates=[f"{RQ}.VirtualColumns.Appearance"])
def keys_appear_unasked(statement: InterceptedStatement) -> Answer:
    """SELECT * has the keys of the path as well."""
    if source_in(statement.sql) is None or not statement.sql.startswith("SELECT * "):
        return statement.execute()
    return statement.substitute(statement.sql.replace("SELECT *", "SELECT *, year", 1))


@mutant(violates=[f"{RQ}.VirtualColumns.NameConflict"])
def column_has_another_day(statement: InterceptedStatement) -> Answer:
    """A column that is called as a key has neither the value of the file nor that of the path."""
    if source_in(statement.sql) is None or not statement.sql.startswith("SELECT date "):
        return statement.execute()
    return statement.substitute(statement.sql.replace("SELECT date ", "SELECT date + 1 ", 1))


@mutant(violates=[f"{RQ}.HivePartitionValue"])
def every_value_is_text_with_a_blank(statement: InterceptedStatement) -> Answer:
    """Values are text, with a blank behind them."""
    if "toTypeName(key), " not in statement.sql:
        return statement.execute()
    changed = statement.sql.replace("ifNull(toString(key), 'NULL')", "concat(toString(key), ' ')")
    return statement.substitute(changed)


@mutant(violates=[*PATTERNS, f"{RQ}.Wildcards.*"])
def patterns_match_something_else(statement: InterceptedStatement) -> Answer:
    """A row that a pattern matches is not returned."""
    answer = statement.execute()
    if source_in(statement.sql) is None or "SELECT id, _path" not in statement.sql or not answer:
        return answer
    return statement.respond(answer[1:])


@mutant(violates=PATTERNS)
def patterns_match_below(statement: InterceptedStatement) -> Answer:
    """Patterns match whatever begins like them."""
    if "SELECT id, _path" not in statement.sql:
        return statement.execute()
    widened = re.sub(r"(url = '[^'*?{]*)[^']*'", r"\1**'", statement.sql)
    return statement.substitute(widened)


@mutant(violates=[f"{RQ}.TableFunction.S3Cluster"])
def one_node_reads_all(statement: InterceptedStatement) -> Answer:
    """The node that is asked reads everything by itself."""
    if "s3Cluster('lakes', " not in statement.sql:
        return statement.execute()
    return statement.substitute(statement.sql.replace("s3Cluster('lakes', ", "s3("))


@mutant(violates=[f"{RQ}.VirtualColumns.UnevenKeys"])
def missing_keys_are_zero(statement: InterceptedStatement) -> Answer:
    """A key that a path lacks is 0 there."""
    if not re.search(r"\bSELECT id, b FROM\b|\bWHERE b = 2", statement.sql):
        return statement.execute()
    return statement.respond([(1, 2), (2, 0)])


@mutant(violates=[f"{RQ}.VirtualColumns.Accessibility.Prewhere"])
def prewhere_is_another_error(statement: InterceptedStatement) -> Answer:
    """PREWHERE is refused for every column."""
    if " PREWHERE " not in statement.sql:
        return statement.execute()
    return statement.refuse(182, "does not support PREWHERE")


@mutant(violates=[f"{RQ}.Wildcards.Escaping"])
def backslashes_are_left_out(statement: InterceptedStatement) -> Answer:
    """A path is read as if it had no backslash, so what follows one is a pattern."""
    if not statement.sql.startswith("SELECT id"):
        return statement.execute()
    return statement.substitute(statement.sql.replace("\\\\", ""))


@mutant(violates=[f"{RQ}.TableEngines.HDFS.Inserts"])
def every_insert_into_hdfs_is_lost(statement: InterceptedStatement) -> Answer:
    """What is inserted into HDFS is acknowledged and nowhere, whether HDFS has space or not."""
    if not re.match(r"INSERT INTO (?:FUNCTION hdfs\(|\S+\.hdfs_\d)", statement.sql):
        return statement.execute()
    return statement.acknowledge()
