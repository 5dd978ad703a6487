"""The table function hdfs and the engine HDFS over hive-partitioned paths, on a real HDFS."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.failures import QueryFailed
from helpers.scenario.marks import deviates, equivalent, needs, time_limit
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_TableEngines_HDFS,
    RQ_HivePartitioning_TableEngines_HDFS_Inserts,
    RQ_HivePartitioning_TableFunction_HDFS,
)
from steps.hive_partitioning.hdfs import HdfsFolder, filled_hdfs, from_hdfs, hdfs_table
from steps.hive_partitioning.pruning import Expected, wrong_readings
from steps.hive_partitioning.sources import ALL_FILES, all_rows, keyed_rows, path_of, rows_of

DEVIATIONS = "hdfs"  # the beginning of their ids

UNKNOWN_IDENTIFIER = 47
OFF = {"use_hive_partitioning": 0}
KEYS = "id UInt32, year UInt16, country String"
CONDITIONS = {  # 4 variants
    "country = 'US' AND year = 2021": (6,),
    "year IN (2020, 2022) AND country LIKE '%E'": (1, 7),
    "year >= 2021 AND toString(year) != '2022'": (4, 5, 6),
    "year = 2021 OR country = 'FR'": (2, 4, 5, 6, 8),
}
# Paths of tables, and the keys that they name.
TABLES = {  # 3 variants
    "year=*/country=*/*.tsv": "(year, country)",
    "**.tsv": "(country, year)",
    "": "(year, country)",
}
PATTERNS = {  # 5 variants
    "year=*/country=*/*.tsv": tuple(range(1, 10)),
    "**": tuple(range(1, 10)),
    "year=202?/country=U?/data.tsv": (3, 6, 9),
    "year={2020,2022}/country={DE,US}/*": (1, 3, 7, 9),
    "year=202{0..1}/country=FR/*": (2, 5),
}


def conditions_on(source: str) -> dict[str, Expected]:
    """Conditions on keys, which leave out files, and one that leaves out none."""
    queries = {
        f"SELECT id FROM {source} WHERE {sql}": Expected(rows_of(*left), len(left))
        for sql, left in CONDITIONS.items()
    }
    return queries | {f"SELECT id FROM {source} WHERE id = 5": Expected([(5,)], ALL_FILES)}


@TestScenario
@Requirements(
    RQ_HivePartitioning_TableFunction_HDFS("1.0"), RQ_HivePartitioning_TableEngines_HDFS("1.0")
)
@needs(Capability.HDFS)
@time_limit(300)
@equivalent(
    mutant="omit[PARTITION BY]",
    statement=".tsv'",
    reason="a path with patterns has its keys without the clause as well",
)
def function_and_engine(self):
    """Keys are recognised and offered as columns, and files that conditions exclude are not read."""
    with Given("files in directories of two keys, on HDFS"):
        files = filled_hdfs()
        node = files.node

    with When("I read by patterns through the function"):
        source = from_hdfs(files, "year=*/country=*/*.tsv")
        queries = {
            f"SELECT id FROM {from_hdfs(files, path)} WHERE year > 0": Expected(
                rows_of(*left), len(left)
            )
            for path, left in PATTERNS.items()
        }
        violations = wrong_readings(node, queries | conditions_on(source))

    with Then("the function's rows and files are what patterns and conditions leave"):
        covers("prune by the query's conditions")
        assert_no_violations(violations)

    with And("its keys are columns that are not among its own, and unknown without the setting"):
        covers("recognise the partition keys", "offer them as hive columns")
        with_keys = sorted(node.query(f"SELECT id, year, country FROM {source}"))
        assert with_keys == keyed_rows(), error()
        assert sorted(node.query(f"SELECT * FROM {source}")) == all_rows(), error()
        named = f"SELECT id FROM {source} WHERE year = 2021"
        node.fails(named, code=UNKNOWN_IDENTIFIER, text="year", settings=OFF)
        node.fails(f"SELECT region FROM {source}", code=UNKNOWN_IDENTIFIER, text="region")

    with When("I read tables that name the keys in PARTITION BY"):
        queries = {}
        for path, keys in TABLES.items():
            table = hdfs_table(files, path, columns=KEYS, partition_by=keys)
            queries |= conditions_on(str(table))
            queries[f"SELECT id, year, country FROM {table}"] = Expected(keyed_rows(), ALL_FILES)
        violations = wrong_readings(node, queries)

    with Then("their rows have the values of their paths, and conditions leave out the same files"):
        assert_no_violations(violations)

    with And("a table that does not declare the keys has them beside its columns"):
        pattern = "year=*/country=*/*.tsv"
        table = hdfs_table(files, pattern)
        assert sorted(node.query(f"SELECT * FROM {table}")) == all_rows(), error()
        beside = sorted(node.query(f"SELECT *, year, country FROM {table}"))
        assert beside == keyed_rows(), error()
        node.fails(f"SELECT region FROM {table}", code=UNKNOWN_IDENTIFIER, text="region")

    with And("one that was made without the setting has no keys without it"):
        table = hdfs_table(files, pattern, settings=OFF)
        assert sorted(node.query(f"SELECT * FROM {table}", settings=OFF)) == all_rows(), error()
        named = f"SELECT id FROM {table} WHERE year = 2021"
        node.fails(named, code=UNKNOWN_IDENTIFIER, text="year", settings=OFF)


def inserted(files: HdfsFolder, year: int) -> dict[str, str]:
    """What becomes of a row that is inserted through the function, and of one through a table."""
    paths = {kind: path_of(year, kind) for kind in ("function", "engine")}
    targets = {
        "function": f"FUNCTION {from_hdfs(files, paths['function'])}",
        "engine": str(hdfs_table(files, paths["engine"])),
    }
    seen = {}
    for kind, target in targets.items():
        try:
            files.node.query(f"INSERT INTO {target} SELECT {year}")
        except QueryFailed as failed:
            seen[kind] = f"refused with code {failed.code}"
        else:
            rows = files.node.query(f"SELECT id, year FROM {from_hdfs(files, paths[kind])}")
            seen[kind] = f"acknowledged, {rows} read"
    return seen


@TestScenario
@Requirements(RQ_HivePartitioning_TableEngines_HDFS_Inserts("1.0"))
@needs(Capability.HDFS)
@time_limit(300)
@deviates(
    step="both are refused",
    observed=dict.fromkeys(("function", "engine"), "acknowledged, [] read"),
    reason="HDFS gets the last rows when the file is closed, and how that ends is not looked at",
    kind="bug",
    severity="data lost",
    no_sql="it takes an HDFS whose folder has a quota, which Hadoop's own tools set",
)
def rows_that_hdfs_does_not_take(self):
    """An insert fails if HDFS has no space for its rows."""
    with Given("a folder on HDFS"):
        files = filled_hdfs()

    with When("I insert a row into a new directory, by the function and by the engine"):
        control = inserted(files, 2030)

    with And("again after the folder may not take any block"):
        files.close()
        observed = inserted(files, 2031)

    with Then("the first ones are there"):
        expected = dict.fromkeys(("function", "engine"), "acknowledged, [(2030, 2030)] read")
        assert control == expected, error()
        assert sorted(
            files.node.query(f"SELECT * FROM {from_hdfs(files, path_of(2020, '*'))}")
        ) == (rows_of(1, 2, 3)), error()

    with And("both are refused"):
        assert_no_violations(
            {kind: seen for kind, seen in observed.items() if not seen.startswith("refused")}
        )
