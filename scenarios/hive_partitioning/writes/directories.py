"""Inserts go into key=value directories: one for each column of PARTITION BY, in its order."""

from testflows.asserts import error
from testflows.core import (
    And,
    Examples,
    Given,
    Requirements,
    Scenario,
    TestOutline,
    TestScenario,
    Then,
    When,
)

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import equivalent
from helpers.scenario.obligations import covers
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Writes_PartitionKey,
    RQ_HivePartitioning_Writes_PartitionsParts,
    RQ_HivePartitioning_Writes_S3,
    RQ_HivePartitioning_Writes_UseHivePartitions,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.writes import hive_table, insert_values, objects
from steps.tables import contents

NEEDS = (Capability.OBJECT_STORE,)
OFF = {"use_hive_partitioning": 0}
ROWS = [(2022, "Canada", 2), (2022, "USA", 1), (2023, "USA", 3)]
DIRECTORIES = {
    "year=2022/country=USA": [b"1\n"],
    "year=2022/country=Canada": [b"2\n"],
    "year=2023/country=USA": [b"3\n"],
}


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_S3("1.0"))
def rows_go_into_directories(self):
    """Every row lies in the directory of its values, and the table returns all of them."""
    with Given("a table with the strategy hive"):
        lake = new_lake()
        table = hive_table(lake)
        assert objects(lake, table.name) == {} and contents(table) == [], error()

    with When("I insert rows of three partitions"):
        insert_values(table, "(2022, 'USA', 1), (2022, 'Canada', 2), (2023, 'USA', 3)")

    with Then("each row is in the directory of its partition"):
        assert objects(lake, table.name) == DIRECTORIES, error()

    with And("the table returns them"):
        assert contents(table) == ROWS, error()


@TestOutline(Scenario)
@Requirements(RQ_HivePartitioning_Writes_UseHivePartitions("1.0"))
@equivalent(
    mutant="omit[use_hive_partitioning]",
    statement="TABLE",
    reason="it has to change nothing; that it takes effect is seen in system.settings",
)
@equivalent(
    mutant="omit[use_hive_partitioning]",
    statement="INSERT INTO",
    reason="it has to change nothing; that it takes effect is seen in system.settings",
)
@Examples("where creating inserting", [("both", OFF, OFF), ("INSERT", None, OFF)])
def reading_setting_changes_nothing(self, where, creating, inserting):
    """With use_hive_partitioning = 0 a table with the strategy hive is created and written as ever."""
    lake = new_lake()
    with Given(f"a table, and recognition of hive partitions off for {where}"):
        table = hive_table(lake, settings=creating)

    with When("I insert rows of three partitions"):
        setting = "SELECT value FROM system.settings WHERE name = 'use_hive_partitioning'"
        assert lake.node.value(setting, settings=inserting) == "0", error()
        insert_values(table, "(2022, 'USA', 1), (2022, 'Canada', 2), (2023, 'USA', 3)", inserting)

    with Then("each row is in the directory of its partition"):
        assert objects(lake, table.name) == DIRECTORIES, error()


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_PartitionsParts("1.0"))
@equivalent(
    mutant="omit[m*_size*]",
    statement="SELECT 100 + number % 150",
    reason="of how many blocks an insert is made must not matter",
)
def partitions_and_inserts(self):
    """New partitions, the same again, and both at once: every insert adds its rows, none takes any."""
    with Given("a table with one partition"):
        lake = new_lake()
        table = hive_table(lake, columns="year UInt16, x UInt32", partition_by="year")
        insert_values(table, "(1, 1)")
        assert objects(lake, table.name) == {"year=1": [b"1\n"]}, error()

    with When("I insert into new partitions, into the same again, and into both"):
        insert_values(table, "(2, 2), (3, 3)")
        insert_values(table, "(1, 4), (1, 5)")
        insert_values(table, "(3, 6), (4, 7), (3, 8)")

    with Then("every directory has the rows of every insert"):
        covers("into several partitions in one", "into the same partitions or others")
        expected = {
            "year=1": [b"1\n", b"4\n5\n"],
            "year=2": [b"2\n"],
            "year=3": [b"3\n", b"6\n8\n"],
            "year=4": [b"7\n"],
        }
        assert objects(lake, table.name) == expected, error()

    with When("I insert 150 partitions, in blocks of ten rows"):
        lake.node.query(
            f"INSERT INTO {table} SELECT 100 + number % 150, number FROM numbers(600)",
            settings={"max_block_size": 10, "min_insert_block_size_rows": 1},
        )

    with Then("every partition has a directory with its rows"):
        held = objects(lake, table.name)
        assert {name: held.pop(name) for name in expected} == expected, error()
        rows = {name: b"".join(parts).split() for name, parts in held.items()}
        assert {name: sorted(values, key=int) for name, values in rows.items()} == {
            f"year={100 + first}": [b"%d" % number for number in range(first, 600, 150)]
            for first in range(150)
        }, error()

    with And("the table returns all rows"):
        assert contents(table) == sorted(
            [(1, 1), (2, 2), (3, 3), (1, 4), (1, 5), (3, 6), (4, 7), (3, 8)]
            + [(100 + number % 150, number) for number in range(600)]
        ), error()


VALUES = (("North-America", 2024), ("North-America", 1999), ("Südost", 2024))  # 3 variants


@TestOutline(Scenario)
@Requirements(RQ_HivePartitioning_Writes_PartitionKey("1.0"))
@Examples("first order", [("region", "(region, year)"), ("year", "(year, region)")])
def directories_in_the_order_of_the_clause(self, first, order):
    """Directories are nested as the clause names the columns, wherever these stand in the table."""
    lake = new_lake()
    with Given(f"a table partitioned by {order}"):
        table = hive_table(
            lake, columns="id UInt64, year UInt16, region String", partition_by=order
        )

    with When("I insert a row for each of three partitions"):
        rows = [(number, year, region) for number, (region, year) in enumerate(VALUES)]
        insert_values(table, ", ".join(map(str, rows)))

    with Then("directories are nested in the order of the clause"):
        expected = {}
        for number, (region, year) in enumerate(VALUES):
            pair = [f"region={region}", f"year={year}"]
            directory = "/".join(pair if first == "region" else pair[::-1])
            expected[directory] = [b"%d\n" % number]
        assert objects(lake, table.name) == expected, error()

    with And("the table returns every row"):
        assert contents(table) == rows, error()


# Without the characters that no value may have, those that mean something in an address or to Hive.
HARMLESS = (  # 11 variants
    "a blank",
    "a-b_c",
    "50%",
    "a%20b",
    "a=b",
    "a:b",
    "a+b",
    "a.b",
    "a#b&c;d,e",
    "[x](y)",
    "日本",
)


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_PartitionKey("1.0"))
def harmless_characters(self):
    """Blanks, signs, percent signs and letters of all scripts lead to a directory and come back."""
    with Given("a table, and a list of values that are no two the same"):
        lake = new_lake()
        table = hive_table(lake, columns="k String, x UInt8", partition_by="k")
        assert len(set(HARMLESS)) == len(HARMLESS), error()

    with When("I insert a row for each value"):
        rows = [(value, number) for number, value in enumerate(HARMLESS)]
        insert_values(table, ", ".join(map(str, rows)))

    with Then("each has a directory of its own with its row"):
        expected = {f"k={value}": [b"%d\n" % number] for value, number in rows}
        assert objects(lake, table.name) == expected, error()

    with And("the table returns every value as it was"):
        assert contents(table) == sorted(rows), error()
