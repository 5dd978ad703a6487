"""Hive columns beside the columns of a table: shown, ignored or unknown."""

import datetime

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_VirtualColumns_Appearance,
    RQ_HivePartitioning_VirtualColumns_NameConflict,
    RQ_HivePartitioning_VirtualColumns_NonExistingKey,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3, s3_table
from steps.hive_partitioning.sources import all_rows, filled_lake, functions, tables
from steps.refusals import attempt

NEEDS = (Capability.OBJECT_STORE,)
UNKNOWN_IDENTIFIER = 47
ALL_ROWS = all_rows()
# The file says 2020-12-31 and its path 2024-01-01.
IN_FILE, IN_PATH = datetime.date(2020, 12, 31), datetime.date(2024, 1, 1)
CONFLICTS = {  # 3 variants
    "JSONEachRow": '{"id": 1, "date": "2020-12-31"}\n',
    "CSVWithNames": "id,date\n1,2020-12-31\n",
    "TSV": "1\t2020-12-31\n",
}


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns_Appearance("1.0"))
def declared_structure(self):
    """Where the structure is declared, SELECT * has its columns and no keys, unless they are named."""
    with Given("functions and tables with a declared structure"):
        lake = filled_lake()
        sources = functions(lake)
        sources |= tables(lake)

    with When("I select everything, and everything with one key"):
        rows = {
            name: sorted(lake.node.query(f"SELECT * FROM {of}")) for name, of in sources.items()
        }
        named = {
            name: sorted(lake.node.query(f"SELECT *, year FROM {of} WHERE id = 5"))
            for name, of in sources.items()
        }
        described = {name: lake.node.query(f"DESCRIBE TABLE {of}") for name, of in sources.items()}

    with Then("the rows have the declared column alone"):
        assert rows == dict.fromkeys(sources, ALL_ROWS) and len(rows) == 6, error()

    with And("a key appears where it is named"):
        assert named == {name: [(5, 2021)] for name in sources}, error()

    with And("the description has no keys"):
        columns = {name: [row[0] for row in lines] for name, lines in described.items()}
        assert columns == {name: ["id"] for name in sources}, error()


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns_Appearance("1.0"))
@deviates(
    when="clickhouse >= 25",
    step="no key is among the columns of SELECT *",
    observed={
        "function": "has country, year",
        "table": "has country, year",
    },
    reason="where the server infers the structure, it takes the keys for columns of the table",
    kind="requirement",
    severity="wrong answer",
)
def inferred_structure(self):
    """Where the server infers the structure, SELECT * has the columns of the files and no keys."""
    violations = {}
    with Given("a function and a table whose structure is inferred"):
        lake = filled_lake()
        sources = {
            "function": from_s3(lake, "**.tsv", structure=""),
            "table": str(s3_table(lake, "**.tsv", columns="")),
        }

    for name, source in sources.items():
        with When(f"I select everything from the {name}"):
            rows = lake.node.query(f"SELECT * FROM {source}")
            assert sorted((row[0],) for row in rows) == ALL_ROWS, error()
            columns = [
                row[0] for row in lake.node.query(f"DESCRIBE TABLE (SELECT * FROM {source})")
            ]
            assert columns[0] == "c1" and len(columns) == len(rows[0]), error()
            keys = sorted(set(columns) & {"year", "country"})
            if keys:
                violations[name] = f"has {', '.join(keys)}"

    with Then("no key is among the columns of SELECT *"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns_NameConflict("1.0"))
@deviates(
    when="clickhouse >= 25",
    step="the column has the value of the file, and conditions on it too",
    observed={
        **{
            f"{format} {kind}: {query}": text
            for format in ("JSONEachRow", "CSVWithNames")
            for kind in ("function", "table")
            for query, text in (
                ("date", "2024-01-01"),
                ("date of the file", "no row"),
                ("date of the path", "2024-01-01"),
            )
        },
        **{
            f"TSV {kind}: {query}": text
            for kind in ("function", "table")
            for query, text in (
                ("date", "refused with code 27"),
                ("date of the file", "no row"),
                ("date of the path", "refused with code 27"),
            )
        },
        **{
            f"Parquet {kind}: {query}": text
            for kind in ("function", "table")
            for query, text in (("date", "2024-01-01"), ("date of the file", "no row"))
        },
    },
    reason="a key of the path replaces the column of its name, which then is not read from the file",
    kind="requirement",
    severity="wrong answer",
)
def same_name_as_a_column(self):
    """A key that is called as a column of the table is ignored: the file's value is the column's."""
    violations = {}
    with Given("objects that hold another date than their paths"):
        lake = new_lake(
            objects={
                f"{name}/date={IN_PATH}/data.txt": content for name, content in CONFLICTS.items()
            }
        )

    queries = {
        "date": ("SELECT date FROM {} WHERE id = 1", [(IN_FILE,)]),
        "date of the file": (
            f"SELECT date FROM {{}} WHERE id = 1 AND date = '{IN_FILE}'",
            [(IN_FILE,)],
        ),
        "date of the path": (f"SELECT date FROM {{}} WHERE id = 1 AND date = '{IN_PATH}'", []),
    }
    with And("a Parquet file, which knows the least and the greatest value of its columns"):
        columns = "id UInt32, date Date"
        file = from_s3(
            lake, f"Parquet/date={IN_PATH}/data.txt", structure=columns, format="Parquet"
        )
        lake.node.query(f"INSERT INTO FUNCTION {file} SELECT 1, toDate('{IN_FILE}')")

    for format in (*CONFLICTS, "Parquet"):
        source = from_s3(lake, f"{format}/**.txt", structure=columns, format=format)
        table = s3_table(lake, f"{format}/**.txt", columns=columns, format=format)
        with When(f"I read the column from {format} files, without hive partitioning"):
            rows = lake.node.query(
                f"SELECT id, date FROM {source}", settings={"use_hive_partitioning": 0}
            )
            assert rows == [(1, IN_FILE)], error()

        for kind, of in (("function", source), ("table", str(table))):
            with When(f"I read it from the {kind} with hive partitioning"):
                for name, (query, expected) in queries.items():
                    outcome = attempt(lake.node, query.format(of))
                    if not outcome.accepted:
                        violations[f"{format} {kind}: {name}"] = f"refused with code {outcome.code}"
                        continue
                    found = lake.node.query(query.format(of))
                    if found != expected:
                        seen = ", ".join(str(row[0]) for row in found) or "no row"
                        violations[f"{format} {kind}: {name}"] = seen

    with Then("the column has the value of the file, and conditions on it too"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns_NonExistingKey("1.0"))
def unknown_key(self):
    """A key that neither the paths nor the table have is an unknown identifier, wherever it is named."""
    violations = {}
    with Given("functions and tables over directories of the keys year and country"):
        lake = filled_lake()
        sources = functions(lake)
        sources |= tables(lake)

    for name, source in sources.items():
        with When(f"I name keys that {name} does not have, and one that it has"):
            for key in ("region", "YEAR", "yea", "data"):
                for query in ("SELECT {} FROM {}", "SELECT id FROM {1} WHERE {0} = '1'"):
                    outcome = attempt(lake.node, query.format(key, source))
                    if outcome.code != UNKNOWN_IDENTIFIER or f"`{key}`" not in outcome.message:
                        violations[f"{name}: {query.format(key, name)}"] = outcome
            rows = lake.node.query(f"SELECT year FROM {source} WHERE id = 5")
            assert rows == [(2021,)], error()

    with Then("each is refused as unknown"):
        assert_no_violations(violations)
