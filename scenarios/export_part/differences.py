"""Where the exporter differs from its requirements: it retries, limits each command, and takes HTTP."""

import time

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.faults.s3_proxy import RequestKind, S3FaultProxy, Status
from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs015_export_part import (
    RQ_ClickHouse_ExportPart_Concurrency,
    RQ_ClickHouse_ExportPart_FailureHandling,
    RQ_ClickHouse_ExportPart_Security,
    RQ_ClickHouse_ExportPart_ServerSettings_MaxBandwidth,
    RQ_ClickHouse_ExportPart_SystemTables_Exports,
)
from scenarios.export_part._marks import exports
from steps.export_part.exports import (
    begin_export,
    behind,
    export_to_place,
    filled_source,
    new_lake,
    part_of,
)
from steps.export_part.kills import ROWS, SECONDS, large_source
from steps.export_part.logs import export_log
from steps.tables import contents

NO_SQL = "upstream servers cannot export a part"
LIMIT = 2_000_000


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_FailureHandling("1.0"))
@exports()
@deviates(
    step="the export has failed for good",
    observed={"a store that is busy once": "succeeded"},
    reason="the exporter repeats a request that a server or the store does not answer, up to four times; "
    "no row is doubled by that",
    no_sql=NO_SQL,
    kind="exporter",
    severity="message",
)
def not_repeated(self):
    """An export that the store does not let succeed at first has failed, and is not repeated."""
    with Given("a table, and a store that is busy once"):
        lake = new_lake()
        source = filled_source(lake)
        part = part_of(source)

    with S3FaultProxy(lake.store.url) as proxy:
        with When("I export a part while the store is busy"):
            with proxy.fault(RequestKind.UPLOAD_PART, Status(), times=None) as fault:
                store = behind(lake, proxy)
                failed = export_to_place(lake, source, part, "busy", store=store)
            assert fault.hits > 1, error()

        with And("while it is busy for a moment"):
            with proxy.fault(RequestKind.UPLOAD_PART, Status()) as fault:
                outcome = export_to_place(lake, source, part, "once", store=store)
            assert fault.hits == 1, error()

    with Then("the one that stays busy makes the export fail, and nothing is left"):
        assert failed.status == "failed" and lake.keys("", path="busy/") == [], error()
        assert lake.leftovers() == [], error()

    with Then("the export has failed for good"):
        covers("it is not repeated by the server")
        assert_no_violations(
            {"a store that is busy once": outcome.status} if outcome.status != "failed" else {}
        )


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_ServerSettings_MaxBandwidth("1.0"))
@exports()
@deviates(
    step="both together keep to the limit",
    observed={"two exports at once": "each has the limit for itself"},
    reason="the exporter is no server: its limit holds for the tasks of one command",
    no_sql=NO_SQL,
    kind="exporter",
    severity="wrong answer",
)
def limit_of_two_exports(self):
    """Two exports at the same time are together no faster than the limit."""
    with Given("two large parts"):
        lake = new_lake()
        sources = [large_source(lake) for _ in range(2)]

    with When("I export both at the same time with one limit each"):
        began = time.monotonic()
        running = [
            begin_export(lake, source, part_of(source), f"limited{number}", bandwidth=LIMIT)
            for number, source in enumerate(sources)
        ]
        outcomes = [outcome for future in running for outcome in future.result(SECONDS)]
        seconds = time.monotonic() - began

    with Then("each keeps to it"):
        assert [outcome.rows for outcome in outcomes] == [ROWS, ROWS], error()
        assert seconds >= max(outcome.size for outcome in outcomes) / LIMIT - 1, error()

    with Then("both together keep to the limit"):
        together = sum(outcome.size for outcome in outcomes) / LIMIT
        assert_no_violations(
            {"two exports at once": "each has the limit for itself"} if seconds < together else {}
        )


@TestScenario
@Requirements(RQ_ClickHouse_ExportPart_Security("1.0"))
@exports()
@deviates(
    step="it is refused",
    observed={"a store without TLS": "accepted"},
    reason="the exporter speaks HTTPS with a store whose URL says so, and HTTP with one whose URL says that",
    no_sql=NO_SQL,
    kind="exporter",
    severity="wrong refusal or acceptance",
)
def store_without_tls(self):
    """An export to a store that is reached by HTTP is refused."""
    with Given("a table, and a store without TLS"):
        lake = new_lake()
        source = filled_source(lake)
        assert lake.store.store().endpoint.startswith("http://"), error()

    with When("I export a part"):
        outcome = export_to_place(lake, source, part_of(source), "place")

    with Then("it is refused"):
        covers("connection to the store")
        assert_no_violations({"a store without TLS": "accepted"} if not outcome.error else {})


@TestScenario
@Requirements(
    RQ_ClickHouse_ExportPart_Concurrency("1.0"),
    RQ_ClickHouse_ExportPart_SystemTables_Exports("1.0"),
)
@exports()
def seen_from_the_beginning(self):
    """An export is accepted at once and runs in the background; while it runs, the table of exports shows its
    progress and its memory."""
    with Given("a large part and a log"):
        lake = new_lake()
        log = export_log(lake)
        source = large_source(lake)
        expected = contents(source)

    with When("I begin an export that takes ten seconds"):
        began = time.monotonic()
        running = begin_export(lake, source, part_of(source), "slow", log=log, bandwidth=1_000_000)
        accepted = time.monotonic() - began

    with Then("it is accepted before it has ended"):
        covers("exports run in the background", "each export has its own progress and state")
        assert not running.done() and accepted < 5, error()

    with And("the table shows how much memory it takes while it runs"):
        covers("`memory_usage`, `peak_memory_usage`")
        shown = f"SELECT memory_usage > 0, peak_memory_usage > 0 FROM {log.database}.exports"
        this().eventually(lambda: lake.node.query(shown), equals=[(1, 1)], timeout=SECONDS)
        assert not running.done(), error()

    with And("how much it took at most afterwards, and none any more"):
        (outcome,) = running.result(SECONDS)
        assert outcome.rows == len(expected) == ROWS, error()
        assert lake.node.query(shown) == [(0, 1)], error()
