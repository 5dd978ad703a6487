"""Whoever is killed in the middle of an export: no reader sees a part of it, and the next one finishes it."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.context import this
from helpers.faults.s3_proxy import Kind, S3FaultProxy, Stall
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup,
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure,
    RQ_ClickHouse_ExportPart_FailureHandling,
)
from scenarios.export_part._marks import exports
from steps.export_kills import (
    ROWS,
    SECONDS,
    Account,
    account,
    held,
    kill_driver,
    kill_executor,
    large_source,
    processes_of,
    standalone_cluster,
    start_driver,
    still_running,
    wait_until_held,
)
from steps.exports import (
    begin_export,
    behind,
    export_to_place,
    filled_source,
    new_lake,
    part_of,
    s3_table,
)
from steps.tables import contents

# What the driver waits for when it is killed, and how many rows a reader then sees.
MOMENTS = {
    "upload": (Kind.UPLOAD_PART, "", 0),
    "completion": (Kind.COMPLETE_UPLOAD, "", 0),
    "commit": (Kind.PUT, "_commit_", ROWS),
}
ALL_OF_THEM = Account(attempted=ROWS, acknowledged=ROWS)


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup("1.0"),
)
@exports(Capability.PROCESS_CONTROL, seconds=400)
def driver(self):
    """The driver is killed while it uploads, before the file appears, and before the commit file: a reader
    sees nothing or the whole part, and the next export leaves every row there once."""
    with Given("a large part"):
        lake = new_lake()
        source = large_source(lake)
        part = part_of(source)

    for moment, (kind, key, visible) in MOMENTS.items():
        destination = s3_table(lake)
        with held(lake, kind, key) as (proxy, fault):
            with When(f"a driver waits for the {moment}"):
                to = lake.place(destination.name)
                process = start_driver(lake, source, to, proxy.url)
                wait_until_held(fault, process)
                assert lake.leftovers(), error()

            with And("is killed"):
                started = processes_of(process)
                kill_driver(process)
                assert process.ending == "killed by SIGKILL", error()

        with Then("what it had started ends"):
            assert still_running(started) == [], error()

        with And("a reader sees nothing, or the whole part"):
            assert len(lake.keys(path=destination.name)) == (1 if visible else 0), error()
            (seen,) = source.node.column(f"SELECT count() FROM {destination}")
            assert seen == visible, error()

        with And("the next export finishes it, and every row is there once"):
            outcome = export_to_place(lake, source, part, destination.name)
            assert outcome.status == ("skipped" if visible else "succeeded"), error()
            done = outcome.rows + visible
            assert account(source, destination, done) == ALL_OF_THEM, error()
            assert lake.leftovers() == [], error()
            assert len(lake.keys("", path=destination.name)) == 2, error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup("1.0"),
)
@exports(Capability.PROCESS_CONTROL, seconds=400)
def executor(self):
    """A worker of a cluster is killed while its task uploads: another one does its work, and every row is
    there once."""
    with Given("a large part, and a cluster of two workers"):
        lake = new_lake()
        source, destination = large_source(lake), s3_table(lake)

    with standalone_cluster() as cluster, S3FaultProxy(lake.store.url) as proxy:
        with proxy.fault(Kind.UPLOAD_PART, Stall(), times=None) as fault:
            with When("tasks wait for the store"):
                options = ("--spark-master", cluster.url, "--rows-per-task", str(ROWS // 2))
                to = lake.place(destination.name)
                process = start_driver(lake, source, to, proxy.url, *options)
                wait_until_held(fault, process)

            with And("the worker of one of them is killed"):
                number = cluster.busy_workers()[0]
                kill_executor(cluster, number)
                assert cluster.workers[number].returncode == -9, error()
                assert lake.keys() == [] and lake.leftovers() and process.alive, error()

        with Then("the export succeeds nevertheless"):
            assert process.wait(SECONDS), error()
            assert process.ending == "ended with exit code 0", error(process.last_output())

    with And("every row is there once"):
        assert account(source, destination, ROWS) == ALL_OF_THEM, error()
        assert lake.leftovers() == [] and len(lake.keys()) == 1, error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup("1.0"),
)
@exports(Capability.PROCESS_CONTROL, seconds=400)
def clickhouse(self):
    """The server is killed while it sends rows: the export fails and leaves nothing, and after the
    server's start the next one exports every row once."""
    with Given("a large part, and an export of it that takes its time"):
        lake = new_lake("mortal")
        source, destination = large_source(lake), s3_table(lake)
        part = part_of(source)
        running = begin_export(lake, source, part, destination.name, bandwidth=1_000_000)

    with When("the server is killed while it sends rows"):
        sending = (
            "SELECT count() FROM system.processes WHERE read_rows > 0 "
            "AND query LIKE '%_part = %FORMAT Parquet' AND NOT query LIKE '%system.processes%'"
        )
        this().eventually(lambda: lake.node.value(sending), equals=1, timeout=SECONDS)
        assert lake.leftovers() and not running.done(), error()
        lake.node.kill()

    with Then("the export fails"):
        (outcome,) = running.result(SECONDS)
        assert outcome.status == "failed", error()

    with And("nothing is there, and nothing is left"):
        assert lake.keys("") == [] and lake.leftovers() == [], error()

    with And("the next export has every row once"):
        lake.node.start()
        assert contents(destination) == [], error()
        outcome = export_to_place(lake, source, part, destination.name)
        assert account(source, destination, outcome.rows) == ALL_OF_THEM, error()
        assert lake.leftovers() == [], error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup("1.0"),
)
@exports(Capability.PROCESS_CONTROL, seconds=400)
def store(self):
    """The store is killed while an upload waits for it: the export fails; after the store's start a reader
    sees nothing, and the next export leaves every row there once."""
    with Given("a large part, and an export of it that waits for the store"):
        lake = new_lake()
        source, destination, other = large_source(lake), s3_table(lake), filled_source(lake)
        part = part_of(source)

    with held(lake, Kind.UPLOAD_PART) as (proxy, fault):
        running = begin_export(lake, source, part, destination.name, store=behind(lake, proxy))
        this().eventually(lambda: fault.hits > 0, timeout=SECONDS)

        with When("the store is killed"):
            assert lake.leftovers() and not running.done(), error()
            lake.store.kill()

    with Then("the export fails"):
        (outcome,) = running.result(SECONDS)
        assert outcome.status == "failed" and "does not answer" in outcome.error, error()

    with And("after its start a reader sees nothing"):
        lake.store.start()
        assert lake.keys() == [] and contents(destination) == [], error()

    with And("the next export has every row once, another one goes on, and nothing is left"):
        outcome = export_to_place(lake, source, part, destination.name)
        assert account(source, destination, outcome.rows) == ALL_OF_THEM, error()
        another = export_to_place(lake, other, part_of(other), "other")
        assert another.status == "succeeded", error()
        assert lake.leftovers() == [], error()
