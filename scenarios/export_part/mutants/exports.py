"""Sabotages of what the server tells an exporter, and of what it keeps of exports."""

from __future__ import annotations

import json

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant

RQ = "RQ.ClickHouse.ExportPart"
ROWS = [
    f"{RQ}.S3",
    f"{RQ}.SQLCommand",
    f"{RQ}.SourceEngines",
    f"{RQ}.SourcePartStorage",
    f"{RQ}.DestinationEngines",
    f"{RQ}.Security",
    f"{RQ}.PartTypes",
    f"{RQ}.DataPreparation",
    f"{RQ}.Idempotency",
    f"{RQ}.Settings.OverwriteFile",
    f"{RQ}.Settings.AllowExperimental",
    f"{RQ}.Concurrency",
    f"{RQ}.FailureHandling",
    f"{RQ}.ErrorRecovery.*",
]
OBSERVED = [
    f"{RQ}.Logging",
    f"{RQ}.Events",
    f"{RQ}.SystemTables.Exports",
    f"{RQ}.Metrics.Export",
    f"{RQ}.ServerSettings.MaxBandwidth",
]
IMMUNE = {
    f"{RQ}.Restrictions.SameTable": "the exporter refuses it before it asks the server anything"
}
PARTS = "SELECT name, partition_id, toString(min_block_number)"


def reads_rows(sql: str) -> bool:
    """Whether a task of an export fetches rows by it."""
    return "WHERE _part = " in sql and sql.endswith("FORMAT Parquet")


@mutant(violates=ROWS)
def rows_are_lost(statement: InterceptedStatement) -> Answer:
    """Whoever reads a part for an export gets one row of it."""
    if not reads_rows(statement.sql):
        return statement.execute()
    return statement.substitute(statement.sql.replace(" FORMAT Parquet", " LIMIT 1 FORMAT Parquet"))


@mutant(violates=[f"{RQ}.S3", f"{RQ}.DataPreparation", f"{RQ}.SourceEngines"])
def rows_of_all_parts_are_sent(statement: InterceptedStatement) -> Answer:
    """Whoever reads a part for an export, or counts its rows, gets those of all parts twice."""
    sql = statement.sql
    if "WHERE _part = " not in sql or "_part_offset" in sql or "system" in sql:
        return statement.execute()
    begin, _, rest = sql.partition(" WHERE _part = ")
    name, _, end = rest[1:].partition("'")
    condition = f"_part != '' OR _part = '{name}'"
    return statement.substitute(f"{begin} ARRAY JOIN [1, 2] AS __twice WHERE ({condition}){end}")


@mutant(violates=[f"{RQ}.DestinationSetup"])
def checksum_is_another(statement: InterceptedStatement) -> Answer:
    """The part's checksum is told wrongly."""
    if not statement.sql.startswith(PARTS):
        return statement.execute()
    return statement.substitute(
        statement.sql.replace("hash_of_all_files", "hash_of_uncompressed_files")
    )


@mutant(violates=[f"{RQ}.Restrictions.SourcePart"])
def any_part_will_do(statement: InterceptedStatement) -> Answer:
    """Where a part is not there, another one is found."""
    return with_another_part(statement)


@mutant(violates=[f"{RQ}.PartTypes"], on="*/outdated parts")
def outdated_parts_are_replaced(statement: InterceptedStatement) -> Answer:
    """Where a part is outdated, the one that superseded it is found."""
    return with_another_part(statement)


def with_another_part(statement: InterceptedStatement) -> Answer:
    sql = statement.sql
    if not sql.startswith(PARTS) or "(name = " not in sql:
        return statement.execute()
    begin, _, rest = sql.partition("(name = ")
    return statement.substitute(f"{begin}(1{rest[rest.index(')') :]} LIMIT 1")


@mutant(violates=[f"{RQ}.Restrictions.DestinationSupport"])
def every_table_is_hive(statement: InterceptedStatement) -> Answer:
    """Every table is said to be an S3 table with Hive partitioning."""
    if not statement.sql.startswith("SELECT engine, engine_full, partition_key"):
        return statement.execute()
    answer = statement.execute()
    return statement.respond(answer.replace(b"wildcard", b"hive"))


