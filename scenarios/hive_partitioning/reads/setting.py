"""The setting use_hive_partitioning: on, off, and changed after a table was created."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.session import Session
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_EnableSetting,
    RQ_HivePartitioning_EnableSetting_ExistingTable,
    RQ_HivePartitioning_VirtualColumns_HiveDisabled,
)
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.sources import all_rows, filled_lake, functions, keyed_rows, tables
from steps.refusals import attempt

NEEDS = (Capability.OBJECT_STORE,)
UNKNOWN_IDENTIFIER = 47
OFF, ON = {"use_hive_partitioning": 0}, {"use_hive_partitioning": 1}
OFF_BY_DEFAULT = {
    "hive": "<clickhouse><profiles><default><use_hive_partitioning>0</use_hive_partitioning>"
    "</default></profiles></clickhouse>"
}
KEYED = "SELECT id, year, country FROM {}"
ALL_ROWS = all_rows()
# Every way to use a key; without hive partitioning none has a meaning.
USES = (  # 4 variants
    "SELECT year FROM {}",
    "SELECT id FROM {} WHERE year = 2021",
    "SELECT id FROM {} ORDER BY country",
    "SELECT count() FROM {} GROUP BY year",
)


@TestScenario
@Requirements(
    RQ_HivePartitioning_EnableSetting("1.0"),
    RQ_HivePartitioning_VirtualColumns_HiveDisabled("1.0"),
)
def on_and_off(self):
    """For every function and engine the setting decides whether a path has keys."""
    violations: dict[str, object] = {}
    with Given("files and tables on a node that has it off by default, made with it"):
        lake = filled_lake(name="lake_off", users=OFF_BY_DEFAULT)
        on = functions(lake)
        on |= tables(lake, ON)

    for name, source in on.items():
        with When(f"I ask {name} with the setting on"):
            rows = sorted(lake.node.query(KEYED.format(source), settings=ON))
            if rows != keyed_rows():
                violations[f"{name}, on"] = rows

    with Given("the same on a node that has it on by default, made without it"):
        lake = filled_lake()
        off = functions(lake)
        off |= tables(lake, OFF)

    for name, source in off.items():
        with When(f"I ask {name} with the setting off"):
            rows = sorted(lake.node.query(f"SELECT * FROM {source}", settings=OFF))
            if rows != ALL_ROWS:
                violations[f"{name}, off"] = rows
            for query in USES:
                outcome = attempt(lake.node, query.format(source), settings=OFF)
                if outcome.code != UNKNOWN_IDENTIFIER or "nknown" not in outcome.message:
                    violations[f"{name}, off: {query}"] = outcome

    with Then("with it keys are columns, and without it nothing has their names"):
        assert len(on) == len(off) == 6, error()
        assert_no_violations(violations)


@TestScenario
@Requirements(
    RQ_HivePartitioning_EnableSetting("1.0"),
    RQ_HivePartitioning_VirtualColumns_HiveDisabled("1.0"),
)
def in_a_session(self):
    """SET holds for the session, SETTINGS for one query, and an inferred structure follows them."""
    with Given("a function whose structure is declared, and one whose structure is inferred"):
        lake = filled_lake()
        declared = from_s3(lake, "**.tsv")
        inferred = from_s3(lake, "**.tsv", structure="")

    def described(session: Session, clause: str = "") -> list[str]:
        return [row[0] for row in session.query(f"DESCRIBE {inferred} {clause}")]

    with lake.node.session() as session:
        with When("I switch it off in a session"):
            session.query("SET use_hive_partitioning = 0")

        with Then("the session has no keys, and a query that switches it on has"):
            session.fails(KEYED.format(declared), code=UNKNOWN_IDENTIFIER, text="year")
            assert described(session) == ["c1"], error()
            rows = session.query(f"{KEYED.format(declared)} SETTINGS use_hive_partitioning = 1")
            assert sorted(rows) == keyed_rows(), error()

        with When("I switch it on again"):
            session.query("SET use_hive_partitioning = 1")

        with Then("the session has keys, and a query that switches it off has not"):
            assert sorted(session.query(KEYED.format(declared))) == keyed_rows(), error()
            assert set(described(session)) == {"c1", "year", "country"}, error()
            off = f"{KEYED.format(declared)} SETTINGS use_hive_partitioning = 0"
            session.fails(off, code=UNKNOWN_IDENTIFIER, text="year")

    with And("a new session has it on by default"):
        assert sorted(lake.node.query(KEYED.format(declared))) == keyed_rows(), error()


@TestScenario
@Requirements(RQ_HivePartitioning_EnableSetting_ExistingTable("1.0"))
@deviates(
    step="the query's setting decides",
    observed={
        **{
            f"{name}, created on, queried off": "refused with code 49"
            for name in ("S3", "File", "URL")
        },
        **{
            f"{name}, created off, queried on": "refused with code 47"
            for name in ("S3", "File", "URL")
        },
    },
    reason="a table has the keys that were recognised when it was created; read without the setting, it "
    "fails with a logical error",
    kind="bug",
    severity="wrong refusal or acceptance",
)
def changed_after_creation(self):
    """A table follows the setting of the query, whatever it was when the table was created."""
    violations = {}
    with Given("tables of each engine, created with and without the setting"):
        lake = filled_lake()
        functions(lake)
        off, on = (tables(lake, settings) for settings in (OFF, None))

    with And("each of them can be read as it was created"):
        for name in on:
            assert sorted(lake.node.query(KEYED.format(on[name]))) == keyed_rows(), error()
            rows = sorted(lake.node.query(f"SELECT * FROM {off[name]}", settings=OFF))
            assert rows == ALL_ROWS, error()

    for name in on:
        with When(f"I ask tables of {name} with the other setting"):
            outcome = attempt(lake.node, KEYED.format(on[name]), settings=OFF)
            if outcome.code != UNKNOWN_IDENTIFIER:
                violations[f"{name}, created on, queried off"] = f"refused with code {outcome.code}"
            outcome = attempt(lake.node, KEYED.format(off[name]))
            if not outcome.accepted:
                violations[f"{name}, created off, queried on"] = f"refused with code {outcome.code}"
            elif sorted(lake.node.query(KEYED.format(off[name]))) != keyed_rows():
                violations[f"{name}, created off, queried on"] = "other rows"

    with Then("the query's setting decides"):
        assert_no_violations(violations)
