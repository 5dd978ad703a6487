"""Table functions after FROM: none is taken as a source."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited,
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_TableFunctions,
)
from steps.partitions import replace_partition, replacing
from steps.refusals import attempt, state
from steps.replace_partition.requirement_names import not_tried
from steps.tables import contents, one_part_pair

SYNTAX_ERROR = 62
# What the requirement names in addition to the functions.
KEYWORDS = ("REPLACE PARTITION", "FROM")
# Each with arguments as it takes them, so that it is the function that is refused and not its call.
SPECIFIED = {
    "file": "'rows.csv', 'CSV', 'p UInt64, i UInt64, owner String'",
    "url": "'http://127.0.0.1:1/rows.csv', 'CSV'",
    "urlCluster": "'cluster', 'http://127.0.0.1:1/rows.csv', 'CSV'",
    "s3": "'http://127.0.0.1:1/bucket/rows.csv', 'key', 'secret', 'CSV'",
    "s3Cluster": "'cluster', 'http://127.0.0.1:1/bucket/rows.csv', 'key', 'secret', 'CSV'",
    "gcs": "'http://127.0.0.1:1/bucket/rows.csv', 'key', 'secret', 'CSV'",
    "azureBlobStorage": "'http://127.0.0.1:1', 'container', 'rows.csv', 'account', 'key'",
    "azureBlobStorageCluster": "'cluster', 'http://127.0.0.1:1', 'container', 'rows.csv'",
    "hdfs": "'hdfs://127.0.0.1:1/rows.csv', 'CSV', 'p UInt64, i UInt64, owner String'",
    "hdfsCluster": "'cluster', 'hdfs://127.0.0.1:1/rows.csv', 'CSV'",
    "deltaLake": "'http://127.0.0.1:1/bucket/table', 'key', 'secret'",
    "hudi": "'http://127.0.0.1:1/bucket/table', 'key', 'secret'",
    "iceberg": "'http://127.0.0.1:1/bucket/table', 'key', 'secret'",
    "jdbc": "'jdbc:driver://127.0.0.1:1', 'schema', 'rows'",
    "odbc": "'DSN=source', 'schema', 'rows'",
    "mongodb": "'127.0.0.1:1', 'database', 'rows', 'user', 'password', 'p UInt64, i UInt64'",
    "mysql": "'127.0.0.1:1', 'database', 'rows', 'user', 'password'",
    "postgresql": "'127.0.0.1:1', 'database', 'rows', 'user', 'password'",
    "redis": "'127.0.0.1:1', 'i', 'p UInt64, i UInt64, owner String'",
    "sqlite": "'rows.sqlite', 'rows'",
    "cluster": "'cluster', {source}",
    "remote": "'127.0.0.1', {source}",
    "merge": "currentDatabase(), '^source'",
    "view": "SELECT * FROM {source}",
    "dictionary": "'rows'",
    "executable": "'rows.sh', 'CSV', 'p UInt64, i UInt64, owner String'",
    "format": "CSV, '1,1,a'",
    "generateRandom": "'p UInt64, i UInt64, owner String'",
    "input": "'p UInt64, i UInt64, owner String'",
    "null": "'p UInt64, i UInt64, owner String'",
    "numbers": "3",
}


@TestScenario
@Requirements(
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited("1.0"),
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_TableFunctions("1.0"),
)
@needs(Capability.TABLE_FUNCTIONS)
def every_table_function(self):
    """The functions of the specification are refused, and so is any other that the server knows."""
    with Given("two tables with different rows, and the names of all table functions"):
        source, destination = one_part_pair(partitions=2)
        node, before = destination.node, state(destination)
        known = node.column("SELECT name FROM system.table_functions ORDER BY name")
        calls = dict.fromkeys(known, "") | SPECIFIED
        requirement = RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Prohibited_TableFunctions
        assert not_tried(requirement, SPECIFIED, apart_from=KEYWORDS) == [], error()
        assert len(SPECIFIED) == 31 and SPECIFIED.items() <= calls.items(), error()
        assert len(set(known) & set(SPECIFIED)) > 20, error()

    with When("I name each of them after FROM"):
        violations = {}
        for name, arguments in calls.items():
            function = replacing(destination, name, 1)
            outcome = attempt(node, f"{function}({arguments.format(source=source)})")
            # Refused by the grammar, at the bracket that makes a name a function.
            place = f"failed at position {len(function) + 1} (()"
            if outcome.code != SYNTAX_ERROR or place not in outcome.message:
                violations[name] = str(outcome)

    with Then("every one is refused"):
        covers("files and object stores", "lake formats", "other databases")
        covers("other tables and servers", "made or passed data")
        assert_no_violations(violations)

    with And("the destination is kept"):
        assert state(destination) == before, error()

    with And("a function is taken where one may stand, and a table here"):
        assert node.query("SELECT * FROM numbers(2)") == [(0,), (1,)], error()
        replace_partition(destination, source=source, partition=1)
        kept = [row for row in before.rows if row[0] == 2]
        assert contents(destination) == contents(source, partition=1) + kept, error()
