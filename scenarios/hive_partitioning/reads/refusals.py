"""Statements that have to fail: writing to hive columns, and paths that lead nowhere."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_VirtualColumns_InvalidPath,
    RQ_HivePartitioning_VirtualColumns_ReadOnly,
)
from steps.hive_partitioning.queries import from_s3, s3_table
from steps.hive_partitioning.sources import filled_lake, keyed_rows
from steps.refusals import Attempt, attempt

NEEDS = (Capability.OBJECT_STORE,)
NO_SUCH_KEY = "Failed to check existence of a key"
# Attempts to write to the key year, and what 26.9 says about each.
WRITES = {  # 15 variants
    "INSERT INTO {table} (id, year) VALUES (5, 2020)": "code 16: No such column year",
    "INSERT INTO {table} (year) VALUES (2020)": "code 16: No such column year",
    "INSERT INTO {table} (id, year) SELECT 5, 2020": "code 16: No such column year",
    "INSERT INTO {file} (id, year) VALUES (5, 2020)": "code 16: No such column year",
    "INSERT INTO FUNCTION {function} (id, year) VALUES (5, 2020)": "code 16: No such column year",
    "INSERT INTO FUNCTION {new} (id, year) VALUES (5, 2020)": "code 16: No such column year",
    "ALTER TABLE {table} UPDATE year = 1 WHERE 1": "code 48: Table engine s3 doesn't support",
    "ALTER TABLE {file} UPDATE year = 1 WHERE id = 1": "code 48: Table engine s3 doesn't support",
    "UPDATE {table} SET year = 1 WHERE 1": "code 48: Lightweight updates are not",
    "ALTER TABLE {table} DELETE WHERE year = 2020": "code 48: Table engine s3 doesn't support",
    "DELETE FROM {table} WHERE year = 2020": "code 36: DELETE query is not supported",
    "ALTER TABLE {table} DROP COLUMN year": "code 10: Wrong column name",
    "ALTER TABLE {table} CLEAR COLUMN year": "code 10: Wrong column name",
    "ALTER TABLE {table} RENAME COLUMN year TO month": "code 10: Wrong column name",
    "ALTER TABLE {table} MODIFY COLUMN year String": "code 10: Wrong column",
}
# Paths below which there is nothing, or nothing that matches, and what 26.9 says about each.
PATHS = {  # 8 variants
    "nothing/year=2020/data.tsv": "code 499: Failed to get object info",
    "year=1999/country=DE/data.tsv": "code 499: Failed to get object info",
    "month=2020/country=DE/data.tsv": "code 499: Failed to get object info",
    "year/country/data.tsv": "code 499: Failed to get object info",
    "nothing/**.tsv": "no row and no error",
    "year=1999/*/*.tsv": "no row and no error",
    "month=*/country=*/*.tsv": "no row and no error",
    "year=*/country=*/*.csv": "no row and no error",
}


def refusal_of(outcome: Attempt, known: str) -> str:
    """How a statement was refused: as it is known where the message begins like that."""
    text = f"code {outcome.code}: {outcome.message}"
    return known if text.startswith(known) else text


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns_ReadOnly("1.0"))
@deviates(
    step="each is refused with the message of the requirement",
    observed=WRITES,
    reason="26.9 refuses every attempt, each with a message of its own",
    kind="requirement",
    severity="message",
)
@equivalent(
    mutant="omit[s3_truncate_on_insert]",
    statement="year",
    reason="what names the key is refused before anything could be overwritten",
)
def keys_are_read_only(self):
    """No statement writes to a key: each is refused, and objects and rows stay what they were."""
    refusals = {}
    with Given("a table over patterns, one over a file, and functions over the same"):
        lake = filled_lake()
        file = "year=2020/country=DE/data.tsv"
        targets = {
            "table": str(s3_table(lake, "**.tsv")),
            "file": str(s3_table(lake, file)),
            "function": from_s3(lake, file),
            "new": from_s3(lake, "year=2020/country=DE/new.tsv"),
        }
        before = {path: lake.content(path) for path in lake.paths()}
        overwrite = {"s3_truncate_on_insert": 1}

    for statement, known in WRITES.items():
        with When(f"I try: {statement}"):
            outcome = attempt(lake.node, statement.format(**targets), settings=overwrite)
            if outcome.accepted:
                refusals[statement] = "accepted"
            elif NO_SUCH_KEY not in outcome.message:
                refusals[statement] = refusal_of(outcome, known)

    with Then("the objects are what they were"):
        assert {path: lake.content(path) for path in lake.paths()} == before, error()
        assert len(before) == 9, error()

    with And("so are the rows"):
        rows = sorted(lake.node.query(f"SELECT id, year, country FROM {targets['table']}"))
        assert rows == keyed_rows(), error()

    with And("the column of the files can be written"):
        lake.node.query(f"INSERT INTO {targets['file']} (id) VALUES (77)", settings=overwrite)
        rows = lake.node.query(f"SELECT id, year FROM {targets['file']}")
        assert rows == [(77, 2020)], error()

    with And("each is refused with the message of the requirement"):
        assert_no_violations(refusals)


@TestScenario
@Requirements(RQ_HivePartitioning_VirtualColumns_InvalidPath("1.0"))
@deviates(
    step="each is refused with the message of the requirement",
    observed={
        f"{kind}: {path}": text for path, text in PATHS.items() for kind in ("function", "table")
    },
    reason="the message of a missing object is another one in 26.9, and a pattern that matches nothing "
    "is no error",
    kind="by design",
    severity="wrong refusal or acceptance",
    upstream="https://clickhouse.com/docs/operations/settings/settings#s3_throw_on_zero_files_match",
)
def paths_that_lead_nowhere(self):
    """A query of a path where nothing is, or nothing that matches, fails."""
    refusals = {}
    with Given("objects below year=…/country=…, and tables over paths beside them"):
        lake = filled_lake()
        tables = {path: str(s3_table(lake, path)) for path in PATHS}

    with And("a path that leads to one of them"):
        source = from_s3(lake, "year=2020/country=DE/data.tsv")
        assert sorted(lake.node.column(f"SELECT id FROM {source}")) == [1, 101], error()

    for path, known in PATHS.items():
        for kind, of in (("function", from_s3(lake, path)), ("table", tables[path])):
            with When(f"I read {path} through the {kind}"):
                outcome = attempt(lake.node, f"SELECT id FROM {of}")
                if outcome.accepted:
                    rows = lake.node.query(f"SELECT id FROM {of}")
                    refusals[f"{kind}: {path}"] = "rows" if rows else "no row and no error"
                elif NO_SUCH_KEY not in outcome.message:
                    refusals[f"{kind}: {path}"] = refusal_of(outcome, known)

    with Then("the objects beside them are still read"):
        rows = sorted(lake.node.query(f"SELECT id, year, country FROM {from_s3(lake, '**.tsv')}"))
        assert rows == keyed_rows(), error()

    with And("each is refused with the message of the requirement"):
        covers("nothing exists at the path", "the path does not follow the hive pattern")
        assert_no_violations(refusals)
