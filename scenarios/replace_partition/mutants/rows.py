"""Sabotages of what REPLACE PARTITION does to the rows of source and destination."""

from __future__ import annotations

from helpers.sensitivity.mutant import Answer, InterceptedStatement, mutant
from scenarios.replace_partition.mutants.statements import RQ, replace_in

# Where a partition is replaced in the end, whatever the tables are like.
REPLACED = [
    RQ,
    f"{RQ}.System.Parts",
    f"{RQ}.FromTemporaryTable",
    f"{RQ}.TemporaryTables",
    f"{RQ}.IntoOutfile",
    f"{RQ}.Format",
    f"{RQ}.Settings",
    f"{RQ}.Disks",
    f"{RQ}.S3",
    f"{RQ}.Replicas",
    f"{RQ}.Shards",
    f"{RQ}.Versions",
    f"{RQ}.Versions.Crash",
    f"{RQ}.Versions.StepBack",
    f"{RQ}.Encodings",
    f"{RQ}.Encryption",
    f"{RQ}.Deduplication",
    f"{RQ}.Deduplication.Window",
    f"{RQ}.PartitionTypes",
    f"{RQ}.Restart",
    f"{RQ}.PartitionExpression",
    f"{RQ}.PendingAlter",
    f"{RQ}.FromRegularTable",
    f"{RQ}.TieredStorage",
    f"{RQ}.Concurrent.SourcePartition",
    f"{RQ}.Concurrent.DifferentPartitions",
    f"{RQ}.Concurrent.AddConstraint",
    f"{RQ}.Concurrent.CommentColumn",
    f"{RQ}.Concurrent.RenameColumn",
]


@mutant(
    violates=[
        *REPLACED,
        f"{RQ}.KeepData",
        f"{RQ}.Conditions",
        f"{RQ}.Conditions.*",
        f"{RQ}.Corrupted",
        f"{RQ}.Prohibited",
        f"{RQ}.Prohibited.IncorrectTableEngines",
        f"{RQ}.RowPolicy",
        f"{RQ}.Readers",
    ]
)
def replace_does_nothing(statement: InterceptedStatement) -> Answer:
    """REPLACE PARTITION answers and does nothing."""
    return statement.acknowledge() if replace_in(statement.sql) else statement.execute()


@mutant(violates=REPLACED)
def replace_appends(statement: InterceptedStatement) -> Answer:
    """The source's rows come beside the old ones instead of in their place."""
    replace = replace_in(statement.sql)
    if not replace:
        return statement.execute()
    statement.execute(
        f"ALTER TABLE {replace.destination} ATTACH PARTITION {replace.partition} FROM {replace.source}"
    )
    return statement.acknowledge()


@mutant(
    violates=[*REPLACED, f"{RQ}.Concurrent.SameDestination"]
    + [
        f"{RQ}.{name}"
        for name in ("MaterializedViews", "ManyParts", "PatchParts", "SeveralCommands")
    ]
    + [
        f"{RQ}.Concurrent.{name}"
        for name in ("SourceMutations", "ColumnChanges", "LightweightUpdates")
    ]
)
def partition_ends_empty(statement: InterceptedStatement) -> Answer:
    """The old rows go and no new ones come."""
    replace = replace_in(statement.sql)
    answer = statement.execute()
    if replace:
        statement.mark_changed()
        statement.execute(f"ALTER TABLE {replace.destination} DROP PARTITION {replace.partition}")
    return answer


@mutant(violates=[f"{RQ}.KeepData", f"{RQ}.TemporaryTables", f"{RQ}.FromTemporaryTable"])
def source_is_emptied(statement: InterceptedStatement) -> Answer:
    """The source loses the partition that was taken from it."""
    replace = replace_in(statement.sql)
    answer = statement.execute()
    if replace and replace.source != replace.destination:
        statement.mark_changed()
        statement.execute(f"ALTER TABLE {replace.source} DROP PARTITION {replace.partition}")
    return answer


@mutant(
    violates=[RQ, f"{RQ}.System.Parts"]
    + [f"{RQ}.{name}" for name in ("Disks", "S3", "Shards", "Encodings", "Encryption", "Versions")]
    + [f"{RQ}.PartitionTypes", f"{RQ}.RowPolicy"]
)
def another_partition_is_dropped(statement: InterceptedStatement) -> Answer:
    """The destination loses a partition that nobody named."""
    replace = replace_in(statement.sql)
    others = replace.other_partitions(statement) if replace else []
    answer = statement.execute()
    if replace and others:
        statement.inject(f"ALTER TABLE {replace.destination} DROP PARTITION ID '{others[-1]}'")
    return answer


@mutant(violates=[f"{RQ}.KeepData", f"{RQ}.Disks", f"{RQ}.Encryption", f"{RQ}.S3"])
def rows_go_with_their_source(statement: InterceptedStatement) -> Answer:
    """The destination loses the rows when they are deleted from the source, or the source is dropped."""
    replace = replace_in(statement.sql)
    answer = statement.execute()
    if replace:
        statement.memory[replace.source] = replace
    for source, taken in list(statement.memory.items()):
        if statement.sql.startswith((f"DROP TABLE {source} ", f"ALTER TABLE {source} DELETE ")):
            statement.inject(f"ALTER TABLE {taken.destination} DROP PARTITION {taken.partition}")
    return answer
