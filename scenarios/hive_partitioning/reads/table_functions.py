"""The table functions s3 and s3Cluster over hive-partitioned paths."""

import uuid

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import equivalent
from helpers.scenario.obligations import covers
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_TableFunction_S3,
    RQ_HivePartitioning_TableFunction_S3Cluster,
)
from steps.hive_partitioning.cluster import files_by_node, from_cluster, hive_cluster, read_by_all
from steps.hive_partitioning.queries import from_s3, reading
from steps.hive_partitioning.sources import (
    COUNTRIES,
    NUMBERS,
    filled_lake,
    keyed_rows,
    path_of,
    rows_of,
)

NEEDS = (Capability.OBJECT_STORE,)
UNKNOWN_IDENTIFIER = 47
# Paths, and the countries of the objects that they match.
PATHS = {  # 3 variants
    "year=*/country=*/*.tsv": COUNTRIES,
    "**": COUNTRIES,
    "year={2020..2022}/country=?S/*": ("US",),
}


@TestScenario
@Requirements(RQ_HivePartitioning_TableFunction_S3("1.0"))
def s3_function(self):
    """The function s3 recognises the keys of a path, offers them as columns and reads what is asked for."""
    with Given("objects in directories of two keys"):
        lake = filled_lake()

    for path, countries in PATHS.items():
        with When(f"I ask for everything, and for one partition of {path}"):
            source = from_s3(lake, path)
            everything = reading(lake.node, f"SELECT id, year, country FROM {source}")
            asked = f"SELECT id, year, country FROM {source} WHERE country = 'US' AND year >= 2022"
            found = reading(lake.node, asked)

        with Then("every row carries its keys"):
            covers("recognise the partition keys", "offer them as hive columns")
            expected = [row for row in keyed_rows() if row[2] in countries]
            assert (everything.rows, everything.files) == (expected, len(expected) // 2), error()

        with And("one file was read for one partition"):
            covers("prune by the query's conditions")
            assert found.rows == [(9, 2022, "US"), (109, 2022, "US")], error()
            assert (found.files, found.read_rows) == (1, 2), error()


@TestScenario
@Requirements(RQ_HivePartitioning_TableFunction_S3Cluster("1.0"))
@equivalent(
    mutant="omit[max_threads]",
    statement="WHERE year > 2020",
    reason="it only keeps a node from taking many files at once, while others have not begun",
)
def s3_cluster(self):
    """Every node of a cluster recognises the keys, and none reads a file that the conditions exclude."""
    with (
        Given("three nodes, each with a proxy of its own before the store"),
        hive_cluster() as cluster,
    ):
        source = from_cluster(cluster, "year=*/country=*/*.tsv")
        node = cluster.nodes[0]

        with When("I read everything, and one partition, through the first node"):
            everything = sorted(node.query(f"SELECT id, year, country FROM {source}"))
            asked = f"SELECT id FROM {source} WHERE country = 'US' AND year >= 2022"
            american = sorted(node.query(asked))

        with Then("every row has the keys of its path, as on one node"):
            covers("recognise the partition keys", "offer hive columns")
            assert everything == keyed_rows(), error()
            assert american == rows_of(9), error()

        with When("I read six of nine partitions while each node has to wait for its first file"):
            query_id = str(uuid.uuid4())
            asked = f"SELECT id, year, country FROM {source} WHERE year > 2020"
            rows = read_by_all(cluster, asked, query_id)

        with Then("the rows are those of the six partitions"):
            expected = [row for row in keyed_rows() if row[1] > 2020]
            assert rows == expected, error()

        with And("each node read files, each file was read once, and no other was asked for"):
            covers("read only files that the conditions leave")
            asked_for = files_by_node(cluster)
            assert all(asked_for.values()) and len(asked_for) == 3, error()
            paths = sorted(path for names in asked_for.values() for path in names)
            assert paths == sorted(path_of(*keys) for keys in NUMBERS if keys[0] > 2020), error()

        with And("the log of each node says the same"):
            logged = {member.name: cluster.files_read(member, query_id) for member in cluster.nodes}
            counted = {name: (len(names), 2 * len(names)) for name, names in asked_for.items()}
            assert logged == counted, error()

        with And("a key that no path has is unknown, and so is every key without the setting"):
            node.fails(f"SELECT region FROM {source}", code=UNKNOWN_IDENTIFIER, text="region")
            off = {"use_hive_partitioning": 0}
            named = f"SELECT id FROM {source} WHERE year = 2021"
            node.fails(named, code=UNKNOWN_IDENTIFIER, text="year", settings=off)
