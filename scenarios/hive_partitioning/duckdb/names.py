"""Partitions without a value and texts with special characters, judged by DuckDB.

DuckDB is imported inside of the scenarios only: it is installed when a scenario needs it.
"""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Interoperation_DuckDB_Names,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.writes import hive_table, insert_values

DEVIATIONS = "duckdb-names"  # the beginning of their ids
NEEDS = (Capability.OBJECT_STORE, Capability.DUCKDB)
MARK = "__HIVE_DEFAULT_PARTITION__"
# Texts, and what DuckDB calls their directories. Other than Spark it tells the empty text from none, and the
# mark as a text from none.
BY_DUCKDB = {  # 21 variants
    None: MARK,
    "": "",
    MARK: "%5F_HIVE_DEFAULT_PARTITION__",
    "NULL": "NULL",
    "plain": "plain",
    "007": "007",
    "a-b_c.d~e": "a-b_c.d~e",
    "a b": "a%20b",
    "日本": "%E6%97%A5%E6%9C%AC",
    "é": "%C3%A9",
    "😀": "%F0%9F%98%80",
    "a+b&c;d,e": "a%2Bb%26c%3Bd%2Ce",
    "a:b": "a%3Ab",
    "a/b": "a%2Fb",
    "a\\b": "a%5Cb",
    "50%": "50%25",
    "a%41b": "a%2541b",
    "a=b": "a%3Db",
    "a#b?c*": "a%23b%3Fc%2A",
    "[x]{y}": "%5Bx%5D%7By%7D",
    "'\"\t": "%27%22%09",
}
READ = "ClickHouse reads what DuckDB wrote"
SAME = "DuckDB reads what was inserted"
# Texts that ClickHouse writes.
BY_CLICKHOUSE = (  # 2 variants
    *("plain", "007", "NULL", "a b", "日本", "😀", "a+b&c;d,e"),
    *("a:b", "50%", "a%41b", "a=b", "a#b", "[x]", MARK),
)


@TestScenario
@Requirements(RQ_HivePartitioning_Interoperation_DuckDB_Names("1.0"))
@deviates(
    step=READ,
    observed={
        repr(text): name
        for text, name in BY_DUCKDB.items()
        if text != name  # 16 variants
    },
    reason="names of directories are taken as they are, the mark of NULL and %XX among them",
    kind="requirement",
    severity="wrong answer",
    no_sql="it takes DuckDB; writes-foreign-names.escaped-characters shows how such names are read",
)
def clickhouse_reads_names_of_duckdb(self):
    """Rows that DuckDB wrote with no value, or with special characters in it, have that value."""
    from steps.hive_partitioning.duckdb_exchange import rows_for_duckdb, write_by_duckdb

    with Given("a row for each text, written by DuckDB into directories that it names"):
        lake = new_lake()
        rows = list(enumerate(BY_DUCKDB))
        written = write_by_duckdb(lake, "texts", "SELECT id, k FROM given", ["k"], rows)
        assert written == sorted(f"k={name}" for name in BY_DUCKDB.values()), error()

    with And("DuckDB reads them as they were"):
        by_duckdb = rows_for_duckdb(lake, "texts", "id, k", {"k": "VARCHAR"}, order_by="id")
        assert by_duckdb == rows, error()

    with When("ClickHouse reads them"):
        source = from_s3(
            lake, "texts/**.parquet", structure="id Int32, k Nullable(String)", format="Parquet"
        )
        found = lake.node.query(f"SELECT id, k FROM {source} ORDER BY id")
        assert [row[0] for row in found] == [number for number, _ in rows], error()

    with Then(READ):
        assert_no_violations(
            {
                repr(text): str(seen)
                for (_, text), (_, seen) in zip(rows, found, strict=True)
                if seen != text
            }
        )


@TestScenario
@Requirements(RQ_HivePartitioning_Interoperation_DuckDB_Names("1.0"))
@deviates(
    step=SAME,
    observed={
        f"'{MARK}'": "[(13, None)]",
        "'a%41b'": "[(9, 'aAb')]",
        "'a=b'": "refused: InvalidInputException",
    },
    reason="names of directories are the texts as they are, of which DuckDB takes %XX for a character, "
    "the mark for NULL, and one with = for no partition",
    kind="requirement",
    severity="wrong answer",
    no_sql="it takes DuckDB; writes-foreign-names.escaped-characters shows how the files are called",
)
def duckdb_reads_names_of_clickhouse(self):
    """Rows that were inserted with special characters in the key have that key for DuckDB."""
    from steps.hive_partitioning.duckdb_exchange import rows_or_refusal

    with Given("a table for each text, with a row of this text"):
        lake = new_lake()
        tables = {
            text: hive_table(lake, columns="k String, x Int32", partition_by="k", format="Parquet")
            for text in BY_CLICKHOUSE
        }
        for number, (text, table) in enumerate(tables.items()):
            insert_values(table, str((text, number)))

    with When("DuckDB reads each of them"):
        found = {
            text: rows_or_refusal(lake, table.name, "x, k", {"k": "VARCHAR"})
            for text, table in tables.items()
        }

    with Then(SAME):
        assert_no_violations(
            {
                repr(text): str(rows)
                for number, (text, rows) in enumerate(found.items())
                if rows != [(number, text)]
            }
        )
