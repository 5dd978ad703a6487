"""Exports that something disturbs: killed statements, damaged parts, dropped tables, little memory."""

from pathlib import Path

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.faults.s3_proxy import RequestKind
from helpers.scenario.context import this
from helpers.scenario.obligations import covers
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_ChangesOfTheSource,
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure,
    RQ_ClickHouse_ExportPart_FailureHandling,
    RQ_ClickHouse_ExportPart_NetworkResilience,
    RQ_ClickHouse_ExportPart_PartCorruption,
    RQ_ClickHouse_ExportPart_QueryCancellation,
)
from scenarios.export_part._marks import exports
from steps.damage import damage
from steps.export_part.exports import (
    begin_export,
    export_parts_to_place,
    export_to_place,
    filled_source,
    new_lake,
    part_of,
    s3_table,
    waiting_export,
)
from steps.export_part.kills import READING, ROWS, SECONDS, SENDING, Account, account, large_source
from steps.export_part.namesakes import rows_in_files
from steps.tables import contents, insert

ALL_OF_THEM = Account(ROWS, ROWS)


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
    RQ_ClickHouse_ExportPart_QueryCancellation("1.0"),
)
@exports()
def killed_statement(self):
    """KILL QUERY of the reading statement ends the export with that reason; nothing is left."""
    with Given("a large part, and an export of it that takes its time"):
        lake = new_lake()
        source, destination = large_source(lake), s3_table(lake)
        part = part_of(source)
        running = begin_export(lake, source, part, destination.name, bandwidth=1_000_000)

    with When("I kill the statement while it sends rows"):
        this().eventually(lambda: lake.node.value(SENDING), equals=1, timeout=SECONDS)
        assert not running.done(), error()
        lake.node.query(f"KILL QUERY WHERE {READING} SYNC")

    with Then("the export fails for that reason and leaves nothing"):
        (outcome,) = running.result(SECONDS)
        assert outcome.status == "failed" and "Query was cancelled" in outcome.error, error()
        assert lake.keys("") == [] and lake.leftovers() == [], error()

    with And("the next export has every row once"):
        outcome = export_to_place(lake, source, part, destination.name)
        assert account(source, destination, outcome.rows) == ALL_OF_THEM, error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
    RQ_ClickHouse_ExportPart_PartCorruption("1.0"),
)
@exports()
def damaged_part(self):
    """A damaged part among sound ones fails with its reason, and the others arrive."""
    with Given("a table of three parts, one of which is damaged"):
        lake = new_lake()
        source = filled_source(lake, (1, 2, 3), settings={"min_bytes_for_wide_part": 0})
        destination = s3_table(lake)
        sound = contents(source, partition=1) + contents(source, partition=3)
        part = part_of(source, "2")
        (path,) = source.node.column(
            f"SELECT path FROM system.parts WHERE database = '{source.database}' "
            f"AND table = '{source.name}' AND name = '{part}'"
        )
        damage(Path(path) / "i.bin", "changed")

    with When("I export all of them"):
        outcomes = export_parts_to_place(lake, source, destination.name)

    with Then("the damaged one fails with ClickHouse's reason"):
        (failed,) = (outcome for outcome in outcomes if outcome.status != "succeeded")
        assert failed.part == part and "checksum" in failed.error.lower(), error()

    with And("the others arrive, and nothing is left of it"):
        assert contents(destination) == sorted(sound) != [], error()
        assert lake.leftovers() == [], error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
)
@exports()
def dropped_tables(self):
    """DROP TABLE of the source returns while a store does not answer, and the export fails; a dropped
    destination keeps its place, so the export ends there."""
    with Given("a part, and an export of it that waits for its store"):
        lake = new_lake()
        source, destination = large_source(lake), s3_table(lake)
        part = part_of(source)

    with When("I drop the source meanwhile"):
        with waiting_export(lake, source, part, "dropped", RequestKind.UPLOAD_PART) as running:
            lake.node.query(f"DROP TABLE {source} SYNC", timeout=60)
        (outcome,) = running.result(SECONDS)

    with Then("the export fails and leaves nothing"):
        assert outcome.status == "failed", error()
        assert lake.keys("") == [] and lake.leftovers() == [], error()

    with When("I drop the destination of another export meanwhile"):
        source = filled_source(lake)
        part, expected = part_of(source), contents(source, partition=1)
        with waiting_export(lake, source, part, destination.name) as running:
            lake.node.query(f"DROP TABLE {destination} SYNC", timeout=60)
        (outcome,) = running.result(SECONDS)

    with Then("the rows are there for the table that comes next"):
        assert outcome.error == "", error()
        again = s3_table(lake, path=f"{destination.name}/")
        assert contents(again) == expected != [], error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
)
@exports()
def little_memory(self):
    """A server that may not use the memory to encode a part makes the export fail by that name; smaller
    row groups get by with less."""
    with Given("a large part"):
        lake = new_lake()
        source, destination = large_source(lake), s3_table(lake)
        part = part_of(source)

    with When("I export it with too little memory"):
        little = {"max_memory_usage": 20_000_000}
        failed = export_to_place(lake, source, part, destination.name, settings=little)

    with Then("it fails for that reason and leaves nothing"):
        assert failed.status == "failed" and "MEMORY_LIMIT_EXCEEDED" in failed.error, error()
        assert lake.keys("") == [] and lake.leftovers() == [], error()

    with And("smaller row groups need less, and every row is there once"):
        small = {"output_format_parquet_row_group_size": 5_000, "max_block_size": 5_000}
        more = {**small, "max_memory_usage": 60_000_000}
        outcome = export_to_place(lake, source, part, destination.name, settings=more)
        assert outcome.error == "", error()
        assert account(source, destination, outcome.rows) == ALL_OF_THEM, error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_NetworkResilience("1.0"))
