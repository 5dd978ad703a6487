"""Exports that are repeated, that run at the same time, and that meet files which are there."""

from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import leaves_out
from helpers.scenario.obligations import covers
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_Concurrency,
    RQ_ClickHouse_ExportPart_FilePolicy,
    RQ_ClickHouse_ExportPart_Idempotency,
    RQ_ClickHouse_ExportPart_Settings_OverwriteFile,
)
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    export,
    export_to_place,
    filled_source,
    lake_with_tables,
    new_lake,
    part_of,
    place_refusal,
    refusal,
    s3_table,
    source_table,
    statement,
    violations_of,
    waiting_export,
)
from steps.export_part.namesakes import lakes_with_namesakes, rows_in_files
from steps.tables import Table, contents, insert

OVERWRITE = "export_merge_tree_part_overwrite_file_if_exists"


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_Idempotency("1.0"),
    RQ_ClickHouse_ExportPart_Settings_OverwriteFile("1.0"),
)
@exports()
def the_same_part_again(self):
    """A repeated export changes nothing unless it is to overwrite, and never doubles a row."""
    with Given("an exported part"):
        lake, source, destination = lake_with_tables()
        sql = statement(source, part_of(source), destination)
        export(lake, sql)
        expected = contents(source, partition=1)
        assert contents(destination) == expected != [], error()
        first = lake.versions()
        assert len(first) == 1, error()

    with When("I export it again, as it is and with the setting 0"):
        skipped = export(lake, sql)
        refused = refusal(lake, f"{sql}, {OVERWRITE} = 0")

    with Then("the file is the one that was there"):
        assert skipped.status == "skipped", error()
        assert refused.startswith("FILE_ALREADY_EXISTS"), error()
        assert lake.versions() == first, error()

    with When("I export it again with the setting 1"):
        outcome = export(lake, f"{sql}, {OVERWRITE} = 1")

    with Then("the file is a new one with the same rows"):
        covers(
            "repeating an export damages no data",
            "`export_merge_tree_part_overwrite_file_if_exists` decides",
        )
        assert outcome.status == "succeeded", error()
        assert lake.versions().keys() == first.keys() and lake.versions() != first, error()
        assert contents(destination) == expected, error()

    with And("its commit file says what is in it"):
        covers("what is known about an export stays consistent")
        assert violations_of(lake, destination) == [], error()

    with When("the part is merged and what was made of it is exported"):
        source.node.query(f"OPTIMIZE TABLE {source} FINAL")
        merged = statement(source, part_of(source), destination)
        assert merged != sql, error()
        refused = refusal(lake, merged)

    with Then("it is refused, since its rows are there already"):
        assert refused.startswith("FILE_ALREADY_EXISTS"), error()
        assert "were exported already" in refused, error()
        assert contents(destination) == expected, error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_Idempotency("1.0"), RQ_ClickHouse_ExportPart_FilePolicy("1.0")
)
@exports()
def tables_of_one_name_on_two_servers(self):
    """Two servers export parts of the same name to one place, in any order and with any policy: every row
    of each is there once, and neither takes or replaces a file of the other."""
    with Given("a table on each of two servers, with the same name and parts of the same names"):
        lakes, sources = lakes_with_namesakes()
        for source in sources:
            insert(source, [(1, 1, "equal on both"), (2, 2, source.node.name)])
            assert part_of(source, "1") == "1_1_1_0" and part_of(source, "2") == "2_2_2_0", error()
        expected = sorted(row[1:] for source in sources for row in contents(source))
        assert len(expected) == 4, error()
        path = "together/"

    def export_all(**options: Any) -> list[str]:
        return [
            export_to_place(lake, source, part_of(source, partition), path, **options).status
            for lake, source in zip(lakes, sources, strict=True)
            for partition in ("1", "2")
        ]

    with When("both export all their parts"):
        assert export_all() == ["succeeded"] * 4, error()
        first = lakes[0].versions()

    with Then("every row of both is there"):
        covers("file names, made of the part's name and checksum", "files of other tables")
        assert rows_in_files(lakes[0], path) == expected, error()
        assert len(first) == 4, error()

    with When("they export them again, and then with overwrite"):
        assert export_all() == ["skipped"] * 4, error()
        assert lakes[0].versions() == first, error()
        assert export_all(if_exists="overwrite") == ["succeeded"] * 4, error()

    with Then("each has replaced its own files"):
        assert rows_in_files(lakes[0], path) == expected, error()
        again = lakes[0].versions()
        assert again.keys() == first.keys(), error()
        assert all(again[name] != first[name] for name in first), error()

    with When("one of them merges a part with another, which covers a part of the other server"):
        insert(sources[0], [(1, 3, "another")])
        sources[0].node.query(f"OPTIMIZE TABLE {sources[0]} FINAL")
        merged = part_of(sources[0], "1")
        assert merged == "1_1_3_1", error()
        expected = sorted(row[1:] for source in sources for row in contents(source))
        refused = place_refusal(lakes[0], sources[0], merged, path)
        outcome = export_to_place(lakes[0], sources[0], merged, path, if_exists="overwrite")

    with Then("with overwrite it replaces the file of its own part only"):
        covers("a merged part replaces the files of its sources only with `overwrite`")
        assert "were exported already" in refused, error()
        assert outcome.status == "succeeded", error()
        assert rows_in_files(lakes[0], path) == expected, error()
        assert len(expected) == 5 and len(lakes[0].keys()) == 4, error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_FilePolicy("1.0"))
