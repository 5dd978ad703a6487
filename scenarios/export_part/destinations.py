"""Tables of every engine over an object store take parts, if their partitioning is Hive's."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates, leaves_out
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_DestinationEngines,
    RQ_ClickHouse_ExportPart_Iceberg,
    RQ_ClickHouse_ExportPart_LakeKey,
)
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
from steps.export_part.lakes import (
    by_folder,
    export_with_keys,
    iceberg_rows,
    register,
    snapshots,
    to_lake_key,
)
from steps.tables import contents, create_table, insert

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


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_LakeKey("1.0"))
@exports()
def folders_of_another_key(self):
    """Parts by number go into folders of ten numbers each, and one with two such values is refused."""
    with Given("a table of three parts, of which two have the same value of the lake's key"):
        lake = new_lake()
        source = create_table("source", node=lake.node)
        for number in (11, 12, 25):
            insert(source, [(number, number, "row")])

    with When("I export all of it by that key"):
        outcomes = to_lake_key(lake, source, "by_ten", "intDiv(p, 10)")

    with Then("every row lies in the folder of its value"):
        covers("a part whose rows have one value of the key")
        assert outcomes == [""] * 3, error()
        folders = by_folder(lake, "by_ten")
        assert folders == {"intDiv(p, 10)=1": [11, 12], "intDiv(p, 10)=2": [25]}, error()

    with When("I export it by a key of which a part has two values"):
        source.node.query(f"INSERT INTO {source} VALUES (30, 1, 'row'), (30, 2, 'row')")
        outcomes = to_lake_key(lake, source, "by_number", "i")

    with Then("it is refused before anything is written"):
        covers("a part whose rows have several values")
        (text,) = outcomes
        assert "has several values of i, 1 to 2" in text, error()
        assert lake.keys("", path="by_number/") == [], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Iceberg("1.0"))
@exports(Capability.ICEBERG)
def registered_in_iceberg(self):
    """One snapshot adds all parts, nothing is added twice, and ClickHouse's own reader finds every row."""
    with Given("an exported table of three parts"):
        lake = new_lake()
        source = filled_source(lake, (1, 2, 3), columns="p UInt32, i UInt32, owner String")
        expected = sorted(row[1:] for row in contents(source))
        export_with_keys(lake, source, "iceberg")
        assert len(lake.keys(path="iceberg/")) == 3, error()

    with When("I register it, and again"):
        added = [register(lake, source, "iceberg") for _ in range(2)]

    with Then("one snapshot has all rows, once"):
        covers("one snapshot adds all parts", "repeating the registration adds no row twice")
        assert added == ["3", "0"] and snapshots(lake, source, "iceberg") == 1, error()
        assert iceberg_rows(lake, "iceberg") == expected != [], error()

    with When("a part is merged with another one, exported anew and registered"):
        insert(source, [(1, 1, "more")])
        source.node.query(f"OPTIMIZE TABLE {source} PARTITION 1 FINAL")
        expected = sorted(row[1:] for row in contents(source))
        export_with_keys(lake, source, "iceberg", if_exists="overwrite")
        register(lake, source, "iceberg")

    with Then("it has taken the place of the old one in one snapshot"):
        covers("a part that replaces exported ones")
        assert snapshots(lake, source, "iceberg") == 2, error()
        assert iceberg_rows(lake, "iceberg") == expected, error()

    with And("a second place of the same table is refused"):
        covers("a second place of the same table")
        export_with_keys(lake, source, "elsewhere")
        text = register(lake, source, "elsewhere", as_place="iceberg")
        assert "its rows would be there twice" in text, error()
        assert iceberg_rows(lake, "iceberg") == expected, error()
