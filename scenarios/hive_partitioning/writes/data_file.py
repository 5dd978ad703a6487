"""The parameter partition_columns_in_data_file, judged by the bytes of the objects."""

from testflows.asserts import error
from testflows.core import (
    And,
    Examples,
    Given,
    Requirements,
    Scenario,
    TestOutline,
    TestScenario,
    Then,
    When,
)

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates, needs
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Writes_PartitionColumnsInDataFile,
    RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWithoutHivePartitionStrategy,
    RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWrongArgument,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.writes import (
    ACCEPTED,
    creation_outcome,
    hive_outcome,
    hive_table,
    insert_values,
    not_refused,
    objects,
    parquet_columns,
)
from steps.tables import contents

DEVIATIONS = "writes-data-file"  # the beginning of their ids

NEEDS = (Capability.OBJECT_STORE,)
ROW = "(2022, 'D', 7)"
DIRECTORY = "year=2022/country=D"
WITHOUT, WITH = b"7\n", b'2022,"D",7\n'
TRUE = ("1", "true", "'true'", "'TRUE'", "'yes'", "'on'", "2", "-1")
FALSE = ("0", "false", "'false'", "'no'", "'off'", "'0'", None)
NO_TRUTH_VALUE = (  # 2 variants
    *("'maybe'", "maybe", "''", "' '", "'tru'", "'truefalse'", "'yes please'", "'1x'", "'Y'"),
    *("NULL", "1.5", "'1.0'", "1e100", "99999999999999999999", "[1]", "(1, 0)"),
)


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_PartitionColumnsInDataFile("1.0"))
def keys_in_the_file_or_not(self):
    """The columns of the clause are in the file if the parameter is true, and only then; the path has
    them in any case."""
    with Given("tables with every way to write true and false, and one that does not say"):
        lake = new_lake()
        expected: dict[str | None, bytes] = dict.fromkeys(TRUE, WITH)
        expected |= dict.fromkeys(FALSE, WITHOUT)
        tables = {
            value: hive_table(lake, partition_columns_in_data_file=value) for value in expected
        }

    with When("I insert the same row into each"):
        for table in tables.values():
            insert_values(table, ROW)

    with Then("the file has the columns, or has them not"):
        covers("true | stand in the files", "false | stand in the path only")
        assert_no_violations(
            {
                str(value): held
                for value, table in tables.items()
                if (held := objects(lake, table.name)) != {DIRECTORY: [expected[value]]}
            }
        )


@TestOutline(Scenario)
@needs(Capability.PYARROW)
@Requirements(RQ_HivePartitioning_Writes_PartitionColumnsInDataFile("1.0"))
@Examples(
    "parameter value columns",
    [("1", "1", ["year", "country", "x"]), ("0", "0", ["x"]), ("by default", None, ["x"])],
)
def keys_in_the_schema_or_not(self, parameter, value, columns):
    """In Parquet the schema of the file tells; a reader finds the values in either case."""
    lake = new_lake()
    with Given(f"a table with the parameter {parameter}"):
        table = hive_table(lake, format="Parquet", partition_columns_in_data_file=value)

    with When("I insert a row"):
        insert_values(table, ROW)

    with Then(f"its file has the columns {columns}"):
        held = objects(lake, table.name)
        assert list(held) == [DIRECTORY] and len(held[DIRECTORY]) == 1, error()
        assert parquet_columns(held[DIRECTORY][0]) == columns, error()

    with And("the table returns all columns"):
        assert contents(table) == [(2022, "D", 7)], error()


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWrongArgument("1.0"))
def senseless_values_are_refused(self):
    """A value that is neither true nor false is refused, and there is no table."""
    with Given("a table that is accepted with 1 and with 0"):
        lake = new_lake()
        for value in ("1", "0"):
            accepted = hive_outcome(lake, partition_columns_in_data_file=value)
            assert accepted == ACCEPTED, error()

    with When("I create it with values that say neither"):
        observed = {
            value: hive_outcome(lake, partition_columns_in_data_file=value)
            for value in NO_TRUTH_VALUE
        }

    with Then("each is refused for its parameter"):
        assert_no_violations(not_refused(observed, ending="partition_columns_in_data_file"))

    with And("nothing is in the store"):
        assert lake.paths() == [], error()


OTHER_STRATEGIES = {  # 3 variants
    "not given": (None, ""),
    "not given, a pattern in the path": (None, "/{_partition_id}"),
    "auto": ("'auto'", ""),
}


@TestScenario
@Requirements(
    RQ_HivePartitioning_Writes_PartitionColumnsInDataFileWithoutHivePartitionStrategy("1.0")
)
@deviates(
    step="it is refused",
    observed={
        "not given, 0": "accepted",
        "not given, 1": "accepted",
        "not given, a pattern in the path, 1": "accepted",
    },
    reason="a table with PARTITION BY and no strategy is written hive-style, and a true value "
    "is accepted by every strategy",
    kind="by design",
    severity="wrong refusal or acceptance",
    upstream="https://clickhouse.com/docs/reference/engines/table-engines/integrations/s3",
)
def parameter_without_the_strategy(self):
    """Without the strategy hive the parameter is refused, be it true or false."""
    with Given("a table that is accepted with the strategy hive and the parameter"):
        lake = new_lake()
        accepted = hive_outcome(lake, partition_columns_in_data_file="1")
        assert accepted == ACCEPTED, error()

    with When("I create it with another strategy, or with none"):
        observed = {
            f"{cell}, {value}": creation_outcome(
                lake,
                filename=f"'{lake.filename(cell.split(',')[0].replace(' ', '_'))}{pattern}'",
                partition_strategy=strategy,
                partition_columns_in_data_file=value,
            )
            for cell, (strategy, pattern) in OTHER_STRATEGIES.items()
            for value in ("1", "0")
        }

    with Then("it is refused"):
        assert_no_violations(not_refused(observed))
