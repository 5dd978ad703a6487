"""What a hive-partitioned path is read as: one column for each key=value directory, to be used in queries."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Support,
    RQ_HivePartitioning_VirtualColumns,
    RQ_HivePartitioning_VirtualColumns_Accessibility,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3, s3_table
from steps.hive_partitioning.sources import filled_lake, functions, keyed_rows, tables

NEEDS = (Capability.OBJECT_STORE,)
# The directories of a path, and what they say: keys that a column can be called, values of text.
PATHS = {  # 12 variants
    "city=London": {"city": "London"},
    "CITY=London/city=Paris": {"CITY": "London", "city": "Paris"},
    "zone=x/city=y": {"zone": "x", "city": "y"},
    "plain/city=London/plain": {"city": "London"},
    "a b=x/a-b=y/a.b=z": {"a b": "x", "a-b": "y", "a.b": "z"},
    "größe=straße": {"größe": "straße"},
    "city=a=b": {"city": "a=b"},
    "city=a%20b": {"city": "a%20b"},
    "city=a b+c": {"city": "a b+c"},
    "city=" + "x" * 900: {"city": "x" * 900},
    "city=London/city=London": {"city": "London"},
    "city=__HIVE_DEFAULT_PARTITION__": {"city": "__HIVE_DEFAULT_PARTITION__"},
}
# Queries that use the keys where stored columns may be used, and their answers.
USES = {  # 13 variants
    "SELECT year, country FROM {} WHERE id = 5": [(2021, "FR")],
    "SELECT id FROM {} WHERE year = 2021 AND country = 'FR'": [(5,), (105,)],
    "SELECT year, sum(id) FROM {} GROUP BY year": [(2020, 312), (2021, 330), (2022, 348)],
    "SELECT country FROM {} GROUP BY country HAVING country > 'E'": [("FR",), ("US",)],
    "SELECT id FROM {} ORDER BY year DESC, country, id LIMIT 1": [(7,)],
    "SELECT DISTINCT country FROM {}": [("DE",), ("FR",), ("US",)],
    "SELECT max(year), uniqExact(country), argMax(country, id) FROM {}": [(2022, 3, "US")],
    "SELECT year * 10 + 1 AS next, lower(country) FROM {} WHERE id = 1": [(20201, "de")],
    "SELECT one.id, other.id FROM {0} AS one JOIN {0} AS other "
    "ON one.year = other.year AND one.country = other.country WHERE one.id = 3": [(3, 3), (3, 103)],
    "SELECT id, min(id) OVER (PARTITION BY year) FROM {} WHERE country = 'US' AND id < 100": [
        (3, 3),
        (6, 6),
        (9, 9),
    ],
    "SELECT id FROM {} WHERE (year, country) IN (SELECT 2022, 'DE')": [(7,), (107,)],
    "SELECT min(id) FROM {} GROUP BY year, country HAVING year = 2020": [(1,), (2,), (3,)],
    "SELECT id FROM (SELECT id, year AS y FROM {}) WHERE y = 2020 AND id > 102": [(103,)],
}


@TestScenario
@Requirements(RQ_HivePartitioning_Support("1.0"), RQ_HivePartitioning_VirtualColumns("1.0"))
def keys_are_columns(self):
    """Each key of a path is a column, with the value of the path in every row of the file."""
    with Given("files in directories of two keys, which hold no column of these names"):
        lake = filled_lake()
        sources = functions(lake)
        sources |= tables(lake)

    with When("I name the keys in queries of each function and engine that reads files"):
        rows = {
            name: sorted(lake.node.query(f"SELECT id, year, country FROM {source}"))
            for name, source in sources.items()
        }

    with Then("every row has the values of its path"):
        wrong = {name: seen for name, seen in rows.items() if seen != keyed_rows()}
        assert len(rows) == 6 and not wrong, error()


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns("1.0"))
def names_and_values(self):
    """Keys are exactly what the path calls them, whatever letters they have; so are values of text."""
    violations = {}
    with Given("objects below directories of many names"):
        objects = {f"{n}/{path}/data.tsv": f"{n}\n" for n, path in enumerate(PATHS)}
        lake = new_lake(objects=objects)

    for number, (path, keys) in enumerate(PATHS.items()):
        with When(f"I read the keys of {path[:60]}"):
            columns = ", ".join(f"`{key}`" for key in keys)
            source = from_s3(lake, f"{number}/**.tsv")
            rows = lake.node.query(f"SELECT id, {columns} FROM {source}")
            if rows != [(number, *keys.values())]:
                violations[path] = rows

    with Then("every column has the value of its directory"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns_Accessibility("1.0"))
def used_in_queries(self):
    """Keys are selected, compared, grouped and sorted by, joined and aggregated."""
    violations = {}
    with Given("a function and a table over objects that hold no column of these names"):
        lake = filled_lake()
        sources = {
            "function": from_s3(lake, "year=*/country=*/*.tsv"),
            "table": str(s3_table(lake, "**.tsv")),
        }

    with And("a query that names no key, whose rows lack them"):
        assert lake.node.query(f"SELECT * FROM {sources['table']} WHERE id = 1") == [(1,)], error()

    for name, source in sources.items():
        for query, expected in USES.items():
            with When(f"I ask the {name}: {query}"):
                rows = sorted(lake.node.query(query.format(source)))
                if rows != expected:
                    violations[f"{name}: {query}"] = rows

    with Then("each answer is what the paths say"):
        assert_no_violations(violations)
