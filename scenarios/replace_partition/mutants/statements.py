"""The statements that sabotages of REPLACE PARTITION look for on their way to the server."""

from __future__ import annotations

import re
from dataclasses import dataclass

from helpers.sensitivity.mutant import Answer, InterceptedStatement

RQ = "RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition"
_REPLACE = re.compile(
    r"ALTER\s+TABLE\s+(?P<destination>\S+)\s+REPLACE\s+PARTITION\s+"
    r"(?P<partition>.+?)\s+FROM\s+(?P<source>\S+)",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(frozen=True)
class Replace:
    """ALTER TABLE destination REPLACE PARTITION partition FROM source, in its own words."""

    destination: str
    partition: str
    source: str

    def other_partitions(
        self, statement: InterceptedStatement, *, shared: bool = False
    ) -> list[str]:
        """The ids of the destination's partitions that the statement does not mean; only those that
        the source has too, if they are to be shared. None where a string names the partition."""
        if not self.partition.isdigit():
            return []
        database, _, table = self.destination.rpartition(".")
        theirs = self.source.rpartition(".")[2] if shared else table
        rows = statement.inspect(
            "SELECT partition_id FROM system.parts WHERE active AND rows > 0 "
            f"AND database = '{database}' AND table IN ('{table}', '{theirs}') "
            f"AND partition_id != '{self.partition}' GROUP BY partition_id "
            f"HAVING uniqExact(table) = {2 if shared else 1} ORDER BY partition_id"
        )
        return [row[0] for row in rows]


def replace_in(sql: str) -> Replace | None:
    match = _REPLACE.search(sql)
    return Replace(**match.groupdict()) if match else None


def a_read_of(sql: str, table: str) -> bool:
    """Whether a statement reads rows of this table."""
    return sql.startswith("SELECT") and re.search(rf"FROM {re.escape(table)}\b", sql) is not None


def inject_after_replace(statement: InterceptedStatement, template: str) -> Answer:
    """Execute a statement; after a REPLACE PARTITION another one about its tables and partition."""
    replace = replace_in(statement.sql)
    answer = statement.execute()
    if replace:
        statement.inject(template.format(**vars(replace)))
    return answer
