"""The clause PARTITION BY of a table with the strategy hive: required, of columns only, with defaults."""

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
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Writes_DefaultValue,
    RQ_HivePartitioning_Writes_Expressions,
    RQ_HivePartitioning_Writes_MissingColumn,
    RQ_HivePartitioning_Writes_PartitionBy,
)
from steps.hive_partitioning.objects import Lake, new_lake
from steps.hive_partitioning.writes import (
    ACCEPTED,
    hive_outcome,
    hive_table,
    insert_values,
    is_refused,
    not_refused,
    objects,
)
from steps.tables import contents

NEEDS = (Capability.OBJECT_STORE,)
COLUMNS = "year UInt16, month UInt8, day Date, value UInt32, pair Tuple(left UInt8)"


def outcomes(lake: Lake, clauses: tuple[str, ...]) -> dict[str, str]:
    """What becomes of tables with these clauses."""
    return {
        clause or "none": hive_outcome(lake, columns=COLUMNS, partition_by=clause)
        for clause in clauses
    }


def assert_columns_are_accepted(lake: Lake) -> None:
    """The control: with columns in its clause the same table is accepted."""
    accepted = outcomes(lake, ("year", "(year)", "(year, month)", "`year`"))
    assert set(accepted.values()) == {ACCEPTED}, error()


REQUIRED = "36: Partition strategy hive can not be used without a PARTITION BY expression"


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_PartitionBy("1.0"))
def clause_is_required(self):
    """There is no hive-partitioned table without a clause."""
    with Given("a table that is accepted with the clause"):
        lake = new_lake()
        assert_columns_are_accepted(lake)

    with Then("it is refused without, and the error says what is missing"):
        observed = outcomes(lake, ("",))
        assert observed == {"none": REQUIRED}, error()


@TestOutline(Scenario)
@Requirements(RQ_HivePartitioning_Writes_PartitionBy("1.0"))
@Examples("name clause", [("function", "tuple()"), ("parentheses", "()")])
def clause_without_columns(self, name, clause):
    """An empty tuple is a clause: the objects lie right below the path, in no directory."""
    with Given("a table with an empty tuple in its clause"):
        lake = new_lake()
        table = hive_table(lake, columns="year UInt16, value UInt8", partition_by=clause)

    with When("I insert a row"):
        insert_values(table, "(2022, 7)")

    with Then("it is in one object, with all columns, in no directory"):
        assert objects(lake, table.name) == {"": [b"2022,7\n"]}, error()

    with And("it is read"):
        assert contents(table) == [(2022, 7)], error()


EXPRESSIONS = (
    *("toString(year)", "year + 1", "(year, month + 0)", "year % 2", "toYYYYMM(day)", "-year"),
    *("(toString(year), month)", "(year, tuple(month))", "identity(year)", "year::UInt16"),
    *("[year]", "materialize(year)", "(year, month AS m)", "pair.left", "1", "'year'", "rand()"),
)


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_Expressions("1.0"))
def expressions_are_refused(self):
    """Only names of columns may stand in the clause; one expression beside them is enough."""
    with Given("a table that is accepted with columns in its clause"):
        lake = new_lake()
        assert_columns_are_accepted(lake)

    with When("I create it with expressions"):
        observed = outcomes(lake, EXPRESSIONS)

    with Then("each is refused"):
        assert_no_violations(not_refused(observed, ending=" in storage"))

    with And("nothing is in the store"):
        assert lake.paths() == [], error()


# Clauses, and the column that the table does not have.
MISSING = {  # 5 variants
    "country": "country",
    "(year, country)": "country",
    "(country, year)": "country",
    "(year, month, country, day)": "country",
    "YEAR": "YEAR",
}


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_MissingColumn("1.0"))
def missing_columns_are_refused(self):
    """A column that the table does not have is refused, wherever it stands in the clause."""
    with Given("a table that is accepted with columns of its own"):
        lake = new_lake()
        assert_columns_are_accepted(lake)

    with When("I create it with a column that it does not have"):
        observed = outcomes(lake, tuple(MISSING))

    with Then("each is refused as unknown, by its name"):
        assert_no_violations(
            {
                clause: answer
                for (clause, answer), unknown in zip(
                    observed.items(), MISSING.values(), strict=True
                )
                if not is_refused(answer, f"47: Missing columns: '{unknown}'")
            }
        )


DEFAULTS = "year UInt16 DEFAULT 2023, country String DEFAULT 'Unknown', value UInt32"
COMPUTED = "year UInt16 DEFAULT value + 1, country String DEFAULT concat('c', value), value UInt32"
UNDECLARED = "year UInt16, country String, value UInt32"
INSERTS = (
    ("neither given", DEFAULTS, "(value) VALUES (100)", (2023, "Unknown", 100)),
    ("one given", DEFAULTS, "(year, value) VALUES (1999, 100)", (1999, "Unknown", 100)),
    ("the other given", DEFAULTS, "(value, country) SELECT 100, 'Peru'", (2023, "Peru", 100)),
    ("the word DEFAULT", DEFAULTS, "VALUES (DEFAULT, DEFAULT, 100)", (2023, "Unknown", 100)),
    ("both given", DEFAULTS, "VALUES (1, 'x', 100)", (1, "x", 100)),
    ("computed", COMPUTED, "(value) VALUES (100)", (101, "c100", 100)),
    ("of the types", UNDECLARED, "(value) VALUES (100)", (0, "", 100)),
)


@TestOutline(Scenario)
@Requirements(RQ_HivePartitioning_Writes_DefaultValue("1.0"))
@Examples("given columns insert row", INSERTS)
def defaults_name_directories(self, given, columns, insert, row):
    """A column that an insert leaves out has its default, in the path as in the rows."""
    lake = new_lake()
    with Given(f"a table for: {given}"):
        table = hive_table(lake, columns=columns)

    with When("I insert a row"):
        lake.node.query(f"INSERT INTO {table} {insert}")

    with Then("its directory has the values given, and the defaults of the others"):
        year, country, value = row
        expected = {f"year={year}/country={country}": [b"%d\n" % value]}
        assert objects(lake, table.name) == expected, error()

    with And("so has the row"):
        assert contents(table) == [row], error()