@exports(Capability.PROCESS_CONTROL)
def block_numbers_that_are_given_again(self):
    """A partition is exported and dropped; after a restart late rows get its block numbers. No policy
    removes the exported rows, which are nowhere else."""
    with Given("an exported partition, which is dropped, and a server that starts again"):
        lake = new_lake("restarted")
        source = filled_source(lake, (1,))
        path = "retention/"
        assert export_to_place(lake, source, part_of(source), path).rows == 10, error()
        exported = rows_in_files(lake, path)
        again = [
            export_to_place(lake, source, part_of(source), path, if_exists=policy).status
            for policy in ("skip", "error", "overwrite")
        ]
        covers("by default a part that was exported is skipped")
        assert again == ["skipped", "failed", "succeeded"], error()
        source.node.query(f"ALTER TABLE {source} DROP PARTITION 1")
        lake.node.restart()

    with When("late rows make a part of the same blocks"):
        for number in (1, 2):
            insert(source, [(1, number, "late")])
        source.node.query(f"OPTIMIZE TABLE {source} FINAL")
        part = part_of(source)
        assert part == "1_1_2_1", error()
        refused = {
            policy: place_refusal(lake, source, part, path, if_exists=policy)
            for policy in ("skip", "error", "overwrite")
        }

    with Then("it is refused, and the exported rows are there"):
        covers("block numbers that are given again prove nothing")
        assert "were exported already" in refused["skip"] and refused["error"], error()
        assert "is not proved to have the rows" in refused["overwrite"], error()
        assert rows_in_files(lake, path) == exported != [], error()

    with And("in another place it arrives"):
        outcome = export_to_place(lake, source, part, "elsewhere/")
        assert outcome.error == "", error()
        assert rows_in_files(lake, "elsewhere/") == [(1, "late"), (2, "late")], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_FilePolicy("1.0"))
@exports()
def equal_names_of_parts(self):
    """Tables of two names and of two databases have parts of equal names and equal rows: each arrives."""
    with Given("three tables, one of them in another database, with equal parts"):
        lake = new_lake()
        first, second = filled_source(lake, (1,)), source_table(lake)
        other = f"{this().database}_other"
        lake.node.query(f"CREATE DATABASE {other} ENGINE = Atomic")
        third = Table(lake.node, other, first.name)
        lake.node.query(f"CREATE TABLE {third} AS {first}")
        for table in (second, third):
            lake.node.query(f"INSERT INTO {table} SELECT * FROM {first}")
        tables = (first, second, third)
        assert [part_of(table) for table in tables] == ["1_1_1_0"] * 3, error()
        expected = sorted(row[1:] for table in tables for row in contents(table))
        assert len(expected) == 30, error()

    with When("I export all of them to one place, and again with overwrite"):
        statuses = [
            export_to_place(lake, table, part_of(table), "all/", if_exists=policy).status
            for policy in ("skip", "overwrite")
            for table in tables
        ]

    with Then("every row of each is there once"):
        assert statuses == ["succeeded"] * 6, error()
        assert rows_in_files(lake, "all/") == expected, error()
        lake.node.drop_database(other)


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Concurrency("1.0"))
@exports()
@leaves_out(
    "no race damages data",
    reason="one order of two exports is checked, which the store holds up, and no others",
)
def at_the_same_time(self):
    """While a part is being exported, the same export is refused and another one goes on."""
    with Given("two parts, two destinations, and a store that completes slowly"):
        lake, source, destination = lake_with_tables()
        other = s3_table(lake)
        first, second = (part_of(source, partition) for partition in ("1", "2"))

    with waiting_export(lake, source, first, destination.name) as running:
        with When("an export waits for the store"):
            assert not running.done(), error()

        with Then("the same export is refused meanwhile"):
            covers("the same part is not exported twice")
            again = refusal(lake, statement(source, first, destination))
            assert again.startswith("PART_IS_TEMPORARILY_LOCKED"), error()

        with And("another part and another destination are exported meanwhile"):
            covers("different parts may be exported to different destinations")
            outcomes = [
                export(lake, statement(source, part, to))
                for part, to in ((second, destination), (first, other))
            ]
            assert [outcome.status for outcome in outcomes] == ["succeeded"] * 2, error()
            assert not running.done(), error()

    with Then("the first export ends with success, and every row is there once"):
        covers("no race damages data")
        assert [outcome.status for outcome in running.result(0)] == ["succeeded"], error()
        assert contents(destination) == contents(source) != [], error()
        assert contents(other) == contents(source, partition=1), error()
        assert lake.leftovers() == [], error()
