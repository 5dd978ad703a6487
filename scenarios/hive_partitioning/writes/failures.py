"""Writes that fail half-way: an exact account of what is left in the store."""

from testflows.asserts import error
from testflows.core import (
    And,
    Examples,
    Requirements,
    Scenario,
    TestOutline,
    TestScenario,
    Then,
    When,
)

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.failures import QueryFailed
from helpers.faults.s3_proxy import Delay, RequestKind, Reset, Status
from helpers.scenario.context import this
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import RQ_HivePartitioning_Writes_WriteFail
from steps.hive_partitioning.faults import (
    MULTIPART,
    SMALL,
    FailedInsert,
    account,
    insert_under,
    proxied_table,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.writes import ACCEPTED, outcome
from steps.sleeping import sleep_each_row

DEVIATIONS = "writes-failures"  # the beginning of their ids

NEEDS = (Capability.OBJECT_STORE,)
DENIED, BROKEN = Status(403, "AccessDenied"), Status(500, "InternalError")
CUT, CUT_AFTER = Reset(after_reply=False), Reset(after_reply=True)
SINGLE = {  # 7 variants
    "1st PUT is denied": FailedInsert(RequestKind.PUT, DENIED, 1),
    "2nd PUT is denied": FailedInsert(RequestKind.PUT, DENIED, 2),
    "3rd PUT is denied": FailedInsert(RequestKind.PUT, DENIED, 3),
    "2nd PUT fails in the store": FailedInsert(RequestKind.PUT, BROKEN, 2),
    "2nd PUT is cut off": FailedInsert(RequestKind.PUT, CUT, 2),
    "2nd PUT is cut off after the store processed it": FailedInsert(RequestKind.PUT, CUT_AFTER, 2),
    "2nd HEAD is denied": FailedInsert(RequestKind.HEAD, DENIED, 2),
}
IN_PARTS = {  # 4 variants
    "1st upload is denied": FailedInsert(RequestKind.CREATE_UPLOAD, DENIED, 1, MULTIPART),
    "1st part is denied": FailedInsert(RequestKind.UPLOAD_PART, DENIED, 1, MULTIPART),
    "2nd completion is denied": FailedInsert(RequestKind.COMPLETE_UPLOAD, DENIED, 2, MULTIPART),
    "2nd completion is cut off after the store processed it": FailedInsert(
        RequestKind.COMPLETE_UPLOAD, CUT_AFTER, 2, MULTIPART
    ),
}
CANCELLED, HELD_SECONDS, ATTEMPTS = 394, 60.0, 12
CANCELLED_QUERIES = "SELECT count() FROM system.processes WHERE is_cancelled"
# Rows come slowly, so that what is to be sent is sent before the query fails.
FAILS_LATE = (
    "SELECT number % 3 + 1, throwIf(number = 60), "
    f"repeat('x', 600000 + {sleep_each_row(0.03, rows_per_block=90)}) FROM numbers(90)"
)
# Rows of numbers() come in blocks of exactly max_block_size.
ROW_BY_ROW = {"max_block_size": 1, "min_insert_block_size_rows": 1}
SLOWLY = sleep_each_row(0.1, rows_per_block=ROW_BY_ROW["max_block_size"])
SLOW = f"SELECT number % 3 + 1, number, toString({SLOWLY}) FROM numbers(600)"
# Rows are not collected before they are formatted, so a part is sent as soon as there is enough for one.
AT_ONCE = {
    **ROW_BY_ROW,
    **MULTIPART,
    "s3_min_upload_part_size": 5 * 2**20,
    "output_format_parallel_formatting": 0,
}


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_WriteFail("1.0"))
@deviates(
    step="nothing is left",
    observed={
        "2nd PUT fails in the store": "1 of 3 objects left",
        "2nd PUT is cut off": "1 of 3 objects left",
        "2nd PUT is cut off after the store processed it": "2 of 3 objects left",
        "2nd PUT is denied": "1 of 3 objects left",
        "2nd completion is cut off after the store processed it": "2 of 3 objects left",
        "2nd completion is denied": "1 of 3 objects left",
        "3rd PUT is denied": "2 of 3 objects left",
    },
    reason="objects are written one after the other, and those that are complete when one fails stay",
    kind="requirement",
    severity="wrong answer",
)
def requests_that_fail(self):
    """One request of an insert fails for good: the insert fails, and nothing of it is in the store."""
    lake = new_lake()
    accounts = {}
    for cell, failing in (*SINGLE.items(), *IN_PARTS.items()):
        with When(f"I insert three partitions, and the {cell}"):
            accounts[cell] = insert_under(lake, failing)

    with Then("every insert is refused"):
        assert [cell for cell, made in accounts.items() if made.answer == ACCEPTED] == [], error()

    with And("what is left was written before the failure, or by the request that was cut off"):
        for cell, made in accounts.items():
            processed = "after the store processed it" in cell
            assert set(made.written) <= set(made.left), error()
            assert len(made.left) == len(made.written) + processed, error()

    with And("nothing is left"):
        assert_no_violations(
            {cell: made.observation for cell, made in accounts.items() if made.observation}
        )


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_WriteFail("1.0"))
@deviates(
    step="nothing is left in the others",
    observed={
        "other directories": "an object is left",
    },
    reason="objects are written one after the other, and those that are complete when one fails stay",
    kind="requirement",
    severity="wrong answer",
    no_sql="it takes a bucket policy; writes-failures.requests-that-fail shows what a failed insert leaves",
)
def one_partition_may_not_be_written(self):
    """A policy denies one of three directories: the other two get nothing either."""
    lake = new_lake()
    left = 0
    for attempt in range(ATTEMPTS):
        with proxied_table(lake) as (proxy, table):
            with When(f"I insert three partitions, one of which is denied ({attempt})"):
                lake.store.deny(lake.bucket, f"{lake.filename(table.name)}/year=2/")
                answer = outcome(lake, f"INSERT INTO {table} {SMALL}")
                lake.store.set_policy(lake.bucket, None)

            with Then("it is refused, and the denied directory is empty"):
                made = account(lake, table, proxy, answer)
                assert made.answer.startswith("499: ") and "year=2/" in made.answer, error()
                assert made.left == made.written and "year=2" not in made.left, error()

            with And("without the policy it is carried out"):
                control = account(lake, table, proxy, outcome(lake, f"INSERT INTO {table} {SMALL}"))
                assert control.answer == ACCEPTED, error()
                assert set(control.left) == {"year=1", "year=2", "year=3"}, error()
        left += bool(made.left)
        # Which partition comes first is up to the server. It is tried until another one did.
        if left:
            break

    with Then("nothing is left in the others"):
        assert_no_violations({"other directories": "an object is left"} if left else {})


