"""Exports that are refused before anything is written."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import equivalent
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_Restrictions_DestinationSupport,
    RQ_ClickHouse_ExportPart_Restrictions_SameTable,
    RQ_ClickHouse_ExportPart_Restrictions_SourcePart,
    RQ_ClickHouse_ExportPart_SchemaCompatibility,
    RQ_ClickHouse_ExportPart_Settings_AllowExperimental,
)
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    export,
    filled_source,
    lake_with_tables,
    new_lake,
    part_of,
    refusal,
    s3_table,
    statement,
)
from steps.tables import contents, create_table

UNSUPPORTED = "NOT_IMPLEMENTED: Destination storage {} does not support MergeTree parts or uses "
# Destinations that differ from the source in one thing, and how the refusal begins.
INCOMPATIBLE = {  # 7 variants
    "a column less": ("p UInt64, i UInt64", "p", "INCOMPATIBLE_COLUMNS"),
    "a column more": ("p UInt64, i UInt64, owner String, more UInt8", "p", "INCOMPATIBLE_COLUMNS"),
    "another name": ("p UInt64, i UInt64, holder String", "p", "INCOMPATIBLE_COLUMNS"),
    "another order": ("p UInt64, owner String, i UInt64", "p", "INCOMPATIBLE_COLUMNS"),
    "another type": ("p UInt64, i UInt64, owner Date", "p", "INCOMPATIBLE_COLUMNS"),
    "another key": ("p UInt64, i UInt64, owner String", "i", "BAD_ARGUMENTS"),
    "a longer key": ("p UInt64, i UInt64, owner String", "(p, i)", "BAD_ARGUMENTS"),
}


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Restrictions_SameTable("1.0"))
@exports()
@equivalent(
    mutant="change-value",
    statement="SELECT name FROM system.parts",
    reason="no part is looked for before the tables have been compared",
)
def the_table_itself(self):
    """A part is not exported to its own table, and nothing else is looked at before that."""
    with Given("a table"):
        lake = new_lake()
        source = filled_source(lake)
        before = contents(source)

    with When("I export a part, and one that does not exist, to the table itself"):
        refusals = [
            refusal(lake, statement(source, part, source)) for part in (part_of(source), "nope")
        ]

    with Then("both are refused for that reason"):
        expected = "BAD_ARGUMENTS: Exporting to the same table is not allowed"
        assert refusals == [expected, expected], error()

    with And("the table is what it was"):
        assert contents(source) == before, error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Restrictions_DestinationSupport("1.0"))
@exports()
def destinations_that_take_no_parts(self):
    """A destination that cannot import parts, or is not partitioned as Hive does, is refused."""
    with Given("a table, and destinations of other engines and of another partitioning"):
        lake = new_lake()
        source = filled_source(lake)
        part = part_of(source)
        destinations = {
            "MergeTree": create_table("other", node=lake.node),
            "Memory": create_table(
                "other", node=lake.node, engine="Memory", partition_by="", order_by="", settings={}
            ),
            "S3": s3_table(lake, strategy="wildcard", path="wild/{_partition_id}.parquet"),
        }

    with When("I export a part to each of them"):
        refusals = {
            name: refusal(lake, statement(source, part, table))
            for name, table in destinations.items()
        }

    with Then("each refusal names the storage"):
        expected = {
            name: UNSUPPORTED.format(name) + "unsupported partitioning" for name in destinations
        }
        assert refusals == expected, error()

    with And("nothing was written, and a destination that fits takes the part"):
        assert lake.keys("") == [] and contents(destinations["MergeTree"]) == [], error()
        assert export(lake, statement(source, part, s3_table(lake))).status == "succeeded", error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Restrictions_SourcePart("1.0"))
@exports()
def parts_that_are_not_there(self):
    """A part that is missing or detached is refused, by its name and that of the table."""
    with Given("a table of which one part is detached"):
        lake, source, destination = lake_with_tables()
        detached = part_of(source, "2")
        source.node.query(f"ALTER TABLE {source} DETACH PART '{detached}'")

    with When("I export it, and one that never was"):
        names = (detached, "1_77_77_0")
        refusals = [refusal(lake, statement(source, name, destination)) for name in names]

    with Then("both are refused by name"):
        assert refusals == [
            f"NO_SUCH_DATA_PART: No such data part '{name}' to export in table '{source}'"
            for name in names
        ], error()

    with And("nothing was written; attached again it is exported"):
        assert lake.keys("") == [], error()
        source.node.query(f"ALTER TABLE {source} ATTACH PART '{detached}'")
        export(lake, statement(source, part_of(source, "2"), destination))
        assert contents(destination) == contents(source, partition=2) != [], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_SchemaCompatibility("1.0"))
@exports()
def other_columns_and_keys(self):
    """Other columns, names, orders, types or partition keys than the source's are refused."""
    with Given("a table"):
        lake = new_lake()
        source = filled_source(lake)
        part = part_of(source)

    with When("I export a part to tables that differ in one thing each"):
        refusals = {
            name: refusal(
                lake, statement(source, part, s3_table(lake, columns=columns, partition_by=key))
            ).partition(":")[0]
            for name, (columns, key, _) in INCOMPATIBLE.items()
        }

    with Then("every one is refused, and nothing was written"):
        covers(
            "both tables have the same physical columns",
            "these have the same names",
            "the type of each is compatible",
            "both tables have the same expression",
        )
        expected = {name: begins for name, (_, _, begins) in INCOMPATIBLE.items()}
        wrong = {name: text for name, text in refusals.items() if text != expected[name]}
        assert_no_violations(wrong)
        assert len(refusals) == len(INCOMPATIBLE) and lake.keys("") == [], error()

    with And("a compatible type is taken"):
        columns = "p UInt64, i UInt64, owner LowCardinality(String)"
        destination = s3_table(lake, columns=columns)
        assert export(lake, statement(source, part, destination)).status == "succeeded", error()
        assert contents(destination) == contents(source, partition=1) != [], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Settings_AllowExperimental("1.0"))
@exports()
def off_unless_allowed(self):
    """Without the setting, and with 0, the statement is refused; with 1 it is executed."""
    with Given("a table and an S3 table"):
        lake, source, destination = lake_with_tables()
        allowed = statement(source, part_of(source), destination)
        bare = allowed.partition(" SETTINGS ")[0]
        setting = "allow_experimental_export_merge_tree_part"

    with When("I run the statement without the setting and with 0"):
        refusals = [refusal(lake, sql) for sql in (bare, f"{bare} SETTINGS {setting} = 0")]

    with Then("it is refused, and nothing was written"):
        assert [text.partition(":")[0] for text in refusals] == ["SUPPORT_IS_DISABLED"] * 2, error()
        assert all(setting in text for text in refusals) and lake.keys("") == [], error()

    with And("with 1 it is executed"):
        assert export(lake, f"{bare} SETTINGS {setting} = 1").status == "succeeded", error()
        assert contents(destination) == contents(source, partition=1) != [], error()
