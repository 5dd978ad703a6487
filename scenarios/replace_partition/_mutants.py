"""Sabotages of REPLACE PARTITION: each violates requirements whose scenarios have to notice."""

from __future__ import annotations

import re

from clickhouse_driver.errors import ServerException

from helpers.mutants import Answer, Said, mutant

RQ = "RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition"
REPLACE = re.compile(
    r"ALTER\s+(?:TEMPORARY\s+)?TABLE\s+(?P<destination>\S+)\s+REPLACE\s+PARTITION\s+"
    r"(?P<partition>.+?)\s+FROM\s+(?P<source>\S+)",
    re.IGNORECASE,
)


@mutant(violates=[RQ, f"{RQ}.System.Parts", f"{RQ}.FromTemporaryTable", f"{RQ}.TemporaryTables"])
def replace_does_nothing(said: Said) -> Answer:
    """REPLACE PARTITION answers and does nothing."""
    return said.lie([]) if REPLACE.search(said.sql) else said.run()


@mutant(violates=[RQ, f"{RQ}.System.Parts", f"{RQ}.TemporaryTables"])
def replace_appends(said: Said) -> Answer:
    """The source's rows come beside the old ones instead of in their place."""
    found = REPLACE.search(said.sql)
    if not found:
        return said.run()
    return said.lie(
        said.run(
            f"ALTER TABLE {found['destination']} ATTACH PARTITION {found['partition']} "
            f"FROM {found['source']}"
        )
    )


@mutant(violates=[f"{RQ}.KeepData"])
def source_is_emptied(said: Said) -> Answer:
    """The source loses the partition that was taken from it."""
    found = REPLACE.search(said.sql)
    answer = said.run()
    if found and found["source"] != found["destination"]:
        said.also(f"ALTER TABLE {found['source']} DROP PARTITION {found['partition']}")
    return answer


@mutant(violates=[f"{RQ}.NonExistentPartition", f"{RQ}.Settings"])
def refusal_is_swallowed(said: Said) -> Answer:
    """A statement that has to be refused is answered as if it had succeeded."""
    try:
        return said.run()
    except ServerException:
        if not REPLACE.search(said.sql):
            raise
        return said.lie([])