@TestOutline(Scenario)
@Requirements(RQ_HivePartitioning_Writes_WriteFail("1.0"))
@Examples(
    "moment settings begun",
    [
        ("before anything is sent", ROW_BY_ROW, RequestKind.HEAD),
        ("after uploads were begun", AT_ONCE, RequestKind.CREATE_UPLOAD),
    ],
)
def source_that_fails(self, moment, settings, begun):
    """The query that an insert takes its rows from fails after some: nothing of them is in the store."""
    lake = new_lake()
    with proxied_table(lake) as (proxy, table):
        with When(f"I insert from a query that fails half-way ({moment})"):
            answer = outcome(lake, f"INSERT INTO {table} {FAILS_LATE}", settings)

        with Then("the insert fails, and has left nothing"):
            made = account(lake, table, proxy, answer)
            assert made.answer.startswith("395: ") and made.observation == "", error()
            assert proxy.of_kind(begun) != [], error()
            assert made.written == (), error()


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_WriteFail("1.0"))
def killed_while_rows_come(self):
    """KILL QUERY ends an insert that is still reading: nothing of it is in the store."""
    lake = new_lake()
    with proxied_table(lake) as (proxy, table):
        with When("I kill an insert that has begun to write its partitions"):
            insert = lake.node.background(f"INSERT INTO {table} {SLOW}", settings=ROW_BY_ROW)
            this().eventually(lambda: len(proxy.of_kind(RequestKind.HEAD)) == 3)
            insert.kill()
            failed = insert.outcome()

        with Then("it was cancelled, and has left nothing"):
            assert isinstance(failed, QueryFailed) and failed.code == CANCELLED, error()
            made = account(lake, table, proxy, "cancelled")
            assert made.observation == "" and made.written == (), error()


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_WriteFail("1.0"))
@deviates(
    step="it has left nothing",
    observed={
        "cancelled": "3 of 3 objects left",
    },
    reason="an insert that has all its rows does not look whether it was killed: it "
    "writes what is missing, and is then answered as cancelled",
    kind="bug",
    severity="wrong answer",
)
def killed_while_objects_are_written(self):
    """KILL QUERY ends an insert between two objects: it is cancelled, and nothing of it is in the store."""
    lake = new_lake()
    with proxied_table(lake) as (proxy, table):
        with When("I kill an insert whose second object is on its way"):
            with proxy.fault(RequestKind.PUT, Delay(HELD_SECONDS), nth=2) as held:
                insert = lake.node.background(f"INSERT INTO {table} {SMALL}")
                this().eventually(lambda: held.hits == 1)
                insert.kill()
                this().eventually(lambda: lake.node.value(CANCELLED_QUERIES) == 1)
            failed = insert.outcome()

        with Then("it was cancelled"):
            assert isinstance(failed, QueryFailed) and failed.code == CANCELLED, error()

        with And("it has left nothing"):
            made = account(lake, table, proxy, "cancelled")
            assert_no_violations({"cancelled": made.observation} if made.observation else {})
