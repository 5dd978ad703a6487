"""Replaced partitions on tiered storage: the destination's TTL says when they go to the cold volume."""

from functools import partial

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.scenario.context import this
from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TieredStorage,
)
from steps.partitions import replace_partition
from steps.storage import disks_of
from steps.table_parts.part_life import in_background
from steps.tables import NO_MERGES, Table, create_table, definition

DEVIATIONS = "tiered"  # the beginning of their ids
COLD = "rows whose time has come are on the cold volume"
COLUMNS = "p UInt64, i UInt64, time DateTime"
TTL = "TTL time TO VOLUME 'cold'"
# Partitions of the source, and when the time of their rows comes, in seconds from now: rows whose time has
# come are inserted on the cold volume. That of the destination's own partition comes later.
COME, FUTURE, OWN = 1, 2, 3
TIMES = {COME: 2, FUTURE: 600}  # 2 variants
LATER = 4
# Sources with the TTL of the destination, with none, and with one that moves parts later.
SOURCES = {  # 3 variants
    "the same TTL": TTL,
    "no TTL": "",
    "a later TTL": "TTL time + INTERVAL 1 DAY TO VOLUME 'cold'",
}


def tiered_table(name: str, ttl: str) -> Table:
    node = this().node("disks", fragments=("disks", "tidy"))
    settings = {**NO_MERGES, "storage_policy": "tiered"}
    table = create_table(name, node=node, columns=COLUMNS, more=ttl, settings=settings)
    shown = ttl.replace("INTERVAL 1 DAY", "toIntervalDay(1)")
    assert (f" {shown} SETTINGS" if ttl else " i SETTINGS") in definition(table), error()
    if name == "source":
        node.query(f"SYSTEM STOP MOVES {table}")
    return table


def fill_at(table: Table, partition: int, seconds: int) -> None:
    table.node.query(
        f"INSERT INTO {table} SELECT {partition}, cityHash64('{table}', number), now() + {seconds} "
        "FROM numbers(3)"
    )


def disk_of(table: Table, partition: int) -> str:
    (disk,) = disks_of(table)[partition].values()
    return disk


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_TieredStorage("1.0"))
@deviates(
    step=COLD,
    observed={"no TTL": "on the disk one", "a later TTL": "on the disk one"},
    reason="the background goes by the times that are in a part (ttl.txt), which are those of the table that "
    "wrote it: a part of a table without the TTL is never moved, one of another TTL at the wrong time",
    kind="bug",
    severity="wrong answer",
    upstream="https://github.com/ClickHouse/ClickHouse/issues/50610",
)
@equivalent(
    mutant="drop",
    statement="SYSTEM STOP MOVES",
    reason="the partition is replaced before the time of its rows has come",
)
def replaced_partition_goes_to_the_cold_volume(self):
    """Parts whose time has come are moved by the background, whatever TTL their source had."""
    pairs = {}
    for name, ttl in SOURCES.items():
        with Given(f"a source with {name}, on the hot volume, and a destination with a TTL"):
            source, destination = pairs[name] = (
                tiered_table("source", ttl),
                tiered_table("destination", TTL),
            )
            for partition, seconds in TIMES.items():
                fill_at(source, partition, seconds)
            assert {disk_of(source, partition) for partition in TIMES} == {"one"}, error()

    with When("I replace the partitions, and the background moves a part that comes later"):
        for source, destination in pairs.values():
            for partition in TIMES:
                replace_partition(destination, source=source, partition=partition)
            fill_at(destination, OWN, LATER)
            assert disk_of(destination, OWN) == "one", error()
        for _, destination in pairs.values():
            in_background(partial(disk_of, destination, OWN), equals="two")

    violations = {}
    for name, (source, destination) in pairs.items():
        with Then(f"rows whose time comes later are on the hot volume: {name}"):
            assert disk_of(destination, FUTURE) == "one", error()
            if (disk := disk_of(destination, COME)) != "two":
                violations[name] = f"on the disk {disk}"

        with And("all rows are there"):
            count = "SELECT p, count(), sum(cityHash64(*)) FROM {} GROUP BY p ORDER BY p"
            rows = destination.node.query(count.format(destination))
            came = [row for row in rows if row[0] != OWN]
            assert came == source.node.query(count.format(source)), error()

    with Then(COLD):
        assert_no_violations(violations)
