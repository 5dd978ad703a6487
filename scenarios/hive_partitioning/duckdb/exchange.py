"""ClickHouse and DuckDB read each other's data sets: values of all types, keys in any order.

DuckDB is imported inside of the scenarios only: it is installed when a scenario needs it.
"""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.context import this
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Interoperation_DuckDB_Reads,
    RQ_HivePartitioning_Interoperation_DuckDB_Writes,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.writes import hive_table

NEEDS = (Capability.OBJECT_STORE, Capability.DUCKDB)
ROWS = 600
COLUMNS = (
    "id UInt32, year UInt16, day Date, city String, small Int8, large Int64, ratio Float64, "
    "amount Decimal(18, 2), name Nullable(String), flag Bool, many Array(Int32), "
    "moment DateTime64(3, 'UTC')"
)
MADE = (
    "SELECT number, 2000 + number % 3, toDate('2024-02-28') + number % 4, "
    "['Köln', 'a b', '007', '東京'][number % 4 + 1], number % 200 - 100, "
    "number * 1000000007 - 5000000000, number / 7, number / 8, "
    "if(number % 7 = 0, NULL, concat('n', number)), number % 2 = 0, range(number % 3), "
    f"toDateTime64('1969-12-31 23:59:59.001', 3, 'UTC') + number * 3600 FROM numbers({ROWS})"
)
# Both write a number with a fraction in their own way, and times in their own types.
PLAIN = "id, year, toString(day), city, small, large, ratio, toString(amount), name, flag, many"
BY_DUCKDB = (
    "id, year, day::VARCHAR, city, small, large, ratio, trim(amount::VARCHAR), name, flag, many, "
    "epoch_ms(moment)"
)
KEYS = {"year": "USMALLINT", "day": "DATE", "city": "VARCHAR"}


@TestScenario
@Requirements(RQ_HivePartitioning_Interoperation_DuckDB_Writes("1.0"))
def duckdb_reads_what_clickhouse_wrote(self):
    """DuckDB finds every row that was inserted, with the values of its directories and of its file."""
    from steps.hive_partitioning.duckdb_exchange import rows_for_duckdb

    with Given(
        "rows in a table, and the same rows in hive-partitioned ones with keys in two orders"
    ):
        lake = new_lake()
        source = f"{this().database}.source"
        lake.node.query(f"CREATE TABLE {source} ({COLUMNS}) ENGINE = MergeTree ORDER BY id")
        lake.node.query(f"INSERT INTO {source} {MADE}")
        expected = lake.node.query(
            f"SELECT {PLAIN.replace('toString(amount)', 'toString(toDecimalString(amount, 2))')}, "
            f"toUnixTimestamp64Milli(moment) FROM {source} ORDER BY id"
        )
        assert len(expected) == ROWS, error()

    for keys in ("year, day, city", "city, year, day"):
        with When(f"a table with the keys {keys} has them"):
            table = hive_table(lake, columns=COLUMNS, partition_by=f"({keys})", format="Parquet")
            lake.node.query(f"INSERT INTO {table} SELECT * FROM {source}")
            directories = {path.rpartition("/")[0] for path in lake.paths(f"{table.name}/")}
            assert len(directories) == 12, error()

        with Then("DuckDB reads the same rows"):
            rows = rows_for_duckdb(lake, table.name, BY_DUCKDB, KEYS, order_by="id")
            assert rows == [tuple(row) for row in expected], error()


IN_DUCKDB = (
    "SELECT i::INTEGER AS id, (2000 + i % 3)::SMALLINT AS year, DATE '2024-02-28' + (i % 4)::INTEGER AS day, "
    "['Koeln', 'Rome', 'Oslo'][i % 3 + 1] AS city, (i % 200 - 100)::TINYINT AS small, "
    "i * 1000000007 - 5000000000 AS large, i / 7.0::DOUBLE AS ratio, (i / 8.0)::DECIMAL(18, 2) AS amount, "
    "CASE WHEN i % 7 = 0 THEN NULL ELSE concat('n', i) END AS name, i % 2 = 0 AS flag, "
    "range(i % 3)::INTEGER[] AS many, TIMESTAMP '1969-12-31 23:59:59.001' + INTERVAL 1 HOUR * i AS moment "
    f"FROM range({ROWS}) r(i)"
)
STRUCTURE = (
    "id Int32, year UInt16, day Date32, city String, small Int8, large Int64, ratio Float64, "
    "amount Decimal(18, 2), name Nullable(String), flag Bool, many Array(Int32), "
    "moment DateTime64(6, 'UTC')"
)


@TestScenario
@Requirements(RQ_HivePartitioning_Interoperation_DuckDB_Reads("1.0"))
def clickhouse_reads_what_duckdb_wrote(self):
    """ClickHouse returns every row that DuckDB wrote, with declared types and with inferred ones."""
    from steps.hive_partitioning.duckdb_exchange import rows_for_duckdb, write_by_duckdb

    for number, by in enumerate((["year", "day", "city"], ["city", "day", "year"])):
        with Given(f"rows that DuckDB wrote by {', '.join(by)}, and reads as they were"):
            lake = new_lake()
            directories = write_by_duckdb(lake, f"set_{number}", IN_DUCKDB, by)
            assert len(directories) == 12, error()
            assert all(name.startswith(f"{by[0]}=") for name in directories), error()
            expected = rows_for_duckdb(lake, f"set_{number}", BY_DUCKDB, KEYS, order_by="id")
            assert len(expected) == ROWS, error()

        with When("ClickHouse reads them, with declared types"):
            path = f"set_{number}/**.parquet"
            columns = PLAIN.replace("toString(amount)", "toString(toDecimalString(amount, 2))")
            select = f"SELECT {columns}, toUnixTimestamp64Milli(moment) FROM"
            declared = from_s3(lake, path, structure=STRUCTURE, format="Parquet")

        with Then("it returns the same rows"):
            rows = lake.node.query(f"{select} {declared} ORDER BY id")
            assert [tuple(row) for row in rows] == expected, error()

        with And("so it does with inferred types"):
            inferred = from_s3(lake, path, structure="", format="Parquet")
            ids = "SELECT id, toUInt16(year), toString(day), city, large FROM"
            some = lake.node.query(f"{ids} {inferred} ORDER BY id")
            assert [tuple(row) for row in some] == [(*row[:4], row[5]) for row in expected], error()

        with And("a condition on the keys returns those rows and no others"):
            where = "WHERE year = 2001 AND city = 'Rome'"
            found = lake.node.column(f"SELECT id FROM {declared} {where} ORDER BY id")
            wanted = [row[0] for row in expected if row[1] == 2001 and row[3] == "Rome"]
            assert found == wanted and len(wanted) > 1, error()
