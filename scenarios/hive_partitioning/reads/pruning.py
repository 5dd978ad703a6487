"""Which files are read: none of a partition that the conditions on partition keys exclude."""

from testflows.core import Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Generic_Pruning,
    RQ_HivePartitioning_Generic_Pruning_MixedConditions,
)
from steps.hive_partitioning.objects import Lake
from steps.hive_partitioning.pruning import Expected, wrong_readings
from steps.hive_partitioning.queries import from_s3, s3_table
from steps.hive_partitioning.sources import (
    ALL_FILES,
    all_rows,
    filled_lake,
    functions,
    rows_of,
    tables,
)

NEEDS = (Capability.OBJECT_STORE,)
# A condition and the numbers of the files that it leaves; each file has two rows.
ON_KEYS = {  # 31 variants
    "year = 2021": (4, 5, 6),
    "year = 2021 AND country = 'FR'": (5,),
    "country = 'FR'": (2, 5, 8),
    "year = 2021 OR country = 'FR'": (2, 4, 5, 6, 8),
    "year IN (2020, 2022)": (1, 2, 3, 7, 8, 9),
    "year NOT IN (2020)": (4, 5, 6, 7, 8, 9),
    "NOT (year IN (2020, 2021))": (7, 8, 9),
    "(year, country) IN ((2021, 'FR'), (2022, 'US'))": (5, 9),
    "year > 2020 AND year < 2022": (4, 5, 6),
    "year BETWEEN 2021 AND 2022": (4, 5, 6, 7, 8, 9),
    "year > 2020.5": (4, 5, 6, 7, 8, 9),
    "year != 2021": (1, 2, 3, 7, 8, 9),
    "country > 'E' AND country < 'G'": (2, 5, 8),
    "country LIKE 'U%'": (3, 6, 9),
    "match(country, '^F')": (2, 5, 8),
    "lower(country) = 'de'": (1, 4, 7),
    "year % 2 = 0": (1, 2, 3, 7, 8, 9),
    "intDiv(year, 2) = 1010": (1, 2, 3, 4, 5, 6),
    "year + 1 = 2022": (4, 5, 6),
    "concat(country, toString(year)) = 'US2020'": (3,),
    "arrayExists(one -> one = country, ['DE'])": (1, 4, 7),
    "CASE WHEN year = 2021 THEN country = 'DE' ELSE country = 'US' END": (3, 4, 9),
    "toNullable(year) = 2021": (4, 5, 6),
    "toLowCardinality(country) = 'FR'": (2, 5, 8),
    "toString(year) = '2021'": (4, 5, 6),
    "year = '2021'": (4, 5, 6),
    "year IS NOT NULL AND country = 'FR'": (2, 5, 8),
    "year IS NULL": (),
    "year = 1999": (),
    "year = 2021 AND year = 2022": (),
    "year = 2021 AND rand() >= 0": (4, 5, 6),
}
# Conditions on keys with subqueries, which read a row of their own.
ON_SUBQUERIES = {  # 2 variants
    "year IN (SELECT toInt64(2021))": (4, 5, 6),
    "year = (SELECT 2021)": (4, 5, 6),
}
# Conditions that leave rows of other columns open: the files that the keys leave, and the rows of the answer.
WITH_OTHER_COLUMNS = {  # 4 variants
    "year = 2021 AND id = 5": ((4, 5, 6), [(5,)]),
    "year = 2021 AND id > 1000": ((4, 5, 6), []),
    "(year = 2021 AND id = 4) OR (year = 2022 AND id = 9)": ((4, 5, 6, 7, 8, 9), [(4,), (9,)]),
    "year = 2021 AND (id = 4 OR country = 'US')": ((4, 5, 6), [(4,), (6,), (106,)]),
}
# Conditions by which no file can be left out.
EXCLUDE_NOTHING = {  # 7 variants
    "id = 5": [(5,)],
    "year = 2021 OR id = 1": [(1,), *rows_of(4, 5, 6)],
    "NOT (year = 2021 AND id > 99)": sorted(set(all_rows()) - {(104,), (105,), (106,)}),
    "year = id + 2016": [(5,)],
    "length(country) = 2": all_rows(),
    "year > 2000": all_rows(),
    "1": all_rows(),
}
# Conditions that imply one on a key, without having it as a part.
IMPLY_MORE = {  # 3 variants
    "NOT (year = 2021 OR id = 1)": ((1, 2, 3, 7, 8, 9), [*rows_of(2, 3, 7, 8, 9), (101,)]),
    "(year, id) IN ((2021, 4), (2022, 9))": ((4, 5, 6, 7, 8, 9), [(4,), (9,)]),
    "if(year = 2021, id = 4, 0)": ((4, 5, 6), [(4,)]),
}
# Queries whose conditions are not in the WHERE of the innermost one.
SHAPES = (  # 5 variants
    "SELECT id FROM (SELECT id, year FROM {}) WHERE year = 2021",
    "WITH inner AS (SELECT id, year + 1 AS next FROM {}) SELECT id FROM inner WHERE next = 2022",
    "SELECT id FROM {} GROUP BY year, id HAVING year = 2021",
    "SELECT id FROM {} QUALIFY year = 2021",
    "SELECT id FROM {} WHERE year = 2021 ORDER BY country",
)
COLUMNS = (  # 4 variants
    "id UInt32, year UInt16, country LowCardinality(String)",
    "id UInt32, year Nullable(UInt16), country Nullable(String)",
    "id UInt32, year String, country FixedString(2)",
    "id UInt32, country String, year LowCardinality(Nullable(String))",
)


