"""Tables of every engine over an object store take parts, if their partitioning is Hive's."""

from testflows.asserts import error
from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import deviates, leaves_out
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import RQ_ClickHouse_ExportPart_DestinationEngines
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    export,
    filled_source,
    new_lake,
    part_of,
    refusal,
    s3_table,
    statement,
)
from steps.tables import contents, create_table

# Engines whose stores speak S3: their tables are alike but for the name.
SPEAK_S3 = ("S3", "GCS", "COSN", "OSS")  # 4 variants
# Stores that speak something else; nothing has to listen there, since a refusal comes first.
OTHERS = {  # 2 variants
    "HDFS": "HDFS('hdfs://127.0.0.1:1/lake/', 'Parquet')",
    "AzureBlobStorage": "AzureBlobStorage('http://127.0.0.1:1/account', 'lake', 'rows/', 'account', "
    "'a2V5', 'Parquet', 'auto', 'hive')",
}


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_DestinationEngines("1.0"))
@exports()
@leaves_out("`GCS` |", reason="the engine is tried with a store that speaks S3, not with Google's")
def stores_that_speak_s3(self):
    """Tables of the engines S3, GCS, COSN and OSS take a part, and return its rows."""
    with Given("a table of two parts"):
        lake = new_lake()
        source = filled_source(lake)
        part, expected = part_of(source), contents(source, partition=1)

    wrong = {}
    for engine in SPEAK_S3:
        with When(f"I export a part to a table of the engine {engine}"):
            destination = s3_table(lake, engine=engine)
            made = lake.node.value(
                "SELECT extract(engine_full, '^[^(]*') FROM system.tables "
                f"WHERE database = '{destination.database}' AND name = '{destination.name}'"
            )
            assert made == engine, error()
            outcome = export(lake, statement(source, part, destination))

        with Then("it returns the rows of the part, out of one file"):
            files = lake.keys(path=f"{destination.name}/p=1/")
            if outcome.error or contents(destination) != expected or len(files) != 1:
                wrong[engine] = outcome.error or f"other rows arrived, in {files}"

    with Then("every engine returned the rows"):
        covers("`S3` | Amazon S3", "any engine built on `StorageObjectStorage`", "`GCS` |")
        assert_no_violations(wrong)


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_DestinationEngines("1.0"))
@exports()
@deviates(
    step="they take it",
    observed={"HDFS": "NOT_IMPLEMENTED", "AzureBlobStorage": "NOT_IMPLEMENTED"},
    reason="the exporter writes by the protocol of S3, whose uploads appear as a whole; it has no "
    "client for HDFS and Azure",
    no_sql="upstream servers cannot export a part; the exporter refuses it",
    kind="exporter",
    severity="wrong refusal or acceptance",
)
def other_stores(self):
    """Tables of the engines HDFS and AzureBlobStorage take a part."""
    with Given("a table, and destinations of these engines"):
        lake = new_lake()
        source = filled_source(lake)
        part = part_of(source)
        destinations = {
            name: create_table(
                "destination", node=lake.node, engine=engine, order_by="", settings={}
            )
            for name, engine in OTHERS.items()
        }

    with When("I export a part to each of them, and to a table of the engine S3"):
        refusals = {
            name: refusal(lake, statement(source, part, table))
            for name, table in destinations.items()
        }
        assert refusal(lake, statement(source, part, s3_table(lake))) == "accepted", error()

    with Then("they take it"):
        covers("`HDFS` |", "`AzureBlobStorage` |")
        assert_no_violations(
            {name: text.partition(":")[0] for name, text in refusals.items() if text != "accepted"}
        )
