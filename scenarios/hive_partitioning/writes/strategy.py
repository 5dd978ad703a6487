"""The parameter partition_strategy: what its values do, and which are refused."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Writes_PartitionStrategy,
    RQ_HivePartitioning_Writes_PartitionStrategyWrongArgument,
)
from steps.hive_partitioning.objects import Lake, new_lake
from steps.hive_partitioning.writes import (
    ACCEPTED,
    creation,
    creation_outcome,
    insert_values,
    new_table,
    objects,
    outcome,
)

DEVIATIONS = "writes-strategy"  # the beginning of their ids

NEEDS = (Capability.OBJECT_STORE,)
COLUMNS = "year UInt16, x UInt8"
HIVE_STYLE = "hive-style directories"
PLAIN = "no hive-style directories"


def written(lake: Lake, strategy: str | None, placeholder: str = "") -> str:
    """How a table with this strategy (None: not given) writes, or why it cannot be created."""
    table = new_table(lake)
    filename = f"'{lake.filename(table.name)}{placeholder}'"
    result = outcome(
        lake,
        creation(
            lake,
            table,
            columns=COLUMNS,
            partition_by="year",
            filename=filename,
            partition_strategy=strategy,
        ),
    )
    if result != ACCEPTED:
        return result
    insert_values(table, "(2022, 1), (2023, 2)")
    held = objects(lake, table.name)
    if held == {"year=2022": [b"1\n"], "year=2023": [b"2\n"]}:
        return HIVE_STYLE
    if held == {"": [b"2022,1\n", b"2023,2\n"]}:
        return PLAIN
    return f"objects {held}"


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_PartitionStrategy("1.0"))
@deviates(
    step="nothing else does",
    observed={
        "auto": "36: Partition strategy auto is not supported",
        "not given, no pattern in the path": "hive-style directories",
    },
    reason="the strategies of this build are hive, wildcard and none, and hive is the default for a "
    "path without patterns",
    kind="by design",
    severity="wrong refusal or acceptance",
    upstream="https://clickhouse.com/docs/reference/engines/table-engines/integrations/s3",
)
def strategy_decides(self):
    """'hive' makes directories; 'auto', which is the default, makes none."""
    with Given("a bucket"):
        lake = new_lake()

    with When("I write to tables with each strategy, and to one without any"):
        observed = {
            "hive": written(lake, "'hive'"),
            "auto": written(lake, "'auto'", "/{_partition_id}.csv"),
            "not given": written(lake, None, "/{_partition_id}.csv"),
            "not given, no pattern in the path": written(lake, None),
        }

    with Then("'hive' makes key=value directories"):
        covers("`'hive'` | rows go into")
        assert observed.pop("hive") == HIVE_STYLE, error()

    with And("nothing else does"):
        covers("`'auto'` | no hive-style directories")
        assert_no_violations({cell: text for cell, text in observed.items() if text != PLAIN})


UNKNOWN = "36: Unknown partitioning style"
WRONG = (
    "'wrong'",
    "''",
    "'hive '",
    "'directory'",
    "1",
    "NULL",
    "'none'",
    "'wildcard'",
)  # 8 variants


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_PartitionStrategyWrongArgument("1.0"))
@deviates(
    step="each is refused as an unknown partitioning style",
    observed={
        "''": "36: Partition strategy  is not supported",
        "'directory'": "36: Partition strategy directory is not supported",
        "'hive '": "36: Partition strategy hive  is not supported",
        "'none'": "accepted",
        "'wildcard'": "accepted",
        "'wrong'": "36: Partition strategy wrong is not supported",
        "1": "36: Partition strategy 1 is not supported",
        "NULL": "36: Partition strategy NULL is not supported",
    },
    reason="this build has two more strategies, and other words for what it does not know",
    kind="requirement",
    severity="message",
)
def unknown_strategies_are_refused(self):
    """Every other value is refused, and the error says that there is no such style."""
    with Given("a table that is accepted with the strategy hive"):
        lake = new_lake()
        accepted = creation_outcome(
            lake, columns=COLUMNS, partition_by="year", partition_strategy="'hive'"
        )
        assert accepted == ACCEPTED, error()

    with When("I create it with other values"):
        observed = {}
        for value in WRONG:
            table = new_table(lake)
            pattern = "/{_partition_id}" if value == "'wildcard'" else ""
            observed[value] = creation_outcome(
                lake,
                columns=COLUMNS,
                partition_by="year",
                filename=f"'{lake.filename(table.name)}{pattern}'",
                partition_strategy=value,
            )

    with Then("each is refused as an unknown partitioning style"):
        assert_no_violations(
            {value: answer for value, answer in observed.items() if not answer.startswith(UNKNOWN)}
        )