def conditions(lake: Lake, source: str, expected: dict[str, Expected]) -> dict[str, str]:
    """What is wrong with what is read for each of these conditions."""
    queries = {f"SELECT id FROM {source} WHERE {sql}": cell for sql, cell in expected.items()}
    return wrong_readings(lake.node, queries)


@TestScenario
@Requirements(RQ_HivePartitioning_Generic_Pruning("1.0"))
def conditions_on_keys(self):
    """Comparisons, sets, ranges, functions and expressions of keys leave out what they exclude."""
    with Given("a table of the engine S3 over nine partitions"):
        lake = filled_lake()
        table = s3_table(lake, "**.tsv")

    with When("I ask for rows by conditions on keys, and on keys and other columns"):
        expected = {sql: Expected(rows_of(*left), len(left)) for sql, left in ON_KEYS.items()}
        expected |= {
            sql: Expected(rows_of(*left), len(left), other_rows=1)
            for sql, left in ON_SUBQUERIES.items()
        }
        expected |= {
            sql: Expected(rows, len(left)) for sql, (left, rows) in WITH_OTHER_COLUMNS.items()
        }
        violations = conditions(lake, str(table), expected)

    with When("I ask by conditions that exclude no partition"):
        expected = {sql: Expected(rows, ALL_FILES) for sql, rows in EXCLUDE_NOTHING.items()}
        violations |= conditions(lake, str(table), expected)

    with When("the condition is not in the WHERE of the query that reads"):
        queries = {sql.format(table): Expected(rows_of(4, 5, 6), 3) for sql in SHAPES}
        violations |= wrong_readings(lake.node, queries)

    with Then("each answer is right, and exactly the files of the partitions left were read"):
        covers("no file of it is read")
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_Generic_Pruning("1.0"))
def every_source(self):
    """Functions and engines over S3, local files and URLs leave out the same files."""
    violations: dict[str, str] = {}
    with Given("the same files behind each function and engine"):
        lake = filled_lake()
        sources = functions(lake)
        sources |= tables(lake)

    for name, source in sources.items():
        with When(f"I ask {name} by conditions on keys, and by one that excludes nothing"):
            expected = {
                "country = 'FR' AND year IN (2020, 2021)": Expected(rows_of(2, 5), 2),
                "year > 2021": Expected(rows_of(7, 8, 9), 3),
                "id = 5": Expected([(5,)], ALL_FILES),
            }
            found = conditions(lake, source, expected)
            violations |= {f"{name}: {cell}": text for cell, text in found.items()}

    with Then("each answer is right, and exactly the files of the partitions left were read"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_Generic_Pruning("1.0"))
def types_of_keys(self):
    """Declared as other types, nullable or not, keys leave out the same files."""
    violations: dict[str, str] = {}
    with Given("nine partitions"):
        lake = filled_lake()

    for columns in COLUMNS:
        with When(f"I ask a table of the columns {columns}"):
            table = s3_table(lake, "**.tsv", columns=columns)
            expected = {
                "toString(year) = '2021' AND country = 'FR'": Expected(rows_of(5), 1),
                "country != 'US'": Expected(rows_of(1, 2, 4, 5, 7, 8), 6),
                "year IN ('2020', '2022')": Expected(rows_of(1, 2, 3, 7, 8, 9), 6),
            }
            found = conditions(lake, str(table), expected)
            violations |= {f"{columns}: {cell}": text for cell, text in found.items()}

    with When("I ask a function whose path names some of the partitions"):
        source = from_s3(lake, "year={2020,2021}/country=*/*.tsv")
        expected = {"country = 'FR' AND year != 2020": Expected(rows_of(5), 1)}
        violations |= conditions(lake, source, expected)

    with Then("each answer is right, and exactly the files of the partitions left were read"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_Generic_Pruning_MixedConditions("1.0"))
@deviates(
    step="only files of partitions that can have such rows were read",
    observed=dict.fromkeys(IMPLY_MORE, "read 9 files"),
    reason="only conditions that are on keys alone, and joined by AND and OR, leave out files",
    kind="requirement",
    severity="message",
)
def conditions_that_imply_others(self):
    """A condition that excludes a partition without naming it alone leaves out its files."""
    with Given("a table of the engine S3 over nine partitions"):
        lake = filled_lake()
        table = s3_table(lake, "**.tsv")

    with When(
        "I ask by conditions of keys and other columns, below NOT, in a tuple and in a function"
    ):
        queries = {
            f"SELECT id FROM {table} WHERE {sql}": Expected(rows, len(left))
            for sql, (left, rows) in IMPLY_MORE.items()
        }
        violations = wrong_readings(lake.node, queries)

    with Then("only files of partitions that can have such rows were read"):
        assert_no_violations(
            {sql.partition(" WHERE ")[2]: text for sql, text in violations.items()}
        )
