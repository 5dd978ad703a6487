"""Sabotages of what REPLACE PARTITION does to the rows of source and destination."""

from __future__ import annotations

from helpers.mutants import Answer, Said, mutant
from scenarios.replace_partition._statements import RQ, a_read_of, replace_in

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
    f"{RQ}.Encodings",
    f"{RQ}.Encryption",
    f"{RQ}.Deduplication",
    f"{RQ}.Deduplication.Window",
    f"{RQ}.PartitionTypes",
    f"{RQ}.Restart",
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
def replace_does_nothing(said: Said) -> Answer:
    """REPLACE PARTITION answers and does nothing."""
    return said.done() if replace_in(said.sql) else said.run()


@mutant(violates=REPLACED)
def replace_appends(said: Said) -> Answer:
    """The source's rows come beside the old ones instead of in their place."""
    found = replace_in(said.sql)
    if not found:
        return said.run()
    said.run(
        f"ALTER TABLE {found.destination} ATTACH PARTITION {found.partition} FROM {found.source}"
    )
    return said.done()


@mutant(violates=[*REPLACED, f"{RQ}.Concurrent.SameDestination"])
def partition_ends_empty(said: Said) -> Answer:
    """The old rows go and no new ones come."""
    found = replace_in(said.sql)
    answer = said.run()
    if found:
        said.lied()
        said.run(f"ALTER TABLE {found.destination} DROP PARTITION {found.partition}")
    return answer


@mutant(violates=[f"{RQ}.KeepData", f"{RQ}.TemporaryTables", f"{RQ}.FromTemporaryTable"])
def source_is_emptied(said: Said) -> Answer:
    """The source loses the partition that was taken from it."""
    found = replace_in(said.sql)
    answer = said.run()
    if found and found.source != found.destination:
        said.lied()
        said.run(f"ALTER TABLE {found.source} DROP PARTITION {found.partition}")
    return answer


@mutant(
    violates=[RQ, f"{RQ}.System.Parts"]
    + [f"{RQ}.{one}" for one in ("Disks", "S3", "Shards", "Encodings", "Encryption", "Versions")]
    + [f"{RQ}.PartitionTypes", f"{RQ}.RowPolicy"]
)
def another_partition_is_dropped(said: Said) -> Answer:
    """The destination loses a partition that nobody named."""
    found = replace_in(said.sql)
    others = found.other_partitions(said) if found else []
    answer = said.run()
    if found and others:
        said.also(f"ALTER TABLE {found.destination} DROP PARTITION ID '{others[-1]}'")
    return answer


@mutant(violates=[RQ, f"{RQ}.System.Parts", f"{RQ}.Disks", f"{RQ}.Shards", f"{RQ}.Versions"])
def wrong_partition_is_replaced(said: Said) -> Answer:
    """Another partition than the named one is replaced."""
    found = replace_in(said.sql)
    others = found.other_partitions(said, shared=True) if found else []
    if not found or not others:
        return said.run()
    said.run(
        f"ALTER TABLE {found.destination} REPLACE PARTITION ID '{others[0]}' FROM {found.source}"
    )
    return said.done()


@mutant(violates=[f"{RQ}.{one}" for one in ("Settings", "Format", "IntoOutfile")])
def clause_is_refused(said: Said) -> Answer:
    """A clause behind the statement is a syntax error."""
    found = replace_in(said.sql)
    if found and not said.sql.endswith(found.source):
        return said.refuse(62, "Syntax error: failed at the clause")
    return said.run()


@mutant(violates=[f"{RQ}.KeepData", f"{RQ}.Disks", f"{RQ}.Encryption", f"{RQ}.S3"])
def rows_go_with_their_source(said: Said) -> Answer:
    """The destination loses the rows when they are deleted from the source, or the source is dropped."""
    found = replace_in(said.sql)
    answer = said.run()
    if found:
        said.memory[found.source] = found
    for source, taken in list(said.memory.items()):
        if said.sql.startswith((f"DROP TABLE {source} ", f"ALTER TABLE {source} DELETE ")):
            said.also(f"ALTER TABLE {taken.destination} DROP PARTITION {taken.partition}")
    return answer


@mutant(violates=[f"{RQ}.Encodings", f"{RQ}.Versions"])
def strings_are_cut(said: Said) -> Answer:
    """Every string of a replaced partition has lost its last character."""
    found = replace_in(said.sql)
    answer = said.run()
    if found:
        said.memory[found.destination] = True
    elif any(a_read_of(said.sql, table) for table in said.memory):
        return said.lie([tuple(map(_cut, row)) for row in answer])
    return answer


def _cut(value: object) -> object:
    return value[:-1] if isinstance(value, str) else value
