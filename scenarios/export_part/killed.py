"""Whoever is killed in the middle of an export: no reader sees a part of it, and the next one finishes it."""

from typing import Any

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
from helpers.faults.s3_proxy import RequestKind, S3FaultProxy, Stall
from helpers.scenario.context import this
from helpers.scenario.obligations import covers
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup,
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure,
    RQ_ClickHouse_ExportPart_FailureHandling,
    RQ_ClickHouse_ExportPart_NetworkResilience,
    RQ_ClickHouse_ExportPart_Settings_OverwriteFile,
)
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    Lake,
    begin_export,
    behind,
    export_to_place,
    filled_source,
    new_lake,
    part_of,
    s3_table,
    violations_of,
)
from steps.export_part.kills import (
    ROWS,
    SECONDS,
    SENDING,
    Account,
    Moment,
    account,
    held,
    kill_driver_at,
    kill_executor,
    large_source,
    standalone_cluster,
    start_driver,
    wait_until_held,
)
from steps.tables import Table, contents

LOCK, COMMIT, FILE = "_exporting_1", "_commit_", ".parquet"
# What the driver waits for when it is killed, by kind: a run tries one of each, a nightly run all.
BEGIN = {  # 4 variants
    "answer to the first request": Moment(
        RequestKind.CREATE_UPLOAD, "_exporting_probe", processed=True, alone=True
    ),
    "lock": Moment(RequestKind.PUT, LOCK),
    "answer to the lock": Moment(RequestKind.PUT, LOCK, processed=True),
    "answer to the begin of the upload": Moment(RequestKind.CREATE_UPLOAD, FILE, processed=True),
}
UPLOAD = {"upload": Moment(RequestKind.UPLOAD_PART)}
COMPLETION = {  # 2 variants
    "completion": Moment(RequestKind.COMPLETE_UPLOAD),
    "answer to the completion": Moment(
        RequestKind.COMPLETE_UPLOAD, processed=True, seen=ROWS, again="skipped"
    ),
}
FINISH = {  # 3 variants
    "commit": Moment(RequestKind.PUT, COMMIT, seen=ROWS, again="skipped"),
    "answer to the commit": Moment(
        RequestKind.PUT, COMMIT, processed=True, seen=ROWS, again="skipped"
    ),
    "removal of the lock": Moment(RequestKind.DELETE, LOCK, seen=ROWS, again="skipped"),
}
FIRST = [  # 4 variants
    ("begin", BEGIN),
    ("upload", UPLOAD),
    ("completion", COMPLETION),
    ("commit", FINISH),
]
# The same where the part was exported before, and is replaced: the old file is there or the new one.
OVERWRITTEN = {  # 3 variants
    "upload": Moment(RequestKind.UPLOAD_PART, seen=ROWS),
    "completion": Moment(RequestKind.COMPLETE_UPLOAD, seen=ROWS),
    "answer to the completion": Moment(RequestKind.COMPLETE_UPLOAD, processed=True, seen=ROWS),
}
REPLACED = {  # 2 variants
    "commit": Moment(RequestKind.PUT, COMMIT, seen=ROWS),
    "answer to the commit": Moment(RequestKind.PUT, COMMIT, processed=True, seen=ROWS),
}
# And where what was exported has been merged since: its files are removed before the new one appears.
MERGED = {  # 3 variants
    "removal of the old file": Moment(RequestKind.DELETE, FILE, seen=ROWS),
    "completion": Moment(RequestKind.COMPLETE_UPLOAD),
    "answer to the completion": Moment(RequestKind.COMPLETE_UPLOAD, processed=True, seen=ROWS),
}
AGAIN = [  # 3 variants
    ("same part before its commit", OVERWRITTEN),
    ("same part at its commit", REPLACED),
    ("merged part", MERGED),
]
# What an export waits for when the store is killed.
STORE = {  # 3 variants
    "upload": UPLOAD["upload"],
    "completion": COMPLETION["completion"],
    "commit": FINISH["commit"],
}
ALL_OF_THEM = Account(attempted=ROWS, acknowledged=ROWS)


def finished(lake: Lake, source: Table, destination: Table, moment: Moment, **options: Any) -> None:
    """What was killed at a moment left what a reader may see, and the next export makes it whole."""
    assert len(lake.keys(path=destination.name)) == (1 if moment.seen else 0), error()
    (seen,) = source.node.column(f"SELECT count() FROM {destination}")
    assert seen == moment.seen, error()
    outcome = export_to_place(lake, source, part_of(source), destination.name, **options)
    assert outcome.status == moment.again, error()
    done = outcome.rows if moment.again == "succeeded" else moment.seen
    assert account(source, destination, done) == ALL_OF_THEM, error()
    assert lake.leftovers() == [], error()
    # The file and its commit file, which says what is in it.
    assert len(lake.keys("", path=destination.name)) == 2, error()
    assert violations_of(lake, destination) == [], error()


