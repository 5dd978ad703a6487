"""Exports that are repeated, that run at the same time, and that meet files which are there."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_Concurrency,
    RQ_ClickHouse_ExportPart_Idempotency,
    RQ_ClickHouse_ExportPart_Settings_OverwriteFile,
)
from scenarios.export_part._marks import exports
from steps.exports import (
    export,
    lake_with_tables,
    part_of,
    refusal,
    s3_table,
    statement,
    violations_of,
    waiting_export,
)
from steps.tables import contents

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
        assert outcome.status == "succeeded", error()
        assert lake.versions().keys() == first.keys() and lake.versions() != first, error()
        assert contents(destination) == expected, error()

    with And("its commit file says what is in it"):
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
@Requirements(RQ_ClickHouse_ExportPart_Concurrency("1.0"))
@exports()
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
            again = refusal(lake, statement(source, first, destination))
            assert again.startswith("PART_IS_TEMPORARILY_LOCKED"), error()

        with And("another part and another destination are exported meanwhile"):
            outcomes = [
                export(lake, statement(source, part, to))
                for part, to in ((second, destination), (first, other))
            ]
            assert [outcome.status for outcome in outcomes] == ["succeeded"] * 2, error()
            assert not running.done(), error()

    with Then("the first export ends with success, and every row is there once"):
        assert [outcome.status for outcome in running.result(0)] == ["succeeded"], error()
        assert contents(destination) == contents(source) != [], error()
        assert contents(other) == contents(source, partition=1), error()
        assert lake.leftovers() == [], error()
