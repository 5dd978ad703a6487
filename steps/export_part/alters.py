"""ALTERs around an export: tables that each of them applies to, and what is in the lake afterwards."""

from __future__ import annotations

from helpers.cluster.client.session import Row
from helpers.scenario.context import this
from helpers.scenario.step import step
from steps.background_changes import UNTIL_DONE
from steps.export_part.exports import Lake
from steps.tables import Table, create_table

COLUMNS = (
    "p UInt64, i UInt64, owner String, extra UInt64 DEFAULT i, d Date DEFAULT '2100-01-01', "
    "INDEX ix i TYPE minmax, CONSTRAINT c CHECK i >= 0"
)
PARTITION = "1"
# Each of them applies to a table of these columns; {other} is another table with rows in that partition.
ALTERS = {  # 24 variants
    "add column": "ADD COLUMN more UInt8 DEFAULT 1",
    "drop column": "DROP COLUMN extra",
    "modify column": "MODIFY COLUMN extra String",
    "rename column": "RENAME COLUMN extra TO renamed",
    "comment column": "COMMENT COLUMN extra 'text'",
    "add constraint": "ADD CONSTRAINT more CHECK i < 1000000000000000000",
    "drop constraint": "DROP CONSTRAINT c",
    "add index": "ADD INDEX more extra TYPE minmax",
    "drop index": "DROP INDEX ix",
    "modify ttl": "MODIFY TTL d + INTERVAL 2 YEAR",
    "remove ttl": "REMOVE TTL",
    "modify setting": "MODIFY SETTING old_parts_lifetime = 100",
    "modify order by": "ADD COLUMN more UInt8, MODIFY ORDER BY (i, more)",
    "materialize column": "MATERIALIZE COLUMN extra",
    "update": "UPDATE extra = extra + 1 WHERE 1",
    "delete": "DELETE WHERE i % 2 = 0",
    "clear column": f"CLEAR COLUMN extra IN PARTITION {PARTITION}",
    "detach partition": f"DETACH PARTITION {PARTITION}",
    "drop partition": f"DROP PARTITION {PARTITION}",
    "attach partition from": f"ATTACH PARTITION {PARTITION} FROM {{other}}",
    "replace partition": f"REPLACE PARTITION {PARTITION} FROM {{other}}",
    "move partition to table": f"MOVE PARTITION {PARTITION} TO TABLE {{other}}",
    "move partition to disk": f"MOVE PARTITION {PARTITION} TO DISK 'two'",
    "freeze partition": f"FREEZE PARTITION {PARTITION}",
}


def altered_tables(lake: Lake) -> tuple[Table, Table]:
    """A table with one part in each of two partitions, and one like it with other rows."""
    settings = {"storage_policy": "jbod", "max_bytes_to_merge_at_max_space_in_pool": 1}
    tables = [
        create_table(
            name,
            node=lake.node,
            columns=COLUMNS,
            more="TTL d + INTERVAL 1 YEAR",
            settings=settings,
        )
        for name in ("source", "other")
    ]
    source, other = tables
    for table, shift in ((source, 0), (other, 1000)):
        for partition in (1, 2):
            table.node.query(
                f"INSERT INTO {table} (p, i, owner) SELECT {partition}, number + {shift}, '{table.name}' "
                "FROM numbers(10)"
            )
    if disk_of(source) != "one":
        source.node.query(f"ALTER TABLE {source} MOVE PARTITION {PARTITION} TO DISK 'one'")
    return source, other


def disk_of(table: Table) -> str:
    return str(
        table.node.value(
            f"SELECT disk_name FROM system.parts WHERE database = '{table.database}' "
            f"AND table = '{table.name}' AND active AND partition_id = '{PARTITION}'"
        )
    )


@step("I alter {source}: {change}")
def alter(source: Table, other: Table, change: str) -> None:
    """Execute the ALTER to its end; it must have changed the table, its parts or what is detached."""
    before = _state(source)
    source.node.query(f"ALTER TABLE {source} {change.format(other=other)}", settings=UNTIL_DONE)
    assert _state(source) != before, f"{change} changed nothing"


def _state(table: Table) -> list[Row]:
    of = f"database = '{table.database}' AND table = '{table.name}'"
    return table.node.query(
        "SELECT (SELECT create_table_query FROM system.tables "
        f"WHERE database = '{table.database}' AND name = '{table.name}'), "
        "(SELECT groupArray((name, hash_of_all_files, path, is_frozen)) FROM (SELECT * FROM system.parts "
        f"WHERE {of} AND active ORDER BY name)), (SELECT count() FROM system.detached_parts WHERE {of})"
    )


def columns_of(table: Table) -> list[str]:
    """The columns that files have: all but the key."""
    names = table.node.column(
        f"SELECT name FROM system.columns WHERE database = '{table.database}' "
        f"AND table = '{table.name}' AND name != 'p' ORDER BY position"
    )
    return list(map(str, names))


def rows_of_table(table: Table, columns: list[str], partition: str = "") -> list[Row]:
    where = f" WHERE p = {partition}" if partition else ""
    return sorted(table.node.query(f"SELECT {', '.join(columns)} FROM {table}{where}"))


def rows_of_place(lake: Lake, path: str, columns: list[str]) -> list[Row]:
    """What a reader of the files finds; nothing where there is none."""
    if not lake.keys(path=f"{path}/"):
        return []
    arguments = lake.s3(f"{path}/**.parquet")
    return sorted(lake.node.query(f"SELECT {', '.join(columns)} FROM s3({arguments})"))


def new_path() -> str:
    return this().unique("altered")
