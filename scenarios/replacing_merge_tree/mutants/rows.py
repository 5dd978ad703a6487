"""Sabotages of ReplacingMergeTree: other rows survive, or they survive at another time."""

from __future__ import annotations

import re

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from scenarios.replacing_merge_tree.mutants.statements import (
    NEWEST_INSERT,
    OLDEST_INSERT,
    RQ,
    columns_in,
    deletion_column,
    finals_in,
    merge_as,
    optimize_in,
    parameters_in,
    read_final,
    rq,
    table_written,
    with_engine,
    with_finals,
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
DECIDED_BY_INSERT = [
    f"{RQ}.Selection.LastInsert",
    f"{RQ}.Selection.AttachedPart",
    f"{RQ}.Selection.LastRowOfInsert",
    f"{RQ}.Selection.WholeRow",
    f"{RQ}.Create.DeprecatedSyntax",
    f"{RQ}.Version.Equal",
]
DELETIONS = [
    f"{RQ}.IsDeleted.Final",
    f"{RQ}.IsDeleted.Merge",
    f"{RQ}.IsDeleted.Outdated",
    f"{RQ}.IsDeleted.Reinsert",
]


@mutant(
    violates=[*SELECTED, *DELETIONS, f"{RQ}.Final", f"{RQ}.Final.Filter", f"{RQ}.Partitions.Final"]
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
    return statement.acknowledge() if optimize_in(statement.sql) else statement.execute()


@mutant(violates=[*DECIDED_BY_INSERT, f"{RQ}.Final"])
def final_keeps_the_first_insert(statement: InterceptedStatement) -> Answer:
    """Of rows that no version decides about, FINAL returns the one inserted first."""
    return read_final(statement, f"<version> DESC, {OLDEST_INSERT}")


@mutant(violates=[*DECIDED_BY_INSERT, f"{RQ}.Merge.OptimizeFinal"])
def merge_keeps_the_first_insert(statement: InterceptedStatement) -> Answer:
    """Of rows that no version decides about, a merge leaves the one inserted first."""
    return merge_as(statement, f"<version> DESC, {OLDEST_INSERT}")


@mutant(violates=[f"{RQ}.Version.Maximum", f"{RQ}.Version.Types", f"{RQ}.IsDeleted.Outdated"])
def final_keeps_the_older_version(statement: InterceptedStatement) -> Answer:
    """FINAL returns the row with the smallest version."""
    return read_final(statement, f"<version> ASC, {NEWEST_INSERT}")


@mutant(violates=[f"{RQ}.Version.Maximum", f"{RQ}.Version.Types", f"{RQ}.IsDeleted.Outdated"])
def merge_keeps_the_older_version(statement: InterceptedStatement) -> Answer:
    """A merge leaves the row with the smallest version."""
    return merge_as(statement, f"<version> ASC, {NEWEST_INSERT}")


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


@mutant(violates=[f"{RQ}.IsDeleted.Outdated", f"{RQ}.IsDeleted.Reinsert"])
def deletions_are_for_good(statement: InterceptedStatement) -> Answer:
    """A key that was ever deleted does not come back, whatever its version."""
    return read_final(statement, f"<deleted> DESC, <version> DESC, {NEWEST_INSERT}")


@mutant(violates=[f"{RQ}.IsDeleted.Merge"])
def every_merge_is_a_cleanup(statement: InterceptedStatement) -> Answer:
    """Merges remove deletion rows although nobody asked for it."""
    optimize = optimize_in(statement.sql)
    alive = deletion_column(statement, optimize.table) if optimize else "1"
    return (
        statement.execute() if alive == "1" else merge_as(statement, "<version> DESC", keep=alive)
    )


@mutant(violates=[f"{RQ}.Cleanup", f"{RQ}.Cleanup.ForgetsVersion"])
def cleanup_is_a_mere_merge(statement: InterceptedStatement) -> Answer:
    """CLEANUP is read over, and deletion rows stay."""
    if not statement.sql.endswith(" CLEANUP"):
        return statement.execute()
    return statement.substitute(statement.sql.removesuffix(" CLEANUP"))


@mutant(violates=[f"{RQ}.Selection.WholeRow"])
def survivor_is_a_mixture(statement: InterceptedStatement) -> Answer:
    """Where the last row has nothing to tell, an older one is quoted."""
    if parameters_in(statement.sql) is None:
        return statement.execute()
    return statement.substitute(with_engine(statement.sql, "CoalescingMergeTree"))


@mutant(violates=[f"{RQ}.Uniqueness.SortingKey"])
def all_columns_decide(statement: InterceptedStatement) -> Answer:
    """Rows are duplicates only if all their columns are equal."""
    columns = columns_in(statement.sql)
    if not columns or parameters_in(statement.sql) is None:
        return statement.execute()
    everything = re.sub(
        r"ORDER BY .+? (?=SETTINGS)", f"ORDER BY ({', '.join(columns)}) ", statement.sql
    )
    return statement.substitute(everything)


@mutant(violates=[f"{RQ}.Uniqueness.*", f"{RQ}.Create.Clauses"])
def primary_key_decides(statement: InterceptedStatement) -> Answer:
    """Rows are duplicates if their primary keys are equal, or where there is none, in any case."""
    if parameters_in(statement.sql) is None:
        return statement.execute()
    primary = re.search(r"PRIMARY KEY (\([^)]*\)+|\w+)", statement.sql)
    key = primary[1] if primary else "tuple()"
    sorted_by = r"ORDER BY (\(.*?\)+|\w+(\(.*?\))?) "
    return statement.substitute(re.sub(sorted_by, f"ORDER BY {key} ", statement.sql))


@mutant(violates=[f"{RQ}.Merge.Eventual", f"{RQ}.Insert.OptimizeOnInsertDisabled"])
def every_insert_merges_at_once(statement: InterceptedStatement) -> Answer:
    """Duplicates are gone as soon as they come."""
    answer, table = statement.execute(), table_written(statement.sql)
    if table:
        statement.inject(f"SYSTEM START MERGES {table}")
        statement.inject(f"OPTIMIZE TABLE {table} FINAL")
    return answer


@mutant(violates=[f"{RQ}.Final"])
def final_merges_the_parts(statement: InterceptedStatement) -> Answer:
    """SELECT … FINAL changes the table that it reads."""
    for table in finals_in(statement.sql):
        statement.inject(f"OPTIMIZE TABLE {table} FINAL")
    return statement.execute()
