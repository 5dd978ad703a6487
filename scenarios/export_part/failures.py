"""Exports that fail, at every step: nothing is left, nothing is lost, and the next one succeeds."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.faults.s3_proxy import Effect, RequestKind, Reset, S3FaultProxy, Status
from helpers.scenario.marks import leaves_out
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup,
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure,
    RQ_ClickHouse_ExportPart_FailureHandling,
    RQ_ClickHouse_ExportPart_NetworkResilience,
)
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    behind,
    export,
    export_to_place,
    filled_source,
    lake_with_tables,
    new_lake,
    part_of,
    s3_table,
    statement,
    waiting_export,
)
from steps.export_part.logs import export_log, statuses
from steps.tables import contents

# What is refused for good at which request; a commit file is put, a data file is uploaded.
REFUSED = Status(403, "AccessDenied")
FATAL: dict[str, tuple[RequestKind, Effect, str]] = {  # 3 variants
    "upload": (RequestKind.UPLOAD_PART, REFUSED, ""),
    "completion": (RequestKind.COMPLETE_UPLOAD, REFUSED, ""),
    "commit": (RequestKind.PUT, REFUSED, "_commit_"),
}
PASSING: dict[str, tuple[RequestKind, Effect, str]] = {  # 5 variants
    "refused upload": (RequestKind.UPLOAD_PART, Status(), ""),
    "reset upload": (RequestKind.UPLOAD_PART, Reset(after_reply=False), ""),
    "reset before completion": (RequestKind.COMPLETE_UPLOAD, Reset(after_reply=False), ""),
    "reset after completion": (RequestKind.COMPLETE_UPLOAD, Reset(after_reply=True), ""),
    "reset after commit": (RequestKind.PUT, Reset(after_reply=True), "_commit_"),
}


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_GracefulFailure("1.0"),
    RQ_ClickHouse_ExportPart_ErrorRecovery_AutomaticCleanup("1.0"),
)
@exports()
@leaves_out(
    "memory and file handles are released", reason="no scenario counts them after a failure"
)
def refused_by_the_store(self):
    """Whatever the store refuses for good, the export fails with its words and leaves nothing; the server
    works, the source is unchanged, and the next export succeeds."""
    with Given("a table of two parts, an S3 table and a log"):
        lake, source, destination = lake_with_tables()
        log = export_log(lake)
        before = contents(source)
        part = part_of(source)
        sql = statement(source, part, destination)

    wrong = {}
    with S3FaultProxy(lake.store.url) as proxy:
        for name, (kind, effect, key) in FATAL.items():
            with When(f"the store refuses the {name}"):
                with proxy.fault(kind, effect, times=None, key=key) as fault:
                    store = behind(lake, proxy)
                    outcome = export_to_place(
                        lake, source, part, destination.name, store=store, log=log
                    )
                assert fault.hits, error()

            with Then("the export has failed and nothing is left"):
                if outcome.status != "failed" or "AccessDenied" not in outcome.error:
                    wrong[name] = f"{outcome.status} {outcome.error}"
                if lake.keys("") or lake.leftovers():
                    wrong[f"{name}, left"] = f"{lake.keys('')} {lake.leftovers()}"
                if contents(destination) or contents(source) != before:
                    wrong[f"{name}, rows"] = "the source or the destination has changed"

    with Then("every one failed in this way"):
        covers(
            "an export keeps no state beyond its own life",
            "an export either succeeds as a whole",
            "a failed export leaves no incomplete",
            "the data of the source is unchanged",
            "its manifest is removed",
            "data already written to the destination is removed",
        )
        assert_no_violations(wrong)

    with Then("the log says which ones failed"):
        covers("its status says that it has failed")
        assert statuses(log, source.node) == [["failed", "running"]] * len(FATAL), error()

    with And("the next export succeeds, and so does another one"):
        covers(
            "the user may issue the statement again",
            "the server keeps working",
            "other exports go on",
            "other exports can be accepted and run",
        )
        assert export(lake, sql).status == "succeeded", error()
        assert (
            export(lake, statement(source, part_of(source, "2"), destination)).status == "succeeded"
        )
        assert contents(destination) == before != [], error()


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_FailureHandling("1.0"))
@exports()
def changes_while_it_runs(self):
    """An export whose part is merged meanwhile, that another one took over from, or that reads fewer rows
    than the part has, fails with the reason and writes nothing; the next one succeeds."""
    with Given("a table and an S3 table"):
        lake, source, destination = lake_with_tables()
        before = contents(source)
        store, path = lake.store.store(), destination.name

    with When("the part is merged before its rows are read"):
        with waiting_export(
            lake, source, part_of(source), path, RequestKind.CREATE_UPLOAD
        ) as running:
            source.node.query(f"OPTIMIZE TABLE {source} PARTITION 1 FINAL")
        merged = running.result(0)[0]

    with Then("the export has failed for that, and nothing is left"):
        assert "changed while it was exported" in merged.error, error()
        assert lake.keys("") == lake.leftovers() == [], error()

    with When("another export takes over, as if this one were dead"):
        part = part_of(source)
        with waiting_export(lake, source, part, path, RequestKind.CREATE_UPLOAD) as running:
            (lock,) = (lake.filename(key) for key in lake.keys("") if "_exporting_" in key)
            other = f"{lock.rpartition('.')[0]}.{int(lock.rpartition('.')[2]) + 1:06}"
            store.put(lake.bucket, other, b"{}")
        taken = running.result(0)[0]

    with Then("the export has failed for that, and only the other one's lock is there"):
        assert "has taken over" in taken.error, error()
        assert [lake.filename(key) for key in lake.keys("")] == [other], error()

    with When("the other one has ended, and fewer rows are read than the part has"):
        store.remove(lake.bucket, [other])
        fewer = export_to_place(lake, source, part, path, settings={"limit": 1})

    with Then("the export has failed for that, and nothing is left"):
        assert "had 10 rows and 1 were read" in fewer.error, error()
        assert lake.keys("") == lake.leftovers() == [], error()

    with When("nothing happens meanwhile"):
        export(lake, statement(source, part, destination))

    with Then("the rows of the part are there, and the source is what it was"):
        assert contents(destination) == contents(source, partition=1) != [], error()
        assert contents(source) == before, error()


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_FailureHandling("1.0"),
    RQ_ClickHouse_ExportPart_NetworkResilience("1.0"),
)
@exports()
def store_that_stumbles(self):
    """A request that fails once is repeated: the export succeeds as a whole, and no row is there twice."""
    with Given("a table and an S3 table for each fault"):
        lake = new_lake()
        source = filled_source(lake)
        part, expected = part_of(source), contents(source, partition=1)

    wrong = {}
    attempted = acknowledged = lost = duplicated = 0
    with S3FaultProxy(lake.store.url) as proxy:
        for name, (kind, effect, key) in PASSING.items():
            with When(f"there is a fault: {name}"):
                destination = s3_table(lake)
                with proxy.fault(kind, effect, key=key) as fault:
                    store = behind(lake, proxy)
                    outcome = export_to_place(lake, source, part, destination.name, store=store)
                assert fault.hits == 1, error()

            with Then("all rows are there once"):
                actual = contents(destination)
                attempted += 1
                acknowledged += outcome.status == "succeeded"
                lost += len(set(expected) - set(actual))
                duplicated += len(actual) - len(set(actual))
                if outcome.status != "succeeded" or actual != expected:
                    wrong[name] = f"{outcome.status} {outcome.error}"

        with Then("no fault made a difference"):
            covers("a request that the store refuses or resets")
            assert_no_violations(wrong)

        with When("the file is overwritten, and every answer to its completion is lost"):
            first, lost_answer = lake.versions(), Reset(after_reply=True)
            with proxy.fault(RequestKind.COMPLETE_UPLOAD, lost_answer, times=None) as fault:
                outcome = export_to_place(
                    lake, source, part, destination.name, store=store, if_exists="overwrite"
                )
            assert fault.hits, error()

        with Then("the export finds that its file is there"):
            covers("an answer of the store that is lost")
            assert (outcome.status, outcome.error) == ("succeeded", ""), error()
            assert contents(destination) == expected, error()
            assert lake.versions() != first, error()

    with Then("everything attempted was acknowledged; nothing is lost, duplicated or left behind"):
        assert (attempted, acknowledged) == (len(PASSING), len(PASSING)), error()
        assert (lost, duplicated, lake.leftovers()) == (0, 0, []), error()
