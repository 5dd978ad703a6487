"""Tables of the engines S3 and Hive over hive-partitioned paths."""

from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.failures import QueryFailed
from helpers.scenario.context import this
from helpers.scenario.marks import deviates, equivalent, needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_TableEngines_Hive,
    RQ_HivePartitioning_TableEngines_S3,
    RQ_HivePartitioning_TableEngines_S3_PatternAndPartitionBy,
)
from steps.hive_partitioning.pruning import Expected, wrong_readings
from steps.hive_partitioning.queries import reading, s3_table
from steps.hive_partitioning.sources import ALL_FILES, filled_lake, keyed_rows
from steps.refusals import attempt
from steps.restarts import restart
from steps.tables import contents, definition

KEYS = "id UInt32, year UInt16, country String"
# Paths and arguments of tables that name their keys in PARTITION BY.
DEFINITIONS: tuple[tuple[str, dict[str, Any]], ...] = (  # 4 variants
    ("", {"partition_strategy": "hive"}),
    ("", {}),
    ("year=*/country=*/*.tsv", {}),
    ("**.tsv", {}),
)


@TestScenario
@Requirements(RQ_HivePartitioning_TableEngines_S3("1.0"))
@needs(Capability.OBJECT_STORE)
@equivalent(
    mutant="omit[PARTITION BY]",
    statement=".tsv'",
    reason="a path with patterns has its keys without the clause as well",
)
def s3_engine(self):
    """A table that names the keys in PARTITION BY takes their values from the paths, in its own types."""
    queries = {}
    with Given("objects in directories of two keys, which hold no such columns"):
        lake = filled_lake()

    with When("I create tables that name the keys in PARTITION BY, and read them"):
        for path, arguments in DEFINITIONS:
            for keys in ("(year, country)", "(country, year)"):
                table = s3_table(lake, path, columns=KEYS, partition_by=keys, **arguments)
                read = f"SELECT id, year, country FROM {table}"
                french = [(5, 2021, "FR"), (105, 2021, "FR")]
                queries[read] = Expected(keyed_rows(), ALL_FILES)
                queries[f"{read} WHERE year = 2021 AND country = 'FR'"] = Expected(french, 1)
                queries[f"{read} WHERE id = 5"] = Expected(french[:1], ALL_FILES)
        violations = wrong_readings(lake.node, queries)

    with Then("the rows have the values of their paths, and one file is read for one partition"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_TableEngines_S3("1.0"))
@needs(Capability.OBJECT_STORE)
def types_of_the_table(self):
    """The values of the paths have the types that the table declares for them."""
    with Given("nine partitions, and a table that declares other types than a path suggests"):
        lake = filled_lake()
        columns = "id UInt32, year String, country FixedString(2)"
        table = s3_table(lake, "", columns=columns, partition_by="(year, country)")

    with When("I read a partition with the types of its keys"):
        types = "year, toTypeName(year), toTypeName(country)"
        asked = f"SELECT DISTINCT {types} FROM {table} WHERE year = '2021' AND country = 'FR'"
        found = reading(lake.node, asked)

    with Then("the year is text, the country has two letters, and one file was read"):
        assert found.rows == [("2021", "String", "FixedString(2)")], error()
        assert (found.files, found.read_rows) == (1, 2), error()


@TestScenario
@Requirements(RQ_HivePartitioning_TableEngines_Hive("1.0"))
@deviates(
    step="the table is created",
    observed={
        "with PARTITION BY": "refused with code 56",
        "without PARTITION BY": "refused with code 56",
    },
    reason="the Hive engine has been removed from ClickHouse",
    kind="requirement",
    severity="wrong refusal or acceptance",
)
def hive_engine(self):
    """A table of the engine Hive can be created over a table that a Hive Metastore describes."""
    node, violations = this().node(), {}
    definitions = {"with PARTITION BY": " PARTITION BY day", "without PARTITION BY": ""}
    for name, clause in definitions.items():
        with When(f"I create a table of the engine {name}"):
            table = f"{this().database}.hive"
            outcome = attempt(
                node,
                f"CREATE TABLE {table} (id UInt32, day String) "
                f"ENGINE = Hive('thrift://127.0.0.1:9083', 'lake', 'sales'){clause}",
            )
            if not outcome.accepted:
                assert "Hive" in outcome.message, error()
                violations[name] = f"refused with code {outcome.code}"

    with Then("the server lists the engine if it has accepted the tables"):
        known = node.column("SELECT name FROM system.table_engines WHERE name IN ('Hive', 'S3')")
        assert known == (["S3"] if violations else ["Hive", "S3"]), error()

    with And("the table is created"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_TableEngines_S3_PatternAndPartitionBy("1.0"))
@needs(Capability.OBJECT_STORE, Capability.PROCESS_CONTROL)
@deviates(
    when="clickhouse >= 26.6 and clickhouse < 26.8",
    step="each is created, and read as before after a restart",
    observed=dict.fromkeys(("**.tsv", "year=*/country=*/*.tsv"), "refused with code 36"),
    reason="a PARTITION BY clause is taken for the strategy hive, which takes no pattern",
    kind="bug",
    severity="wrong refusal or acceptance",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/114705",
)
def pattern_with_partition_by(self):
    """A table over a pattern may name its keys in PARTITION BY, and is loaded after a restart."""
    violations: dict[str, object] = {}
    tables = {}
    with Given("objects in directories of two keys"):
        lake = filled_lake()

    for path in ("**.tsv", "year=*/country=*/*.tsv"):
        with When(f"I create a table over {path} with PARTITION BY"):
            try:
                table = s3_table(lake, path, columns=KEYS, partition_by="(year, country)")
                assert "PARTITION BY (year, country)" in definition(table), error()
                tables[path] = table
            except QueryFailed as refused:
                violations[path] = f"refused with code {refused.code}"

    with And("the server is restarted"):
        restart(lake.node)
        for path, table in tables.items():
            if (rows := contents(table)) != keyed_rows():
                violations[path] = rows

    with Then("each is created, and read as before after a restart"):
        assert_no_violations(violations)
