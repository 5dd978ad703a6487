"""Sabotages of ReplacingMergeTree: FINAL, merges, cleanups and parameters do nothing."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from scenarios.replacing_merge_tree.mutants.statements import (
    RQ,
    finals_in,
    optimized_table,
    parameters_in,
    rq,
    table_written,
    with_engine,
    with_finals,
)

REPLACE = re.compile(
    r"ALTER TABLE (?P<to>\S+) REPLACE PARTITION (?P<partition>.+) FROM (?P<source>\S+)"
)
SELECTED = [
    RQ,
    f"{RQ}.Selection.LastInsert",
    f"{RQ}.Selection.LastRowOfInsert",
    f"{RQ}.Selection.WholeRow",
    f"{RQ}.Selection.AttachedPart",
    f"{RQ}.Uniqueness.*",
    f"{RQ}.Version.Maximum",
    f"{RQ}.Version.Equal",
    f"{RQ}.Version.Types",
    f"{RQ}.Create.DeprecatedSyntax",
]
DELETIONS = [
    f"{RQ}.IsDeleted.Final",
    f"{RQ}.IsDeleted.Merge",
    f"{RQ}.IsDeleted.Outdated",
    f"{RQ}.IsDeleted.Reinsert",
]


@mutant(
    violates=[
        *(*SELECTED, *DELETIONS, f"{RQ}.Final", f"{RQ}.Final.Filter", f"{RQ}.Partitions.Final"),
        *rq("Final.Grants", "Final.Writers", "Distributed", "Replicated"),
    ]
)
def final_does_nothing(statement: InterceptedStatement) -> Answer:
    """FINAL is read over."""
    if not finals_in(statement.sql):
        return statement.execute()
    return statement.substitute(with_finals(statement.sql, lambda table: table))


@mutant(
    violates=[
        *SELECTED,
        *rq("IsDeleted.Merge", "Cleanup", "Cleanup.ForgetsVersion", "Merge", "Merge.OptimizeFinal"),
    ]
)
def merge_does_nothing(statement: InterceptedStatement) -> Answer:
    """OPTIMIZE TABLE answers and merges nothing."""
    return statement.acknowledge() if optimized_table(statement.sql) else statement.execute()


@mutant(
    violates=[
        RQ,
        *rq("Version.Maximum", "Version.Types", "Partitions.Final", "Create.DeprecatedSyntax"),
    ]
)
def version_is_ignored(statement: InterceptedStatement) -> Answer:
    """The engine takes a version column and does not look at it."""
    if parameters_in(statement.sql) in (["version"], ["edited"]):
        return statement.substitute(with_engine(statement.sql, "ReplacingMergeTree()"))
    if statement.sql.endswith(", 8192, version)"):
        return statement.substitute(statement.sql.replace(", 8192, version)", ", 8192)"))
    return statement.execute()


@mutant(
    violates=[RQ, *rq("IsDeleted.Final", "IsDeleted.Reinsert", "IsDeleted.WrongValue", "Cleanup")]
)
def deletion_column_is_ignored(statement: InterceptedStatement) -> Answer:
    """The engine takes a deletion column and does not look at it."""
    parameters = parameters_in(statement.sql)
    if parameters is None or len(parameters) != 2:
        return statement.execute()
    return statement.substitute(with_engine(statement.sql, f"ReplacingMergeTree({parameters[0]})"))


@mutant(violates=[f"{RQ}.Cleanup", f"{RQ}.Cleanup.ForgetsVersion"])
def cleanup_is_a_mere_merge(statement: InterceptedStatement) -> Answer:
    """CLEANUP is read over, and deletion rows stay."""
    if not statement.sql.endswith(" CLEANUP"):
        return statement.execute()
    return statement.substitute(statement.sql.removesuffix(" CLEANUP"))


@mutant(violates=[f"{RQ}.Merge.Eventual", f"{RQ}.Insert.OptimizeOnInsertDisabled"])
def every_insert_merges_at_once(statement: InterceptedStatement) -> Answer:
    """Duplicates are gone as soon as they come."""
    answer, table = statement.execute(), table_written(statement.sql)
    if table:
        statement.inject(f"SYSTEM START MERGES {table}")
        statement.inject(f"OPTIMIZE TABLE {table} FINAL")
    return answer


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
