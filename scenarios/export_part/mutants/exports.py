"""Sabotages of what the server tells an exporter, and of what it keeps of exports."""

from __future__ import annotations

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


def reads_rows(sql: str) -> bool:
    """Whether a task of an export fetches rows by it."""
    return "WHERE _part = " in sql and sql.endswith("FORMAT Parquet")


@mutant(violates=ROWS)
def rows_are_lost(statement: InterceptedStatement) -> Answer:
    """Whoever reads a part for an export gets one row of it."""
    if not reads_rows(statement.sql):
        return statement.execute()
    return statement.substitute(statement.sql.replace(" FORMAT Parquet", " LIMIT 1 FORMAT Parquet"))


@mutant(violates=OBSERVED)
def log_is_not_written(statement: InterceptedStatement) -> Answer:
    """What exports do is not kept."""
    if ".log FORMAT JSONEachRow" not in statement.sql:
        return statement.execute()
    return statement.acknowledge()


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