@exports(Capability.PROCESS_CONTROL, seconds=400)
def restarted_server(self):
    """The server is stopped in order while it sends rows, and starts again: the export goes on and has
    every row once, or fails and leaves nothing; the next one has every row once."""
    with Given("a large part, and an export of it that takes its time"):
        lake = new_lake("stopped")
        source, destination = large_source(lake), s3_table(lake)
        part = part_of(source)
        running = begin_export(lake, source, part, destination.name, bandwidth=1_000_000)

    with When("the server is stopped while it sends rows, and starts again"):
        this().eventually(lambda: lake.node.value(SENDING), equals=1, timeout=SECONDS)
        assert not running.done(), error()
        lake.node.stop()
        lake.node.start()

    with Then("the export has every row once, or has left nothing"):
        covers("a server that is restarted while it sends rows")
        (outcome,) = running.result(SECONDS)
        if outcome.error:
            assert lake.keys("") == [] and lake.leftovers() == [], error()

    with And("the next export has every row once"):
        export_to_place(lake, source, part, destination.name)
        assert account(source, destination, ROWS) == ALL_OF_THEM, error()
        assert lake.leftovers() == [], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_ChangesOfTheSource("1.0"))
@exports()
def merge_of_another_part(self):
    """A merge and inserts in another partition go on while a part is exported, and disturb nothing."""
    with Given("a table of two partitions, and an export of one of them that waits for its store"):
        lake = new_lake()
        source = filled_source(lake)
        part, expected = part_of(source), contents(source, partition=1)
        other = part_of(source, "2")

    with When("parts of the other partition are merged meanwhile"):
        with waiting_export(lake, source, part, "quiet") as running:
            insert(source, [(2, 1, "more")])
            source.node.query(f"OPTIMIZE TABLE {source} PARTITION 2 FINAL")
            assert part_of(source, "2") != other, error()
            assert not running.done(), error()
        (outcome,) = running.result(SECONDS)

    with Then("the export has the rows of its part"):
        covers("a merge of another part during the export")
        assert outcome.error == "", error()
        assert rows_in_files(lake, "quiet/") == sorted(row[1:] for row in expected) != [], error()
