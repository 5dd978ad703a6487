"""A part is exported: its rows, the file's name and folder, and the columns in it."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import leaves_out, needs
from helpers.scenario.obligations import covers
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_DataPreparation,
    RQ_ClickHouse_ExportPart_DestinationSetup,
    RQ_ClickHouse_ExportPart_S3,
    RQ_ClickHouse_ExportPart_SQLCommand,
    RQ_ClickHouse_ExportPart_Verification,
)
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    export,
    export_parts_to_place,
    file_of,
    filled_source,
    lake_with_tables,
    new_lake,
    part_of,
    rows_of,
    s3_table,
    source_table,
    statement,
    violations_of,
)
from steps.export_part.logs import export_log, statuses
from steps.export_part.verified import prune_statements, replace_file, verified_rows
from steps.tables import contents

COLUMNS = (
    "p UInt64, i UInt64, made String MATERIALIZED concat('m', toString(i)), "
    "filled String DEFAULT 'd', shown String ALIAS concat('a', toString(i))"
)
PHYSICAL = "p UInt64, i UInt64, made String, filled String"


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_S3("1.0"), RQ_ClickHouse_ExportPart_SQLCommand("1.0"))
@exports()
def rows_arrive(self):
    """The statement exports one part: the destination returns its rows and no others."""
    with Given("a table with a part in each of two partitions, and an S3 table"):
        lake, source, destination = lake_with_tables()
        part = part_of(source)
        before = contents(source)
        assert contents(destination) == [], error()

    with When("I export one of the parts"):
        outcome = export(lake, statement(source, part, destination))

    with Then("the destination returns exactly its rows"):
        covers(
            "`source` | the `MergeTree` table",
            "`part` | the name of the part",
            "`destination` | the table in object storage",
        )
        expected = rows_of(source, part)
        assert expected and contents(destination) == expected, error()
        assert (outcome.status, outcome.rows) == ("succeeded", len(expected)), error()

    with And("a file beside the part's says what is in it"):
        assert violations_of(lake, destination) == [], error()

    with And("the source is what it was"):
        assert contents(source) == before, error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_DestinationSetup("1.0"))
@exports()
@leaves_out(
    "it opens an import sink", reason="a sink is inside a server; that its rows arrive is checked"
)
def file_is_named_after_part_and_checksum(self):
    """The file lies in the folder of the part's partition, its name is part and checksum, and the table
    of exports shows it."""
    with Given("a table of two partitions and an S3 table"):
        lake, source, destination = lake_with_tables()
        log = export_log(lake)
        parts = [part_of(source, partition) for partition in ("1", "2")]
        names = [file_of(source, part) for part in parts]

    with When("I export both parts"):
        for part in parts:
            export(lake, statement(source, part, destination), log=log)

    with Then("each file lies where its partition says, under its part's name and checksum"):
        covers(
            "the name of a file is made of the part's name",
            "the folder of a file is decided by the destination",
        )
        expected = [f"{destination.name}/p={number}/{name}" for number, name in enumerate(names, 1)]
        assert lake.keys() == expected, error()

    with And("users read the rows in the files"):
        covers("the files are visible in the store")
        files = lake.s3(f"{destination.name}/**.parquet")
        read = lake.node.query(f"SELECT p, i, owner FROM s3({files})")
        assert sorted(read) == contents(source) != [], error()

    with And("the table of exports shows the paths"):
        covers("`system.exports` shows the resulting path")
        shown = source.node.column(
            f"SELECT destination_file_path FROM {log.database}.exports ORDER BY part_name"
        )
        assert [path.partition(f"{lake.folder}/")[2] for path in shown] == expected, error()
        assert statuses(log, source.node) == [["running", "succeeded"]] * 2, error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_DataPreparation("1.0"))
@exports()
def physical_columns_are_taken(self):
    """All physical columns are exported, computed ones are not, and the key's value is in the folder."""
    with Given("a table with a materialized, a default and an alias column, and an S3 table"):
        lake = new_lake()
        source = source_table(lake, columns=COLUMNS)
        source.node.query(f"INSERT INTO {source} (p, i) VALUES", data=[(1, 7), (1, 8)])
        destination = s3_table(lake, columns=PHYSICAL)

    with When("I export its part"):
        export(lake, statement(source, part_of(source), destination))

    with Then("the destination has the physical columns, with the value of the key"):
        assert contents(destination) == [(1, 7, "m7", "d"), (1, 8, "m8", "d")], error()

    with And("the file itself has neither the key nor the alias"):
        (file,) = lake.keys()
        described = lake.node.query(
            f"DESCRIBE TABLE s3({lake.s3(file)})",
            settings={"use_hive_partitioning": 0},
        )
        assert [name for name, *_ in described] == ["i", "made", "filled"], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_SQLCommand("1.0"))
@needs(Capability.OBJECT_STORE, Capability.EXPORT_PART)
def statement_of_the_server(self):
    """A server that has the statement itself exports the rows of the part by it."""
    with Given("a table with two partitions and an S3 table"):
        _, source, destination = lake_with_tables()
        part = part_of(source)
        expected = rows_of(source, part)

    with When("I run the statement"):
        source.node.query(statement(source, part, destination))

    with Then("the rows of the part arrive"):
        this().eventually(lambda: contents(destination), equals=expected)


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Verification("1.0"))
@exports()
def verified_on_demand(self):
    """Spark compares the rows of files with those of their parts; what is as committed may be detached."""
    with Given("two exported parts"):
        lake = new_lake()
        source = filled_source(lake)
        outcomes = export_parts_to_place(lake, source, "verified")
        assert [outcome.error for outcome in outcomes] == ["", ""], error()

    with When("I verify them with their rows"):
        differences = verified_rows(lake, source, "verified")

    with Then("nothing differs"):
        covers("their bytes and rows are compared with what the commit file says")
        assert differences == {"1_1_1_0": [], "2_2_2_0": []}, error()

    with And("statements detach both parts, and none was executed"):
        covers("statements that detach parts whose files are as committed")
        statements = prune_statements(lake, source, "verified")
        assert len(statements) == 2 and len(contents(source)) == 20, error()

    with When("a file is replaced by one with another row and a commit file that agrees with it"):
        replace_file(lake, source, "verified", part_of(source, "2"))
        differences = verified_rows(lake, source, "verified")

    with Then("the rows of that part differ"):
        covers("their rows are compared with those of the part by another engine")
        assert differences["1_1_1_0"] == [], error()
        (text,) = differences["2_2_2_0"]
        assert "has other rows than its part" in text and "forged" in text, error()

    with And("its part is not to be detached, and the printed statements can be executed"):
        (statement_of_first,) = prune_statements(lake, source, "verified", with_rows=True)
        assert statement_of_first in statements, error()
        source.node.query(statement_of_first.rstrip(";"))
        assert contents(source) == contents(source, partition=2) != [], error()