@TestOutline(Scenario)
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup("1.0"),
)
@exports(Capability.PROCESS_CONTROL, seconds=600)
@Examples("kind moments", FIRST)
def driver(self, kind, moments):
    """The driver is killed at a request that changes the store: a reader sees nothing or the
    whole part, and the next export leaves every row there once."""
    with Given("a large part"):
        lake = new_lake()
        source = large_source(lake)

    for name, moment in this().sample(moments).items():
        destination = s3_table(lake)
        with When(f"a driver waits for the {name} and is killed"):
            kill_driver_at(moment, lake, source, destination.name)

        with Then("a reader sees nothing or the whole part, and the next export finishes it"):
            finished(lake, source, destination, moment)


@TestOutline(Scenario)
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup("1.0"),
    RQ_ClickHouse_ExportPart_Settings_OverwriteFile("1.0"),
)
@exports(Capability.PROCESS_CONTROL, seconds=600)
@Examples("kind moments", AGAIN)
def driver_that_overwrites(self, kind, moments):
    """The driver is killed while it replaces a file: a reader sees the old file or the new one, and where
    the part was merged since, for a moment none; the next export leaves every row there once."""
    for name, moment in this().sample(moments).items():
        with Given(f"an exported part, to be replaced by the {kind}"):
            lake = new_lake()
            source, destination = large_source(lake), s3_table(lake)
            exported = export_to_place(lake, source, part_of(source), destination.name)
            assert exported.rows == ROWS, error()
            before = part_of(source)
            if moments is MERGED:
                source.node.query(f"OPTIMIZE TABLE {source} FINAL")
            assert (part_of(source) != before) == (moments is MERGED), error()

        with When(f"a driver waits for the {name} and is killed"):
            kill_driver_at(moment, lake, source, destination.name, "--overwrite")

        with Then("a reader sees one of the files, and the next export replaces it"):
            finished(lake, source, destination, moment, if_exists="overwrite")


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup("1.0"),
)
@exports(Capability.PROCESS_CONTROL, seconds=400)
def executor(self):
    """A worker is killed while its task uploads: another one takes over, and every row is there once."""
    with Given("a large part, and a cluster of two workers"):
        lake = new_lake()
        source, destination = large_source(lake), s3_table(lake)

    with standalone_cluster() as cluster, S3FaultProxy(lake.store.url) as proxy:
        with proxy.fault(RequestKind.UPLOAD_PART, Stall(), times=None) as fault:
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
        this().eventually(lambda: lake.node.value(SENDING), equals=1, timeout=SECONDS)
        assert lake.leftovers() and not running.done(), error()
        lake.node.kill()

    with Then("the export fails"):
        (outcome,) = running.result(SECONDS)
        assert outcome.status == "failed", error()

    with And("nothing is there, and nothing is left"):
        assert lake.keys("") == [] and lake.leftovers() == [], error()

    with And("the next export has every row once"):
        covers("a restart of the server forgets all manifests")
        lake.node.start()
        assert contents(destination) == [], error()
        outcome = export_to_place(lake, source, part, destination.name)
        assert account(source, destination, outcome.rows) == ALL_OF_THEM, error()
        assert lake.leftovers() == [], error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_NetworkResilience("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup("1.0"),
)
@exports(Capability.PROCESS_CONTROL, seconds=400)
def store(self):
    """The store is killed while an upload, its completion or the commit file waits for it: the export fails.
    Afterwards a reader sees nothing or the whole part, and the next export leaves every row there once."""
    with Given("a large part, and another table"):
        lake = new_lake()
        source, other = large_source(lake), filled_source(lake)
        part = part_of(source)

    for name, moment in this().sample(STORE).items():
        destination = s3_table(lake)
        with held(lake, moment) as (proxy, fault):
            with When(f"an export waits for the {name}"):
                store = behind(lake, proxy)
                running = begin_export(lake, source, part, destination.name, store=store)
                this().eventually(lambda: fault.hits > 0, timeout=SECONDS)
                assert lake.leftovers() and not running.done(), error()

            with And("the store is killed"):
                lake.store.kill()
                assert not lake.store.running, error()

        with Then("the export fails"):
            (outcome,) = running.result(SECONDS)
            assert outcome.status == "failed" and "does not answer" in outcome.error, error()

        with And("after its start a reader sees nothing or all, and the next export finishes it"):
            covers("a store that is killed")
            lake.store.start()
            finished(lake, source, destination, moment)

        with And("another one goes on"):
            another = export_to_place(lake, other, part_of(other), f"other_{name}")
            assert another.status == "succeeded", error()
            assert lake.leftovers() == [], error()
