"""Paths that contradict themselves or each other, and where a hive column may not stand."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_VirtualColumns_Accessibility_Prewhere,
    RQ_HivePartitioning_VirtualColumns_DuplicateKey,
    RQ_HivePartitioning_VirtualColumns_UnevenKeys,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3, s3_table
from steps.refusals import attempt

NEEDS = (Capability.OBJECT_STORE,)
INCORRECT_DATA, LOGICAL_ERROR = 117, 49


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns_DuplicateKey("1.0"))
def key_twice_in_a_path(self):
    """A path with two values of a key is refused; with the same value twice it has that value."""
    violations = {}
    with Given("paths with a key twice: with different values, and with the same"):
        lake = new_lake(
            objects={
                "two/city=London/city=Paris/data.tsv": "1\n",
                "apart/city=London/zone=1/city=Paris/data.tsv": "1\n",
                "one/city=London/zone=1/city=London/data.tsv": "1\n",
            }
        )

    for folder in ("two", "apart"):
        source = from_s3(lake, f"{folder}/**.tsv")
        for query in (f"SELECT city FROM {source}", f"SELECT id FROM {source}"):
            with When(f"I ask: {query}"):
                outcome = attempt(lake.node, query)
                if outcome.code != INCORRECT_DATA or "partition key city" not in outcome.message:
                    violations[query] = outcome

    with Then("two values are refused"):
        assert_no_violations(violations)

    with And("one is the value of the column"):
        rows = lake.node.query(f"SELECT id, city, zone FROM {from_s3(lake, 'one/**.tsv')}")
        assert rows == [(1, "London", 1)], error()

    with And("without hive partitioning two values are nobody's business"):
        source = from_s3(lake, "two/**.tsv")
        rows = lake.node.query(f"SELECT id FROM {source}", settings={"use_hive_partitioning": 0})
        assert rows == [(1,)], error()


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns_UnevenKeys("1.0"))
@deviates(
    step="it is refused, and not by a logical error",
    observed={
        "selected": "refused with code 49",
        "in a condition": "refused with code 49",
    },
    reason="the keys of one path are taken for those of all; a file without one makes too few columns",
    kind="bug",
    severity="message",
)
def key_in_some_paths(self):
    """A key that only some of the paths have makes a query fail that names it, and no other."""
    violations = {}
    with Given("two objects, of which one has a second key"):
        lake = new_lake(objects={"a=1/b=2/data.tsv": "1\n", "a=3/data.tsv": "2\n"})
        source = from_s3(lake, "**.tsv")

    with When("I name the key that all of them have"):
        rows = sorted(lake.node.query(f"SELECT id, a FROM {source}"))
        assert rows == [(1, 1), (2, 3)], error()

    for name, query in {
        "selected": f"SELECT id, b FROM {source}",
        "in a condition": f"SELECT id FROM {source} WHERE b = 2",
    }.items():
        with When(f"the key that one of them has is {name}"):
            outcome = attempt(lake.node, query)
            if outcome.accepted or outcome.code == LOGICAL_ERROR:
                violations[name] = str(outcome).partition(":")[0]

    with Then("it is refused, and not by a logical error"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns_Accessibility_Prewhere("1.0"))
@deviates(
    step="the key is allowed where the column is",
    observed={"year": "refused with code 182"},
    reason="hive columns are not among the columns that a table supports in PREWHERE",
    kind="requirement",
    severity="wrong refusal or acceptance",
)
def keys_in_prewhere(self):
    """Where PREWHERE is possible, a key may be in it."""
    with Given("a table over Parquet files, for which PREWHERE is possible"):
        lake = new_lake()
        for year in (2020, 2021):
            source = from_s3(lake, f"year={year}/data.parquet", structure="", format="Parquet")
            lake.node.query(f"INSERT INTO FUNCTION {source} SELECT toUInt32({year} + 5) AS id")
        table = s3_table(lake, "**.parquet", format="Parquet")
        rows = sorted(lake.node.query(f"SELECT id, year FROM {table}"))
        assert rows == [(2025, 2020), (2026, 2021)], error()

    with When("I name a column of the files in PREWHERE, and a key"):
        rows = lake.node.query(f"SELECT id, year FROM {table} PREWHERE id = 2026")
        assert rows == [(2026, 2021)], error()
        by_key = f"SELECT id FROM {table} PREWHERE year = 2021"
        outcome = attempt(lake.node, by_key)

    with Then("the key is allowed where the column is"):
        if outcome.accepted:
            assert lake.node.query(by_key) == [(2026,)], error()
        assert_no_violations(
            {} if outcome.accepted else {"year": f"refused with code {outcome.code}"}
        )
