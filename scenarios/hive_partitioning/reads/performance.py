"""What leaving out files saves: the same query with and without hive partitioning, in one run."""

import json

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from helpers.scenario.marks import equivalent
from requirements.srs045_hive_partitioning import RQ_HivePartitioning_Generic_Performance
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3, query_seconds, reading

NEEDS = (Capability.OBJECT_STORE,)
PARTITIONS, ROWS = 120, 200
ROUNDS = 4
OFF = {"use_hive_partitioning": 0}
STRUCTURE = "id UInt32, day UInt16"


@TestScenario
@Requirements(RQ_HivePartitioning_Generic_Performance("1.0"))
@equivalent(
    mutant="*-value*",
    statement="query_duration_ms",
    reason="the times of several rounds are compared: a millisecond more, or those of two rounds exchanged, "
    "is no other result",
)
def fewer_files_and_less_time(self):
    """Where the files hold the key too, the same query answers the same and reads one file of many."""
    with Given(f"{PARTITIONS} partitions whose files hold the key as a column, too"):
        lake = new_lake(
            objects={
                f"day={day}/data.json": "".join(
                    json.dumps({"id": ROWS * day + number, "day": day}) + "\n"
                    for number in range(ROWS)
                )
                for day in range(PARTITIONS)
            }
        )
        source = from_s3(lake, "day=*/*.json", structure=STRUCTURE, format="JSONEachRow")
        day = this().random.randrange(PARTITIONS)
        query = f"SELECT id, day FROM {source} WHERE day = {day}"
        expected = [(ROWS * day + number, day) for number in range(ROWS)]

    with When("I ask for one partition without hive partitioning and with it, in turns"):
        without, enabled = [], []
        for _ in range(ROUNDS):
            without.append(reading(lake.node, query, OFF))
            enabled.append(reading(lake.node, query))

    with Then("every answer is the rows of the partition"):
        assert all(reading.rows == expected for reading in (*without, *enabled)), error()

    with And("without it every file is read, and with it one"):
        assert {(reading.files, reading.read_rows) for reading in enabled} == {(1, ROWS)}, error()
        every = (PARTITIONS, PARTITIONS * ROWS)
        assert {(reading.files, reading.read_rows) for reading in without} == {every}, error()

    with And("the fastest answer with it is faster than the fastest without it"):
        seconds = [
            min(query_seconds(lake.node, [reading.query_id for reading in readings]))
            for readings in (enabled, without)
        ]
        assert seconds[0] < seconds[1], error()
