"""The forms of the statement around the engine: IF NOT EXISTS, OR REPLACE, ON CLUSTER."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from requirements.srs101_replacing_merge_tree import (
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_IfNotExists,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_OnCluster,
    RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_OrReplace,
)
from steps.replacing_merge_tree.final_reads import finished, new_query_id
from steps.replacing_merge_tree.refused_creations import new_table
from steps.replacing_merge_tree.stored_rows import definition, stored, survivors
from steps.replacing_merge_tree.tables import insert_each, replacing_table

TABLE_ALREADY_EXISTS = 57
DEFINITION = "(key UInt64, other UInt64) ENGINE = ReplacingMergeTree(other) ORDER BY key"
CREATED = "ReplacingMergeTree(other) ORDER BY key SETTINGS index_granularity = 8192"
ROWS = [(1, "a", 1), (2, "b", 5)]


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_OnCluster("1.0"))
@needs(Capability.REPLICATION)
def on_cluster(self):
    """The table is created on every node of the cluster."""
    table = new_table()
    with When("I create a table on a cluster that the node knows"):
        cluster = table.node.value("SELECT min(cluster) FROM system.clusters")
        table.node.query(f"CREATE TABLE {table} ON CLUSTER {cluster} {DEFINITION}")

    with Then("each of its nodes has it"):
        nodes = table.node.value(f"SELECT count() FROM system.clusters WHERE cluster = '{cluster}'")
        tables = table.node.column(
            f"SELECT engine FROM clusterAllReplicas('{cluster}', system.tables) "
            f"WHERE database = '{table.database}' AND name = '{table.name}'"
        )
        assert tables == ["ReplacingMergeTree"] * nodes, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_IfNotExists("1.0"))
def if_not_exists(self):
    """A table that is there stays as it is; one that is not there is created."""
    table = replacing_table("version")
    insert_each(table, ROWS)
    before = definition(table)
    with Given("a table with rows, whose name is taken"):
        taken = f"{table.name} already exists"
        table.node.fails(
            f"CREATE TABLE {table} {DEFINITION}", code=TABLE_ALREADY_EXISTS, text=taken
        )

    with When("I create it, and another one, if it does not exist"):
        other, identifier = new_table(), new_query_id()
        table.node.query(f"CREATE TABLE IF NOT EXISTS {table} {DEFINITION}", query_id=identifier)
        table.node.query(f"CREATE TABLE IF NOT EXISTS {other} {DEFINITION}")

    with Then("the first was asked for, and is what it was, with its rows"):
        assert finished(table.node, [identifier]) == [(identifier, {})], error()
        assert definition(table) == before, error()
        assert stored(table) == ROWS, error()

    with And("the other one was created"):
        assert definition(other) == CREATED, error()


@TestScenario
@Requirements(RQ_SRS_101_ClickHouse_ReplacingMergeTree_Create_OrReplace("1.0"))
def or_replace(self):
    """The table is the new one, without the rows of the old one, and it deduplicates by the new rules."""
    with When("I create another table in the place of one that has rows"):
        table = replacing_table("version")
        insert_each(table, ROWS)
        assert stored(table) == ROWS, error()
        table.node.query(f"CREATE OR REPLACE TABLE {table} {DEFINITION}")

    with Then("it is empty and has the new definition"):
        assert stored(table) == [], error()
        assert definition(table) == CREATED, error()

    with And("the new version decides"):
        insert_each(table, [(1, 9)], [(1, 3), (2, 5)])
        assert survivors(table) == [(1, 9), (2, 5)], error()

    with And("a name that is not taken gets a new table"):
        other = new_table()
        table.node.query(f"CREATE OR REPLACE TABLE {other} {DEFINITION}")
        assert definition(other) == CREATED, error()
