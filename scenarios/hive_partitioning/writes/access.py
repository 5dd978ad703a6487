"""Buckets that may not be written: the error of an insert, and that nothing is written."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.recording import literal
from helpers.cluster.processes.ports import LOOPBACK
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Writes_NonAccessibleBucket,
    RQ_HivePartitioning_Writes_ReadOnlyBucket,
)
from steps.hive_partitioning.objects import (
    NO_ACCESS_COLLECTION,
    READ_ONLY_COLLECTION,
    Lake,
    new_lake,
)
from steps.hive_partitioning.writes import (
    ONE_ATTEMPT,
    hive_table,
    insert_values,
    insertion,
    objects,
    outcome,
)
from steps.tables import Table, contents

DEVIATIONS = "writes-access"  # the beginning of their ids

NEEDS = (Capability.OBJECT_STORE,)
ROW = "(2022, 'USA', 1)"
EXISTENCE = "499: Failed to check existence of key "
BEFORE = {"year=2021/country=USA": [b"9\n"]}
ADDED = {"year=2022/country=USA": [b"1\n"]}
# A port below those that any service of the run gets: nothing listens there.
NOBODY = f"http://{LOOPBACK}:1/hive/x"


def table_with_a_row(lake: Lake) -> Table:
    """A table that can be written, with one row, as the store and the server show."""
    table = hive_table(lake)
    insert_values(table, "(2021, 'USA', 9)")
    assert objects(lake, table.name) == BEFORE, error()
    return table


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_ReadOnlyBucket("1.0"))
@deviates(
    step="the error is about the existence of a key",
    observed={
        "read-only credentials": "499: Message: Access Denied., bucket hive, "
        "key <folder>/<table>/year=2022/country=USA/<id>.csv, object size 2",
    },
    reason="credentials that may read may check for a key; it is the upload that is denied",
    kind="requirement",
    severity="message",
)
def bucket_may_only_be_read(self):
    """Who may only read gets all rows that are there, and adds none."""
    with Given(
        "a table with a row, and another one over its objects whose credentials may only read"
    ):
        lake = new_lake()
        writable = table_with_a_row(lake)
        filename = literal(lake.filename(writable.name))
        readable = hive_table(
            lake, collection=READ_ONLY_COLLECTION, filename=filename, settings=ONE_ATTEMPT
        )
        assert contents(readable) == [(2021, "USA", 9)], error()

    with When("I insert into it"):
        observed = outcome(lake, insertion(readable, ROW))

    with Then("it is refused, and the store has what it had"):
        assert observed.startswith("499: "), error()
        assert objects(lake, writable.name) == BEFORE, error()
        assert contents(readable) == [(2021, "USA", 9)], error()

    with And("with credentials that may write it is not refused"):
        insert_values(writable, ROW)
        assert objects(lake, writable.name) == {**BEFORE, **ADDED}, error()

    with And("the error is about the existence of a key"):
        assert_no_violations(
            {} if observed.startswith(EXISTENCE) else {"read-only credentials": observed}
        )


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_NonAccessibleBucket("1.0"))
@deviates(
    step="the errors are about the existence of a key",
    observed={
        "no bucket": "499: Message: The specified bucket does not exist, bucket no-such-bucket, "
        "key <table>/year=2022/country=USA/<id>.csv, object size 2",
    },
    reason="a key in a bucket that does not exist is taken for one that is free; it is the upload that fails",
    kind="requirement",
    severity="message",
)
def bucket_cannot_be_reached(self):
    """Without rights, without such a key, without a bucket or without a store: nothing is written."""
    with Given("a table with a row"):
        lake = new_lake()
        writable = table_with_a_row(lake)

    with When("I insert into tables that cannot reach its bucket"):
        missing = literal(f"{lake.store.url}/no-such-bucket/{writable.name}")
        filename = literal(lake.filename(writable.name))
        wrong = {"access_key_id": "'nobody'", "secret_access_key": "'nothing'"}
        tables = {
            "no rights": hive_table(
                lake, collection=NO_ACCESS_COLLECTION, filename=filename, settings=ONE_ATTEMPT
            ),
            "unknown credentials": hive_table(
                lake, filename=filename, settings=ONE_ATTEMPT, **wrong
            ),
            "no store": hive_table(lake, url=literal(NOBODY), filename=None, settings=ONE_ATTEMPT),
            "no bucket": hive_table(lake, url=missing, filename=None, settings=ONE_ATTEMPT),
        }
        observed = {cell: outcome(lake, insertion(table, ROW)) for cell, table in tables.items()}

    with Then("each is refused, and the store has what it had"):
        accepted = [cell for cell, answer in observed.items() if not answer.startswith("499: ")]
        assert accepted == [], error()
        assert objects(lake, writable.name) == BEFORE, error()

    with And("the table that can reach it is written as ever"):
        insert_values(writable, ROW)
        assert objects(lake, writable.name) == {**BEFORE, **ADDED}, error()

    with And("the errors are about the existence of a key"):
        assert_no_violations(
            {cell: answer for cell, answer in observed.items() if not answer.startswith(EXISTENCE)}
        )
