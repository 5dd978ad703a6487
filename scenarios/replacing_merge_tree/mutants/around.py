"""Sabotages of what surrounds the engine: clauses, settings, partitions, inserts, restarts."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from helpers.sensitivity.refusals import refuse_if
from scenarios.replacing_merge_tree.mutants.statements import (
    NEWEST_INSERT,
    RQ,
    chosen,
    deletion_column,
    filtered_in,
    finals_in,
    merge_as,
    parameters_in,
    qualified,
    table_written,
    with_finals,
)

REPLACE = re.compile(
    r"ALTER TABLE (?P<to>\S+) REPLACE PARTITION (?P<partition>.+) FROM (?P<source>\S+)"
)


def without_clause(statement: InterceptedStatement, pattern: str) -> Answer:
    """A CREATE TABLE in which a clause is read over."""
    shorter = re.sub(pattern, "", statement.sql)
    if parameters_in(statement.sql) is None or shorter == statement.sql:
        return statement.execute()
    return statement.substitute(shorter)


@mutant(violates=[f"{RQ}.Create.Clauses"])
def sampling_is_read_over(statement: InterceptedStatement) -> Answer:
    """SAMPLE BY is accepted and forgotten."""
    return without_clause(statement, r" SAMPLE BY \S+")


@mutant(violates=[f"{RQ}.Create.Clauses"])
def partitioning_is_read_over(statement: InterceptedStatement) -> Answer:
    """PARTITION BY is accepted and forgotten."""
    return without_clause(statement, r" PARTITION BY .+?(?= ORDER BY)")


@mutant(violates=[f"{RQ}.Create.Clauses"])
def settings_are_read_over(statement: InterceptedStatement) -> Answer:
    """A setting of the table is accepted and forgotten."""
    return without_clause(statement, r", index_granularity = \d+")


@mutant(violates=[f"{RQ}.Create.DeprecatedSyntax"])
def deprecated_form_is_refused(statement: InterceptedStatement) -> Answer:
    """The deprecated form is refused although it is allowed."""
    deprecated = ", 8192" in statement.sql
    return refuse_if(statement, deprecated, 36, "This syntax for *MergeTree engine is deprecated")


@mutant(violates=[f"{RQ}.Final.Setting"])
def final_setting_is_ignored(statement: InterceptedStatement) -> Answer:
    """The setting final changes nothing."""
    if (
        not re.match(r"SELECT|WITH", statement.sql)
        or "FINAL" in statement.sql
        or "system." in statement.sql
    ):
        return statement.execute()
    return statement.substitute(f"{statement.sql} SETTINGS final = 0")


@mutant(violates=[f"{RQ}.Final.Filter"])
def conditions_come_first(statement: InterceptedStatement) -> Answer:
    """Rows are filtered before they are compared."""
    query = filtered_in(statement.sql)
    if query is None:
        return statement.execute()
    order = f"<version> DESC, {NEWEST_INSERT}"
    rows = chosen(statement, query.table, order, where=query.where)
    return statement.substitute(f"SELECT {query.columns} FROM ({rows})")


@mutant(violates=[f"{RQ}.Partitions.Merge"])
def merge_crosses_partitions(statement: InterceptedStatement) -> Answer:
    """A merge removes a row because of one in another partition."""
    return merge_as(statement, f"<version> DESC, {NEWEST_INSERT}", within="")


@mutant(violates=[f"{RQ}.Partitions.Final"])
def final_stays_within_partitions(statement: InterceptedStatement) -> Answer:
    """FINAL never compares rows of different partitions."""
    return _across(statement, 1)


@mutant(violates=[f"{RQ}.Partitions.FinalWithinPartition"])
def final_always_crosses_partitions(statement: InterceptedStatement) -> Answer:
    """FINAL compares rows of different partitions although it is told not to."""
    return _across(statement, 0)


def _across(statement: InterceptedStatement, within: int) -> Answer:
    if not finals_in(statement.sql):
        return statement.execute()
    setting = {"do_not_merge_across_partitions_select_final": within}
    return statement.respond(statement.execute(settings={**statement.settings, **setting}))


@mutant(violates=[f"{RQ}.Partitions.ReplacePartition"])
def replaced_rows_still_count(statement: InterceptedStatement) -> Answer:
    """The rows of the source come beside those that they should replace."""
    replace = REPLACE.fullmatch(statement.sql)
    if not replace:
        return statement.execute()
    attach = f"ALTER TABLE {replace['to']} ATTACH PARTITION {replace['partition']} FROM {replace['source']}"
    return statement.substitute(attach)


@mutant(violates=[f"{RQ}.Partitions.ReplacePartition"])
def replace_removes_duplicates(statement: InterceptedStatement) -> Answer:
    """Of the source's duplicates only the survivors come over."""
    answer, replace = statement.execute(), REPLACE.fullmatch(statement.sql)
    if replace:
        statement.inject(f"OPTIMIZE TABLE {replace['to']} PARTITION {replace['partition']} FINAL")
    return answer


