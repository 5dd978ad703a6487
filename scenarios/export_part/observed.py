"""What a user can see of exports: the log, running and ended exports, events, the metric, the bandwidth."""

import time

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.marks import equivalent
from helpers.scenario.obligations import covers
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_Events,
    RQ_ClickHouse_ExportPart_Logging,
    RQ_ClickHouse_ExportPart_Metrics_Export,
    RQ_ClickHouse_ExportPart_ServerSettings_MaxBandwidth,
    RQ_ClickHouse_ExportPart_SystemTables_Exports,
)
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    export,
    export_to_place,
    file_of,
    filled_source,
    lake_with_tables,
    new_lake,
    part_of,
    source_table,
    statement,
    waiting_export,
)
from steps.export_part.logs import export_log, statuses

POLICY = "export_merge_tree_part_file_already_exists_policy = 'error'"


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_Logging("1.0"),
    RQ_ClickHouse_ExportPart_Events("1.0"),
    RQ_ClickHouse_ExportPart_SystemTables_Exports("1.0"),
)
@exports()
def ended_exports(self):
    """A success and a failure are in the tables with part, path, rows, duration and error, and counted."""
    with Given("a table, an S3 table and a log"):
        lake, source, destination = lake_with_tables()
        log = export_log(lake)
        node, name = lake.node, log.database
        part = part_of(source)
        sql = statement(source, part, destination)

    with When("I export a part, and again where that is an error"):
        began = time.time()
        assert export(lake, sql, log=log).status == "succeeded", error()
        assert export(lake, f"{sql}, {POLICY}", log=log).status == "failed", error()
        seconds = time.time() - began

    with Then("the log of parts has a row of each"):
        covers(
            "`event_type` |",
            "`event_time` |",
            "`table` | the source",
            "`part_name` | the part",
            "`path_on_disk` |",
            "`duration_ms` |",
            "`error` |",
            "`thread_id` |",
        )
        rows = node.query(
            "SELECT event_type, database, table, part_name, path_on_disk, duration_ms, "
            f"startsWith(error, 'FILE_ALREADY_EXISTS'), error = '', thread_id > 0, "
            f"abs(event_time - now()) < 300 FROM {name}.part_log "
            "ORDER BY event_time"
        )
        (path,) = node.column(
            f"SELECT path FROM system.parts WHERE database = '{source.database}' AND name = '{part}' "
            f"AND table = '{source.name}' AND active"
        )
        common = ("EXPORT_PART", source.database, source.name, part, path)
        assert [row[:5] for row in rows] == [common, common], error()
        assert [row[6:] for row in rows] == [(0, 1, 1, 1), (1, 0, 1, 1)], error()
        assert 0 < sum(row[5] for row in rows) <= seconds * 1000, error()

    with And("the table of exports has their rows, sizes and times"):
        covers(
            "`source_database`, `source_table`",
            "`destination_database`, `destination_table`",
            "`create_time` |",
            "`part_name` | the part",
            "`destination_file_path` |",
            "`elapsed` |",
            "`rows_read`, `total_rows_to_read`",
            "`total_size_bytes_compressed`",
            "`bytes_read_uncompressed` |",
        )
        (first, second) = node.query(
            "SELECT source_database, source_table, destination_database, destination_table, part_name, "
            "status, rows_read, total_rows_to_read, total_size_bytes_compressed > 0, "
            "total_size_bytes_uncompressed = bytes_read_uncompressed, elapsed > 0, "
            f"abs(create_time - now()) < 300, endsWith(destination_file_path, '{file_of(source, part)}') "
            f"FROM {name}.exports ORDER BY create_time"
        )
        rows_in_part = node.value(f"SELECT count() FROM {source} WHERE _part = '{part}'")
        assert first[:7] == (
            *(source.database, source.name, destination.database, destination.name, part),
            *("succeeded", rows_in_part),
        ), error()
        assert first[7:] == (rows_in_part, 1, 1, 1, 1, 1), error()
        assert second[5:7] == ("failed", 0), error()
        ended = [["running", "succeeded"], ["failed", "running"]]
        assert statuses(log, node) == ended, error()

    with And("the events count them"):
        covers(
            "`PartsExports` |",
            "`PartsExportFailures` |",
            "`PartsExportDuplicated` |",
            "`PartsExportTotalMilliseconds` |",
        )
        events: dict[str, int] = dict(node.query(f"SELECT event, value FROM {name}.events"))
        milliseconds = events.pop("PartsExportTotalMilliseconds")
        assert 0 < milliseconds <= seconds * 1000, error()
        assert events == {
            "PartsExports": 1,
            "PartsExportFailures": 1,
            "PartsExportDuplicated": 1,
            "ExportsThrottlerBytes": 0,
            "ExportsThrottlerSleepMicroseconds": 0,
        }, error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_Metrics_Export("1.0"),
    RQ_ClickHouse_ExportPart_SystemTables_Exports("1.0"),
)
@exports()
@equivalent(
    mutant="drop",
    statement=" IF NOT EXISTS ",
    reason="the scenario and the export make the log, and the second time all of it is there",
)
def running_exports(self):
    """An export that runs is in the table of exports and counts in the metric; afterwards it does not."""
    with Given("a table and a store that completes slowly"):
        lake = new_lake()
        log = export_log(lake)
        node, name = lake.node, log.database
        source = filled_source(lake)
        log.create()
        assert node.value(f"SELECT value FROM {name}.metrics WHERE metric = 'Export'") == 0, error()

    with waiting_export(lake, source, part_of(source), "place", log=log) as running:
        with When("an export waits for the store"):
            assert not running.done(), error()

        with Then("the table shows it as running, and the metric is 1"):
            shown = node.query(f"SELECT part_name, status FROM {name}.exports")
            assert shown == [(part_of(source), "running")], error()
            metric = node.value(f"SELECT value FROM {name}.metrics WHERE metric = 'Export'")
            assert metric == 1, error()

    with Then("it ends, and the metric is 0 again"):
        assert [outcome.status for outcome in running.result(0)] == ["succeeded"], error()
        assert node.column(f"SELECT status FROM {name}.exports") == ["succeeded"], error()
        assert node.value(f"SELECT value FROM {name}.metrics WHERE metric = 'Export'") == 0, error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_ServerSettings_MaxBandwidth("1.0"),
    RQ_ClickHouse_ExportPart_Events("1.0"),
)
@exports()
def limited_bandwidth(self):
    """With a limit an export takes at least the time that its bytes need; without one nothing sleeps."""
    with Given("a part of a few hundred kilobytes that cannot be compressed"):
        lake = new_lake()
        log = export_log(lake)
        node, name = lake.node, log.database
        source = source_table(lake)
        node.query(
            f"INSERT INTO {source} SELECT 1, number, randomPrintableASCII(100) FROM numbers(6000)"
        )

    with When("I export it without a limit and with one of 150,000 bytes a second"):
        part = part_of(source)
        began = time.time()
        free = export_to_place(lake, source, part, "free", log=log)
        seconds = time.time() - began
        unlimited = node.query(f"SELECT event, value FROM {name}.events ORDER BY event")
        limited = export_to_place(lake, source, part, "limited", log=log, bandwidth=150_000)

    with Then("the limited one slept, and kept to the limit"):
        covers("`ExportsThrottlerBytes` |", "`ExportsThrottlerSleepMicroseconds` |")
        ((elapsed, throttled, slept),) = node.query(
            "SELECT elapsed, throttled_bytes, throttled_microseconds / 1e6 "
            f"FROM {name}.exports ORDER BY create_time DESC LIMIT 1"
        )
        assert throttled >= limited.size - 2000 > 400_000, error()
        assert slept > 0 and elapsed >= throttled / 150_000, error()
        events: dict[str, int] = dict(node.query(f"SELECT event, value FROM {name}.events"))
        assert events["ExportsThrottlerBytes"] == throttled, error()
        assert events["ExportsThrottlerSleepMicroseconds"] == round(slept * 1e6), error()

    with And("the other one did not, and both wrote the same rows"):
        (milliseconds,) = (value for event, value in unlimited if event.endswith("Milliseconds"))
        assert unlimited == [
            ("ExportsThrottlerBytes", 0),
            ("ExportsThrottlerSleepMicroseconds", 0),
            ("PartsExportDuplicated", 0),
            ("PartsExportFailures", 0),
            ("PartsExportTotalMilliseconds", milliseconds),
            ("PartsExports", 1),
        ], error()
        assert 0 < milliseconds <= seconds * 1000, error()
        assert free.rows == limited.rows == 6000, error()

    with And("the log has their beginnings and their ends"):
        assert statuses(log, node) == [["running", "succeeded"]] * 2, error()
