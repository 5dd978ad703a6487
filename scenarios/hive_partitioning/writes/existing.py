"""Inserts into a partition that has a file already."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates, equivalent
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import RQ_HivePartitioning_Writes_FileExist
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.writes import ACCEPTED, hive_table, insert_values, outcome
from steps.tables import contents

DEVIATIONS = "writes-existing"  # the beginning of their ids

NEEDS = (Capability.OBJECT_STORE,)
SETTINGS = {  # 3 variants
    "by default": None,
    "s3_truncate_on_insert": {"s3_truncate_on_insert": 1},
    "s3_create_new_file_on_insert": {"s3_create_new_file_on_insert": 1},
}
FORMATS = ("CSV", "Parquet")  # 2 variants
# What a second insert makes of a file whose name is given: how it ends, and what is in the files.
NAMED_FILE = {
    "by default": (False, [b"0\n"]),
    "s3_truncate_on_insert": (True, [b"1\n"]),
    "s3_create_new_file_on_insert": (True, [b"0\n", b"1\n"]),
}


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_FileExist("1.0"))
@deviates(
    step="they were added to the file",
    observed=dict.fromkeys(
        (f"{kind}, {cell}" for kind in FORMATS for cell in SETTINGS),
        "the file is as it was, 1 object is added",
    ),
    reason="objects have names that were never used before; each insert makes one in each partition",
    kind="by design",
    severity="wrong refusal or acceptance",
    upstream="https://clickhouse.com/docs/reference/engines/table-engines/integrations/s3",
)
@equivalent(
    mutant="omit[s3_*",
    statement=".hive_",
    reason="neither setting may change anything; the control shows that they work for other tables",
)
def rows_are_appended(self):
    """A second insert adds its rows to the file of the first, which loses none of its own."""
    lake = new_lake()
    files = {}
    for kind in FORMATS:
        with Given(f"a table of the format {kind} with a file in a partition"):
            table = hive_table(lake, format=kind)
            insert_values(table, "(2022, 'USA', 0)")
            (file,) = lake.paths(f"{table.name}/")
            before = lake.content(file)

        for number, (cell, settings) in enumerate(SETTINGS.items(), start=1):
            with When(f"I insert into the same partition ({cell})"):
                others = set(lake.paths(f"{table.name}/"))
                insert_values(table, f"(2022, 'USA', {number})", settings)

            with Then("the rows that were there are there, and so are the new ones"):
                rows = [(2022, "USA", x) for x in range(number + 1)]
                assert contents(table) == rows, error()
                assert others <= set(lake.paths(f"{table.name}/")), error()
                assert file in others and lake.content(file).startswith(before), error()

            new = set(lake.paths(f"{table.name}/")) - others
            if lake.content(file) == before:
                files[f"{kind}, {cell}"] = f"the file is as it was, {len(new)} object is added"

    with And("the same settings change what an insert into a file does whose name is given"):
        acted = {}
        for cell, settings in SETTINGS.items():
            path = f"named/{cell.replace(' ', '_')}"
            file = from_s3(lake, f"{path}.csv", structure="x UInt8", format="CSV")
            lake.node.query(f"INSERT INTO FUNCTION {file} SELECT 0")
            accepted = outcome(lake, f"INSERT INTO FUNCTION {file} SELECT 1", settings) == ACCEPTED
            acted[cell] = (accepted, sorted(lake.content(name) for name in lake.paths(path)))
        assert acted == NAMED_FILE, error()

    with And("they were added to the file"):
        assert_no_violations(files)