@mutant(violates=[f"{RQ}.Partitions.ReplacePartition"])
def replace_brings_a_mere_mergetree(statement: InterceptedStatement) -> Answer:
    """Rows that came over are never compared again."""
    replace = REPLACE.fullmatch(statement.sql)
    if replace:
        statement.memory[replace["to"]] = True
    without = with_finals(
        statement.sql,
        lambda table: (
            table if qualified(statement, table) in statement.memory else f"{table} FINAL"
        ),
    )
    if not finals_in(statement.sql) or without == statement.sql:
        return statement.execute()
    return statement.substitute(without)


@mutant(violates=[f"{RQ}.Insert.OptimizeOnInsert", f"{RQ}.Selection.LastRowOfInsert"])
def insert_never_compares(statement: InterceptedStatement) -> Answer:
    """An insert writes duplicates although it should not."""
    return _comparing(statement, 0)


@mutant(violates=[f"{RQ}.Insert.OptimizeOnInsertDisabled"])
def insert_always_compares(statement: InterceptedStatement) -> Answer:
    """An insert drops duplicates although it should not."""
    return _comparing(statement, 1)


def _comparing(statement: InterceptedStatement, compares: int) -> Answer:
    table = table_written(statement.sql)
    if table is None or "VALUES" not in statement.sql:
        return statement.execute()
    values = statement.sql[statement.sql.index("VALUES") :]
    setting = f"SETTINGS optimize_on_insert = {compares}"
    return statement.substitute(f"INSERT INTO {table} {setting} {values}")


def _after_restart(statement: InterceptedStatement) -> bool:
    """Whether it reads with FINAL after the server was restarted: a table in memory tells."""
    mark = f"{statement.node.database}.mark_of_the_mutant"
    if statement.sql.startswith("CREATE TABLE") and not statement.memory:
        statement.memory["marked"] = True
        statement.inspect(f"CREATE TABLE {mark} (x UInt8) ENGINE = Memory")
        statement.inspect(f"INSERT INTO {mark} VALUES (1)")
    return bool(finals_in(statement.sql)) and not statement.inspect(f"SELECT x FROM {mark}")


@mutant(violates=[f"{RQ}.Restart"])
def restart_forgets_a_row(statement: InterceptedStatement) -> Answer:
    """After a restart FINAL returns one row less."""
    forgets = _after_restart(statement)
    answer = statement.execute()
    return statement.respond(answer[:-1]) if forgets else answer


@mutant(violates=[f"{RQ}.Restart"])
def restart_brings_a_row_back(statement: InterceptedStatement) -> Answer:
    """After a restart FINAL returns rows that were replaced before it."""
    if not _after_restart(statement):
        return statement.execute()

    def everything(table: str) -> str:
        return f"(SELECT * FROM {table} WHERE {deletion_column(statement, table)})"

    return statement.substitute(with_finals(statement.sql, everything))
