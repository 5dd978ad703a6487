"""ReplicatedReplacingMergeTree: versions that came to different replicas are compared as on one."""

from functools import partial
from xml.sax.saxutils import escape

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.node import Node
from helpers.scenario.context import this
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Distributed,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Replicated,
)
from steps.replicas import NAMES, replicated_table, three_replicas
from steps.tables import Table

ONE_SHARD = "one_shard"
NEEDS = (Capability.REPLICATION,)
COLUMNS = "p UInt64, i UInt64, owner String, version UInt64"
# What each replica gets: key 1 in three versions, 2 in two, 3 once, 4 in equal versions, 6 in another
# partition.
INSERTS = (  # 3 variants
    [(1, 1, "first", 1), (1, 2, "first", 9), (1, 4, "same", 1), (1, 5, "first", 1)],
    [(1, 1, "second", 3), (1, 2, "second", 2), (1, 4, "same", 1)],
    [(1, 1, "third", 2), (1, 3, "third", 1), (2, 6, "third", 2)],
)
SURVIVORS = [  # 6 variants
    (1, 1, "second", 3),
    (1, 2, "first", 9),
    (1, 3, "third", 1),
    (1, 4, "same", 1),
    (1, 5, "first", 1),
    (2, 6, "third", 2),
]


def rows_of(table: Table, clause: str = "") -> list[tuple[object, ...]]:
    return sorted(table.node.query(f"SELECT * FROM {table} {clause}"))


def leads(replica: Table) -> bool:
    """Whether this replica may merge; a server of 2018 refuses it on all but one."""
    return bool(
        replica.node.value(
            "SELECT is_leader FROM system.replicas "
            f"WHERE database = '{replica.database}' AND table = '{replica.name}'"
        )
    )


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Replicated("1.0"))
def versions_of_three_replicas(self):
    """Every replica returns the survivors with FINAL, and holds them after a merge on one of them."""
    with Given("a table on three replicas, and versions inserted on each"):
        nodes = three_replicas()
        table = replicated_table(
            "replacing", nodes, [], engine="ReplacingMergeTree", more=", version", columns=COLUMNS
        )
        for replica, rows in zip(table.tables, INSERTS, strict=True):
            replica.node.query(f"INSERT INTO {replica} VALUES", data=rows)
        every = sorted(row for rows in INSERTS for row in rows)

    with When("they have fetched each other's parts"):
        for replica in table.tables:
            this().eventually(partial(rows_of, replica), equals=every, timeout=30)

    with Then("FINAL returns the survivors on each"):
        for replica in table.tables:
            assert rows_of(replica, "FINAL") == SURVIVORS, error()

    with When("one of them merges"):
        leader = next(replica for replica in table.tables if leads(replica))
        for partition in (1, 2):
            leader.node.query(f"OPTIMIZE TABLE {leader} PARTITION {partition} FINAL")

    with Then("all of them come to hold the survivors"):
        for replica in table.tables:
            this().eventually(partial(rows_of, replica), equals=SURVIVORS, timeout=60)

    with And("a newer version that comes to another replica wins everywhere"):
        first = table.tables[0]
        first.node.query(f"INSERT INTO {first} VALUES", data=[(1, 3, "newest", 2)])
        expected = sorted([row for row in SURVIVORS if row[1] != 3] + [(1, 3, "newest", 2)])
        for replica in table.tables:
            this().eventually(partial(rows_of, replica, "FINAL"), equals=expected, timeout=30)


@TestScenario
@Requirements(
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Replicated("1.0"),
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Distributed("1.0"),
)
def distributed_over_replicas(self):
    """FINAL through a Distributed table over replicas returns the survivors once, whichever is asked."""
    with Given("a shard of three replicas, and a table with versions inserted on each"):
        nodes = one_shard()
        table = replicated_table(
            "replacing", nodes, [], engine="ReplacingMergeTree", more=", version", columns=COLUMNS
        )
        for replica, rows in zip(table.tables, INSERTS, strict=True):
            replica.node.query(f"INSERT INTO {replica} VALUES", data=rows)
        every = sorted(row for rows in INSERTS for row in rows)

    for replica in table.tables:
        with When(
            f"{replica.node.name} has fetched all parts, and reads through a Distributed table"
        ):
            this().eventually(partial(rows_of, replica), equals=every, timeout=30)
            over = Table(replica.node, replica.database, "everywhere")
            replica.node.query(
                f"CREATE TABLE {over} ({COLUMNS}) "
                f"ENGINE = Distributed('{ONE_SHARD}', '{replica.database}', '{replica.name}')"
            )

    for replica in table.tables:
        with Then(f"it returns the survivors once: {replica.node.name}"):
            over = Table(replica.node, replica.database, "everywhere")
            assert rows_of(over, "FINAL") == SURVIVORS, error()
            assert rows_of(over) == every, error()


def one_shard() -> tuple[Node, ...]:
    """Three nodes that know each other as the replicas of one shard."""
    hosts = "".join(
        f"<replica><host>{node.address[0]}</host><port>{node.address[1]}</port>"
        f"<user>{escape(node.endpoint.user)}</user>"
        f"<password>{escape(node.endpoint.password)}</password></replica>"
        for node in three_replicas()
    )
    text = f"<shard>{hosts}</shard>"
    config = f"<clickhouse><remote_servers><{ONE_SHARD}>{text}</{ONE_SHARD}></remote_servers></clickhouse>"
    return this().several(NAMES, fragments=("replication",), config={"cluster": config})
