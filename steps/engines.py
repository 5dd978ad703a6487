"""Tables of every engine that needs no other server, with and without partitions."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

from helpers.cluster.client.session import Row
from helpers.cluster.node import Node
from helpers.scenario.context import this
from helpers.scenario.drawing import DistinctNumbers
from helpers.scenario.step import step
from steps.tables import COLUMNS, Table, contents, create_table, fill, insert

# Distributed wants a cluster, and GraphiteMergeTree rules, to be configured.
CONFIGURATION = """
<clickhouse>
    <remote_servers>
        <itself><shard><replica><host>127.0.0.1</host><port>1</port></replica></shard></itself>
    </remote_servers>
    <rollup><default><function>any</function></default></rollup>
</clickhouse>
"""
# What every engine of the family needs between them: a sign, a version, and the columns of Graphite.
FAMILY_COLUMNS = (
    f"{COLUMNS}, sign Int8 DEFAULT 1, version UInt8, "
    "Path String, Time DateTime, Value Float64, Timestamp Int64"
)
FAMILY = (  # 8 variants
    "MergeTree",
    "ReplacingMergeTree",
    "SummingMergeTree",
    "AggregatingMergeTree",
    "CoalescingMergeTree",
    "CollapsingMergeTree(sign)",
    "VersionedCollapsingMergeTree(sign, version)",
    "GraphiteMergeTree('rollup')",
)


@dataclass(frozen=True)
class Engine:
    """How a table of an engine is made. {base} is a MergeTree table that it may stand in front of.

    `holds_rows`: it can have rows of its own; `shows_base`: it reads as that table.
    """

    name: str
    create: str
    holds_rows: bool = False
    shows_base: bool = False

    def statement(self, table: Table, base: Table) -> str:
        names = {"base": base, "base_name": base.name, "database": base.database}
        return self.create.format(table=table, **names)


def _local(name: str, arguments: str = "", **options: bool) -> Engine:
    create = f"CREATE TABLE {{table}} ({COLUMNS}) ENGINE = {name}{arguments}"
    return Engine(name, create, **options)


SPECIFIED_WITHOUT_PARTITIONS = (
    _local("Memory", holds_rows=True),
    _local("Log", holds_rows=True),
    _local("TinyLog", holds_rows=True),
    _local("StripeLog", holds_rows=True),
    _local("Null"),
    _local("Set"),
    _local(
        "Buffer",
        "({database}, {base_name}, 1, 600, 600, 1000000, 1000000, 10000000, 10000000)",
        shows_base=True,
    ),
    _local("File", "(CSV)", holds_rows=True),
    _local("Merge", "({database}, '^{base_name}$')", shows_base=True),
    Engine("View", "CREATE VIEW {table} AS SELECT * FROM {base}", shows_base=True),
)
OTHERS_WITHOUT_PARTITIONS = (
    _local("Join", "(ANY, LEFT, i)", holds_rows=True),
    _local("EmbeddedRocksDB", " PRIMARY KEY i", holds_rows=True),
    _local("GenerateRandom", "(1)"),
    _local("Executable", "('rows.sh', 'CSV')"),
    _local("URL", "('http://127.0.0.1:1/rows.csv', 'CSV')"),
    _local("HDFS", "('hdfs://127.0.0.1:1/rows.csv', 'CSV')"),
    _local("MySQL", "('127.0.0.1:1', 'd', 'rows', 'u', 'p')"),
    _local("PostgreSQL", "('127.0.0.1:1', 'd', 'rows', 'u', 'p')"),
    _local("MongoDB", "('127.0.0.1:1', 'd', 'rows', 'u', 'p')"),
    _local("Redis", "('127.0.0.1:1') PRIMARY KEY i"),
    _local("ODBC", "('DSN=source', 'd', 'rows')"),
    _local("JDBC", "('jdbc:driver://127.0.0.1:1', 'd', 'rows')"),
    Engine(
        "Dictionary",
        f"CREATE DICTIONARY {{table}} ({COLUMNS}) PRIMARY KEY i SOURCE(NULL()) LAYOUT(FLAT()) "
        "LIFETIME(0)",
    ),
)
# They stand in front of a table that has partitions.
DISTRIBUTED = _local("Distributed", "(itself, {database}, {base_name})")
ALIAS = Engine("Alias", "CREATE TABLE {table} ENGINE = Alias({base_name})", shows_base=True)
MATERIALIZED_VIEW = Engine(
    "MaterializedView",
    "CREATE MATERIALIZED VIEW {table} ENGINE = MergeTree PARTITION BY p ORDER BY i "
    "AS SELECT * FROM {base}",
)


def engines_node(fragments: tuple[str, ...] = ()) -> Node:
    """A node on which all these engines can be made."""
    return this().node("engines", fragments=fragments, config={"engines": CONFIGURATION})


@step("I create a table of {engine} in front of {base}")
def make_table(engine: Engine, base: Table) -> Table:
    """A table of this engine, with rows in partition 1 where it can hold rows of its own."""
    table = Table(base.node, base.database, this().unique(engine.name.lower()))
    table.node.query(engine.statement(table, base))
    if engine.holds_rows:
        fill(table, [1])
    if engine.shows_base:
        rows = contents(base)
        assert rows and contents(table) == rows, f"{table} does not stand in front of {base}"
    return table


@step("I create a table {name} with {engine}")
def make_family_table(engine: str, name: str, node: Node | None = None) -> Table:
    """A table of an engine with partitions, with rows in partitions 1 and 2, all values different."""
    table = create_table(
        name,
        node=node or engines_node(),
        columns=FAMILY_COLUMNS,
        engine=engine,
        settings={},
    )
    insert(table, drawn_family_rows(this().numbers, table.name))
    return table


def drawn_family_rows(numbers: DistinctNumbers, name: str) -> list[Row]:
    """Rows with a value in all columns of the family, in two partitions."""
    return [
        (
            *(partition, number, name, 1, number % 250 + 1, f"path {number}"),
            *(datetime.fromtimestamp(number + 1, tz=UTC), number / 2 + 1, number + 2),
        )
        for partition in (1, 2)
        for number in numbers.draw(5)
    ]


def replicated_engine(engine: str, node: Node) -> str:
    """The replicated form of an engine of the family, with a place of its own."""
    name, _, arguments = engine.partition("(")
    more = f", {arguments[:-1]}" if arguments else ""
    return f"Replicated{name}('/regression/{uuid.uuid4().hex}', '{node.name}'{more})"


def inner_table(view: Table) -> Table:
    """The table in which a materialized view keeps its rows."""
    name = view.node.value(
        "SELECT concat('.inner_id.', toString(uuid)) FROM system.tables "
        f"WHERE database = '{view.database}' AND name = '{view.name}'"
    )
    return Table(view.node, view.database, f"`{name}`")