@mutant(violates=[f"{RQ}.SchemaCompatibility"])
def columns_are_always_the_same(statement: InterceptedStatement) -> Answer:
    """Every table is said to have the columns of the one that was asked for first."""
    answer = statement.execute()
    if not statement.sql.startswith("SELECT engine, engine_full, partition_key"):
        return answer
    told = json.loads(answer)
    if not told["data"]:
        return answer
    row = told["data"][0]
    first = statement.memory.setdefault("columns", row[-1])
    if first == row[-1]:
        return answer
    row[-1] = first
    return statement.respond(json.dumps(told).encode())


@mutant(violates=[f"{RQ}.PartitionKeyTypes"])
def every_key_is_a_string(statement: InterceptedStatement) -> Answer:
    """The types of a partition key are told as String."""
    answer = statement.execute()
    if not statement.sql.startswith("DESCRIBE TABLE (SELECT"):
        return answer
    for kind in (b'"UUID"', b'"Float32"', b'"Float64"'):
        if kind in answer:
            return statement.respond(answer.replace(kind, b'"String"'))
    return answer


@mutant(violates=OBSERVED)
def log_is_not_written(statement: InterceptedStatement) -> Answer:
    """What exports do is not kept."""
    if ".log FORMAT JSONEachRow" not in statement.sql:
        return statement.execute()
    return statement.acknowledge()


@mutant(violates=[f"{RQ}.SourcePartStorage"])
def only_the_first_disk_has_parts(statement: InterceptedStatement) -> Answer:
    """Parts that lie on another disk than the first local one are not found."""
    if not statement.sql.startswith(PARTS):
        return statement.execute()
    return statement.substitute(
        statement.sql.replace(" AND active ", " AND active AND disk_name IN ('default', 'one') ")
    )


@mutant(violates=[f"{RQ}.DestinationEngines"], on="*/stores that speak s3")
def only_one_engine_takes_parts(statement: InterceptedStatement) -> Answer:
    """A table whose definition has another name of the engine is said to be of another one."""
    answer = statement.execute()
    if not statement.sql.startswith("SELECT engine, engine_full, partition_key"):
        return answer
    if b'"GCS(' not in answer and b'"OSS(' not in answer:
        return answer
    return statement.respond(answer.replace(b'"S3"', b'"Null"'))


@mutant(violates=[f"{RQ}.ParallelFormatting"])
def formatting_is_never_parallel(statement: InterceptedStatement) -> Answer:
    """Every part is formatted by one thread."""
    return with_threads(statement, 1)


@mutant(violates=[f"{RQ}.ParallelFormatting"])
def formatting_is_always_parallel(statement: InterceptedStatement) -> Answer:
    """Every part is formatted by several threads, whatever the settings say."""
    return with_threads(statement, 4)


def with_threads(statement: InterceptedStatement, count: int) -> Answer:
    if not reads_rows(statement.sql):
        return statement.execute()
    settings = f"max_threads = {count}, output_format_parquet_parallel_encoding = {int(count > 1)}"
    return statement.substitute(
        statement.sql.replace(" FORMAT Parquet", f" SETTINGS {settings} FORMAT Parquet")
    )


@mutant(violates=[f"{RQ}.Security"], on="*/privileges")
def every_grant_is_there(statement: InterceptedStatement) -> Answer:
    """Whoever asks whether a user has a privilege is told that it is so."""
    answer = statement.execute()
    if not statement.sql.startswith("CHECK GRANT") or b"[1]" in answer:
        return answer
    return statement.respond(answer.replace(b"[0]", b"[1]"))


@mutant(violates=[f"{RQ}.Security"], on="*/secrets")
def passwords_are_logged(statement: InterceptedStatement) -> Answer:
    """The server writes the password of who reads a part into its log."""
    if reads_rows(statement.sql):
        who = statement.node.endpoint
        statement.inject(f"SELECT 1 /* {who.password} */")
    return statement.execute()


@mutant(violates=[f"{RQ}.FailureHandling", f"{RQ}.ErrorRecovery.*"], on="*/killed/*")
def a_row_is_written_twice(statement: InterceptedStatement) -> Answer:
    """When the rows of a destination are counted, one of them has come to be there twice."""
    if statement.sql.startswith("SELECT count() - uniqExact("):
        table = statement.sql.rpartition(" FROM ")[2]
        statement.inject(f"INSERT INTO {table} SELECT * FROM {table} LIMIT 1")
    return statement.execute()
