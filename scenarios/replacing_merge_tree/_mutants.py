"""Sabotages of ReplacingMergeTree: other rows survive, or they survive at another time."""

from __future__ import annotations

import re

from helpers.mutants import Answer, Said, mutant
from scenarios.replacing_merge_tree._statements import (
    NEWEST_INSERT,
    OLDEST_INSERT,
    RQ,
    columns_in,
    deletion_column,
    final_in,
    merge_as,
    optimize_in,
    parameters_in,
    read_final,
    table_written,
    with_engine,
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
    violates=[*SELECTED, *DELETIONS, f"{RQ}.Final", f"{RQ}.Final.Filter", f"{RQ}.Partitions.Final"]
)
def final_does_nothing(said: Said) -> Answer:
    """FINAL is read over."""
    if not final_in(said.sql):
        return said.run()
    return said.lie(said.run(said.sql.replace(" FINAL", "", 1)))


@mutant(
    violates=[
        *SELECTED,
        f"{RQ}.IsDeleted.Merge",
        f"{RQ}.Cleanup",
        f"{RQ}.Cleanup.ForgetsVersion",
        f"{RQ}.Merge",
        f"{RQ}.Merge.OptimizeFinal",
    ]
)
def merge_does_nothing(said: Said) -> Answer:
    """OPTIMIZE TABLE answers and merges nothing."""
    return said.done() if optimize_in(said.sql) else said.run()


@mutant(
    violates=[
        f"{RQ}.Selection.LastInsert",
        f"{RQ}.Selection.AttachedPart",
        f"{RQ}.Selection.LastRowOfInsert",
        f"{RQ}.Selection.WholeRow",
        f"{RQ}.Create.DeprecatedSyntax",
        f"{RQ}.Version.Equal",
        f"{RQ}.Final",
    ]
)
def final_keeps_the_first_insert(said: Said) -> Answer:
    """Of rows that no version decides about, FINAL returns the one inserted first."""
    return read_final(said, f"<version> DESC, {OLDEST_INSERT}")


@mutant(
    violates=[
        f"{RQ}.Selection.LastInsert",
        f"{RQ}.Selection.AttachedPart",
        f"{RQ}.Selection.LastRowOfInsert",
        f"{RQ}.Selection.WholeRow",
        f"{RQ}.Create.DeprecatedSyntax",
        f"{RQ}.Version.Equal",
        f"{RQ}.Merge.OptimizeFinal",
    ]
)
def merge_keeps_the_first_insert(said: Said) -> Answer:
    """Of rows that no version decides about, a merge leaves the one inserted first."""
    return merge_as(said, f"<version> DESC, {OLDEST_INSERT}")


@mutant(violates=[f"{RQ}.Version.Maximum", f"{RQ}.Version.Types", f"{RQ}.IsDeleted.Outdated"])
def final_keeps_the_older_version(said: Said) -> Answer:
    """FINAL returns the row with the smallest version."""
    return read_final(said, f"<version> ASC, {NEWEST_INSERT}")


@mutant(violates=[f"{RQ}.Version.Maximum", f"{RQ}.Version.Types", f"{RQ}.IsDeleted.Outdated"])
def merge_keeps_the_older_version(said: Said) -> Answer:
    """A merge leaves the row with the smallest version."""
    return merge_as(said, f"<version> ASC, {NEWEST_INSERT}")


@mutant(
    violates=[
        RQ,
        f"{RQ}.Version.Maximum",
        f"{RQ}.Version.Types",
        f"{RQ}.Partitions.Final",
        f"{RQ}.Create.DeprecatedSyntax",
    ]
)
def version_is_ignored(said: Said) -> Answer:
    """The engine takes a version column and does not look at it."""
    if parameters_in(said.sql) in (["version"], ["edited"]):
        return said.lie(said.run(with_engine(said.sql, "ReplacingMergeTree()")))
    if said.sql.endswith(", 8192, version)"):
        return said.lie(said.run(said.sql.replace(", 8192, version)", ", 8192)")))
    return said.run()


