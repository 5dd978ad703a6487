"""What parts have in addition to their rows: projections, skip indexes, statistics, bounds of TTLs."""

from datetime import date, datetime, timedelta

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.client.session import Row
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Secondary,
)
from steps.background_changes import UNTIL_DONE
from steps.partitions import replace_partition
from steps.tables import NO_MERGES, Table, create_table

ROWS = 32
EXPIRED, LASTING = date(2001, 1, 1), date(2090, 1, 1)
# Of each of the four granules of a partition the least and the largest value.
INDEX_BYTES = 4 * 2 * 8
SMALL_GRANULES = {"index_granularity": 4, "min_bytes_for_wide_part": 0, "min_rows_for_wide_part": 0}
SECONDARY = (
    "p UInt64, i UInt64, owner String, d Date, v UInt64 STATISTICS(tdigest, uniq), "
    "INDEX by_value v TYPE minmax GRANULARITY 1, "
    "PROJECTION sums (SELECT owner, sum(v) GROUP BY owner)"
)


def secondary_table(name: str, start: int) -> Table:
    """Rows from this number on, half of which expired long ago, and all that parts can have besides."""
    table = create_table(
        name,
        columns=SECONDARY,
        more="TTL d + INTERVAL 1 YEAR",
        settings={**NO_MERGES, **SMALL_GRANULES},
    )
    table.node.query(
        f"INSERT INTO {table} SELECT 1 + n % 2, n, concat('{table.name} ', toString(n)), "
        f"if(n % 4 < 2, toDate('{EXPIRED}'), toDate('{LASTING}')) + n, 10 * n "
        f"FROM (SELECT {start} + number AS n FROM numbers({ROWS}))"
    )
    table.node.query(f"ALTER TABLE {table} MATERIALIZE STATISTICS ALL", settings=UNTIL_DONE)
    return table


def inserted_rows(table: Table, start: int, partition: int) -> list[Row]:
    """What secondary_table has inserted into a partition."""
    return [
        (
            partition,
            n,
            f"{table.name} {n}",
            (EXPIRED if n % 4 < 2 else LASTING) + timedelta(days=n),
            10 * n,
        )
        for n in range(start, start + ROWS)
        if 1 + n % 2 == partition
    ]


def bounds_of_ttl(rows: list[Row]) -> list[datetime]:
    """When the first and the last of these rows expire."""
    expire = [datetime(row[3].year + 1, row[3].month, row[3].day) for row in rows]
    return [min(expire), max(expire)]


def beside_the_rows(table: Table) -> dict[str, list[Row]]:
    """What system tables tell of partition 1 but for the names of its parts."""
    of = f"active AND database = '{table.database}' AND table = '{table.name}'"
    parts = f"{of} AND partition_id = '1'"
    return {
        "projections": table.node.query(
            f"SELECT name, rows FROM system.projection_parts WHERE {parts} ORDER BY ALL"
        ),
        "indexes and TTL": table.node.query(
            "SELECT secondary_indices_uncompressed_bytes, delete_ttl_info_min, delete_ttl_info_max "
            f"FROM system.parts WHERE {parts} ORDER BY ALL"
        ),
        "statistics": table.node.query(
            "SELECT column, statistics, estimates.min, estimates.max FROM system.parts_columns "
            f"WHERE {parts} AND notEmpty(statistics) ORDER BY ALL"
        ),
    }


def rows_of(table: Table, partition: int) -> list[Row]:
    return table.node.query(f"SELECT * FROM {table} WHERE p = {partition} ORDER BY i")


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_Secondary("1.1"))
def what_parts_have_beside_the_rows(self):
    """Projections, skip indexes, statistics and bounds of TTLs are taken over and serve."""
    with Given("two tables with projections, an index, statistics, and rows that expired"):
        source, destination = secondary_table("source", 1), secondary_table("destination", 1001)
        expected, replaced, others = (
            inserted_rows(source, 1, 1),
            *(inserted_rows(destination, 1001, partition) for partition in (1, 2)),
        )
        assert (rows_of(source, 1), rows_of(destination, 1)) == (expected, replaced), error()
        assert rows_of(destination, 2) == others, error()
        kept = beside_the_rows(source)
        node = destination.node
        assert all(kept.values()), error()
        kinds = {column: kinds for column, kinds, *_ in kept["statistics"]}
        assert {"TDigest", "Uniq"} < set(kinds["v"]), error()
        before = beside_the_rows(destination)
        for rows, shown in ((expected, kept), (replaced, before)):
            assert shown["indexes and TTL"] == [(INDEX_BYTES, *bounds_of_ttl(rows))], error()
        differ = [name for name in kept if before[name] != kept[name]]
        assert differ == ["indexes and TTL", "statistics"], error()
        assert [*map(len, before.values())] == [*map(len, kept.values())], error()

    with When("I replace a partition"):
        replace_partition(destination, source=source, partition=1)

    with Then("it has the rows of the source, and what belongs to them"):
        assert rows_of(destination, 1) == expected, error()
        assert rows_of(destination, 2) == others, error()
        assert beside_the_rows(destination) == kept, error()
        assert beside_the_rows(source) == kept, error()

    with And("a query uses the index: it reads one granule of four"):
        value = expected[0][4]
        sql = f"SELECT * FROM {destination} WHERE _partition_id = '1' AND v = {value}"
        granules = "'Name: by_value.*?Granules: (\\\\d+/\\\\d+)'"
        plan = "arrayStringConcat(groupArray(explain), ' ')"
        explained = f"SELECT extract({plan}, {granules}) FROM (EXPLAIN indexes = 1 {sql})"
        assert node.value(explained) == "1/4", error()
        assert node.query(sql) == [expected[0]], error()

    with And("a query uses the projection"):
        sums = f"SELECT owner, sum(v) FROM {destination} GROUP BY owner ORDER BY owner"
        by_owner = sorted((row[2], row[4]) for row in [*expected, *others])
        assert node.query(sums) == by_owner, error()
        uses = "countIf(explain LIKE '%ReadFromMergeTree (sums)%')"
        assert node.value(f"SELECT {uses} FROM (EXPLAIN {sums})") == 1, error()

    with And("a merge removes the rows that have expired and no others"):
        node.query(f"OPTIMIZE TABLE {destination} PARTITION 1 FINAL")
        lasting = [row for row in expected if row[1] % 4 >= 2]
        assert 0 < len(lasting) < len(expected), error()
        assert rows_of(destination, 1) == lasting, error()
        assert rows_of(destination, 2) == others, error()

    with And("the source has all of them still"):
        assert rows_of(source, 1) == expected, error()
