"""Sabotages of what surrounds the engine: clauses, settings, partitions, inserts, restarts."""

from __future__ import annotations

import re
from collections.abc import Callable

from helpers.mutants import Answer, Said, mutant
from scenarios.replacing_merge_tree._statements import (
    NEWEST_INSERT,
    RQ,
    chosen,
    deletion_column,
    final_in,
    merge_as,
    parameters_in,
    table_written,
)

REPLACE = re.compile(
    r"ALTER TABLE (?P<to>\S+) REPLACE PARTITION (?P<partition>.+) FROM (?P<source>\S+)"
)


def without_clause(said: Said, pattern: str) -> Answer:
    """A CREATE TABLE in which a clause is read over."""
    shorter = re.sub(pattern, "", said.sql)
    if parameters_in(said.sql) is None or shorter == said.sql:
        return said.run()
    return said.lie(said.run(shorter))


@mutant(violates=[f"{RQ}.Create.Clauses"])
def sampling_is_read_over(said: Said) -> Answer:
    """SAMPLE BY is accepted and forgotten."""
    return without_clause(said, r" SAMPLE BY \S+")


@mutant(violates=[f"{RQ}.Create.Clauses"])
def partitioning_is_read_over(said: Said) -> Answer:
    """PARTITION BY is accepted and forgotten."""
    return without_clause(said, r" PARTITION BY .+?(?= ORDER BY)")


@mutant(violates=[f"{RQ}.Create.Clauses"])
def settings_are_read_over(said: Said) -> Answer:
    """A setting of the table is accepted and forgotten."""
    return without_clause(said, r", index_granularity = \d+")


@mutant(violates=[f"{RQ}.Create.DeprecatedSyntax"])
def deprecated_form_is_refused(said: Said) -> Answer:
    """The deprecated form is refused although it is allowed."""
    if ", 8192" in said.sql:
        return said.refuse(36, "This syntax for *MergeTree engine is deprecated")
    return said.run()


@mutant(violates=[f"{RQ}.Final.Setting"])
def final_setting_is_ignored(said: Said) -> Answer:
    """The setting final changes nothing."""
    if not re.match(r"SELECT|WITH", said.sql) or "FINAL" in said.sql or "system." in said.sql:
        return said.run()
    return said.lie(said.run(f"{said.sql} SETTINGS final = 0"))


@mutant(violates=[f"{RQ}.Final.Filter"])
def conditions_come_first(said: Said) -> Answer:
    """Rows are filtered before they are compared."""
    final = final_in(said.sql)
    if final is None:
        return said.run()
    order = f"<version> DESC, {NEWEST_INSERT}"
    return said.lie(said.run(chosen(said, final.table, order, where=final.where)))


@mutant(violates=[f"{RQ}.Partitions.Merge"])
def merge_crosses_partitions(said: Said) -> Answer:
    """A merge removes a row because of one in another partition."""
    return merge_as(said, f"<version> DESC, {NEWEST_INSERT}", within="")


@mutant(violates=[f"{RQ}.Partitions.Final"])
def final_stays_within_partitions(said: Said) -> Answer:
    """FINAL never compares rows of different partitions."""
    return _across(said, 1)


@mutant(violates=[f"{RQ}.Partitions.FinalWithinPartition"])
def final_always_crosses_partitions(said: Said) -> Answer:
    """FINAL compares rows of different partitions although it is told not to."""
    return _across(said, 0)


def _across(said: Said, within: int) -> Answer:
    if not final_in(said.sql):
        return said.run()
    setting = f"do_not_merge_across_partitions_select_final = {within}"
    return said.lie(said.run(f"{said.sql} SETTINGS {setting}"))


@mutant(violates=[f"{RQ}.Partitions.ReplacePartition"])
def replaced_rows_still_count(said: Said) -> Answer:
    """The rows of the source come beside those that they should replace."""
    found = REPLACE.fullmatch(said.sql)
    if not found:
        return said.run()
    attach = (
        f"ALTER TABLE {found['to']} ATTACH PARTITION {found['partition']} FROM {found['source']}"
    )
    return said.lie(said.run(attach))


@mutant(violates=[f"{RQ}.Partitions.ReplacePartition"])
def replace_removes_duplicates(said: Said) -> Answer:
    """Of the source's duplicates only the survivors come over."""
    answer, found = said.run(), REPLACE.fullmatch(said.sql)
    if found:
        said.also(f"OPTIMIZE TABLE {found['to']} PARTITION {found['partition']} FINAL")
    return answer


@mutant(violates=[f"{RQ}.Partitions.ReplacePartition"])
def replace_brings_a_mere_mergetree(said: Said) -> Answer:
    """Rows that came over are never compared again."""
    found = REPLACE.fullmatch(said.sql)
    if found:
        said.memory[found["to"]] = True
    final = final_in(said.sql)
    if not final or final.table not in said.memory:
        return said.run()
    return said.lie(said.run(said.sql.replace(" FINAL", "", 1)))


@mutant(violates=[f"{RQ}.Insert.OptimizeOnInsert", f"{RQ}.Selection.LastRowOfInsert"])
def insert_never_compares(said: Said) -> Answer:
    """An insert writes duplicates although it should not."""
    return _comparing(said, 0)


@mutant(violates=[f"{RQ}.Insert.OptimizeOnInsertDisabled"])
def insert_always_compares(said: Said) -> Answer:
    """An insert drops duplicates although it should not."""
    return _comparing(said, 1)


def _comparing(said: Said, compares: int) -> Answer:
    table = table_written(said.sql)
    if table is None or "VALUES" not in said.sql:
        return said.run()
    values = said.sql[said.sql.index("VALUES") :]
    setting = f"SETTINGS optimize_on_insert = {compares}"
    return said.lie(said.run(f"INSERT INTO {table} {setting} {values}"))


def _after_restart(said: Said, change: Callable[[Answer], Answer]) -> Answer:
    """Change what FINAL returns once the server was restarted: a table in memory tells."""
    mark = f"{said.node.database}.mark_of_the_mutant"
    if said.sql.startswith("CREATE TABLE") and not said.memory:
        said.memory["marked"] = True
        said.look(f"CREATE TABLE {mark} (x UInt8) ENGINE = Memory")
        said.look(f"INSERT INTO {mark} VALUES (1)")
    answer = said.run()
    if not final_in(said.sql) or said.look(f"SELECT x FROM {mark}"):
        return answer
    return said.lie(change(answer))


@mutant(violates=[f"{RQ}.Restart"])
def restart_forgets_a_row(said: Said) -> Answer:
    """After a restart FINAL returns one row less."""
    return _after_restart(said, lambda rows: rows[:-1])


@mutant(violates=[f"{RQ}.Restart"])
def restart_brings_a_row_back(said: Said) -> Answer:
    """After a restart FINAL returns rows that were replaced before it."""
    final = final_in(said.sql)
    if not final:
        return _after_restart(said, lambda rows: rows)
    everything = f"SELECT * FROM {final.table} WHERE {deletion_column(said, final.table)}"
    return _after_restart(said, lambda rows: said.look(everything))