@mutant(
    violates=[
        RQ,
        f"{RQ}.IsDeleted.Final",
        f"{RQ}.IsDeleted.Reinsert",
        f"{RQ}.IsDeleted.WrongValue",
        f"{RQ}.Cleanup",
    ]
)
def deletion_column_is_ignored(said: Said) -> Answer:
    """The engine takes a deletion column and does not look at it."""
    parameters = parameters_in(said.sql)
    if parameters is None or len(parameters) != 2:
        return said.run()
    return said.lie(said.run(with_engine(said.sql, f"ReplacingMergeTree({parameters[0]})")))


@mutant(violates=[f"{RQ}.IsDeleted.Outdated", f"{RQ}.IsDeleted.Reinsert"])
def deletions_are_for_good(said: Said) -> Answer:
    """A key that was ever deleted does not come back, whatever its version."""
    return read_final(said, f"<deleted> DESC, <version> DESC, {NEWEST_INSERT}")


@mutant(violates=[f"{RQ}.IsDeleted.Merge"])
def every_merge_is_a_cleanup(said: Said) -> Answer:
    """Merges remove deletion rows although nobody asked for it."""
    optimize = optimize_in(said.sql)
    alive = deletion_column(said, optimize.table) if optimize else "1"
    return said.run() if alive == "1" else merge_as(said, "<version> DESC", keep=alive)


@mutant(violates=[f"{RQ}.Cleanup", f"{RQ}.Cleanup.ForgetsVersion"])
def cleanup_is_a_mere_merge(said: Said) -> Answer:
    """CLEANUP is read over, and deletion rows stay."""
    if not said.sql.endswith(" CLEANUP"):
        return said.run()
    return said.lie(said.run(said.sql.removesuffix(" CLEANUP")))


@mutant(violates=[f"{RQ}.Selection.WholeRow"])
def survivor_is_a_mixture(said: Said) -> Answer:
    """Where the last row has nothing to tell, an older one is quoted."""
    if parameters_in(said.sql) is None:
        return said.run()
    return said.lie(said.run(with_engine(said.sql, "CoalescingMergeTree")))


@mutant(violates=[f"{RQ}.Uniqueness.SortingKey"])
def all_columns_decide(said: Said) -> Answer:
    """Rows are duplicates only if all their columns are equal."""
    columns = columns_in(said.sql)
    if not columns or parameters_in(said.sql) is None:
        return said.run()
    everything = re.sub(r"ORDER BY .+? (?=SETTINGS)", f"ORDER BY ({', '.join(columns)}) ", said.sql)
    return said.lie(said.run(everything))


@mutant(violates=[f"{RQ}.Uniqueness.*", f"{RQ}.Create.Clauses"])
def primary_key_decides(said: Said) -> Answer:
    """Rows are duplicates if their primary keys are equal, or where there is none, in any case."""
    if parameters_in(said.sql) is None:
        return said.run()
    primary = re.search(r"PRIMARY KEY (\([^)]*\)+|\w+)", said.sql)
    key = primary[1] if primary else "tuple()"
    return said.lie(
        said.run(re.sub(r"ORDER BY (\(.*?\)+|\w+(\(.*?\))?) ", f"ORDER BY {key} ", said.sql))
    )


@mutant(violates=[f"{RQ}.Merge.Eventual", f"{RQ}.Insert.OptimizeOnInsertDisabled"])
def every_insert_merges_at_once(said: Said) -> Answer:
    """Duplicates are gone as soon as they come."""
    answer, table = said.run(), table_written(said.sql)
    if table:
        said.also(f"SYSTEM START MERGES {table}")
        said.also(f"OPTIMIZE TABLE {table} FINAL")
    return answer


@mutant(violates=[f"{RQ}.Final"])
def final_merges_the_parts(said: Said) -> Answer:
    """SELECT … FINAL changes the table that it reads."""
    final = final_in(said.sql)
    if final:
        said.also(f"OPTIMIZE TABLE {final.table} FINAL")
    return said.run()
