"""What may follow PARTITION: constants of every type of key, tuples, ids and parameters; and what not."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import needs
from helpers.scenario.violations import assert_no_violations
from requirements.srs032_replace_partition import (
    RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionExpression,
)
from steps.partitions import replacing
from steps.refusals import Refusal, attempt, wrong_refusals
from steps.replace_partition.partition_keys import KEYS, keyed_rows, keyed_table, partition_ids
from steps.tables import contents, one_part_pair

SYNTAX_ERROR, TYPE_MISMATCH, TOO_LARGE = 62, 53, 69
INVALID_PARTITION_VALUE, SUPPORT_IS_DISABLED = 248, 344
REFUSED = {  # 13 variants
    "ALL": (SUPPORT_IS_DISABLED, "PARTITION ALL"),
    "3 - 2": (SYNTAX_ERROR, "Syntax error"),
    "toUInt64(1)": (SYNTAX_ERROR, "Syntax error"),
    "p": (SYNTAX_ERROR, "Syntax error"),
    "(SELECT 1)": (SYNTAX_ERROR, "Syntax error"),
    "": (SYNTAX_ERROR, "Syntax error"),
    "ID 1": (SYNTAX_ERROR, "string literal"),
    "ID ''": (INVALID_PARTITION_VALUE, "Partition id is empty"),
    "(1, 2)": (INVALID_PARTITION_VALUE, "Wrong number of fields in the partition expression: 2"),
    "tuple()": (INVALID_PARTITION_VALUE, "Wrong number of fields in the partition expression: 0"),
    "'one'": (TYPE_MISMATCH, "'one' to type UInt64"),
    "NULL": (TYPE_MISMATCH, "NULL to UInt64"),
    "-1": (TOO_LARGE, "'-1'"),
}


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionExpression("1.0"))
def keys_of_every_type(self):
    """Each way to write a constant names one partition, and this one is replaced."""
    violations = {}
    for key in KEYS:
        with Given(f"a source with PARTITION BY {key.key} of {key.columns}"):
            source = keyed_table("source", key)
            taken = keyed_rows(source)

        for expression, number in key.names.items():
            with When(f"I replace PARTITION {expression[:40]}"):
                destination = keyed_table("destination", key)
                rows = keyed_rows(destination)
                expected = [*rows[:number], taken[number], *rows[number + 1 :]]
                outcome = attempt(destination.node, replacing(destination, source, expression))
                actual = keyed_rows(destination)
                if not outcome.accepted or actual != expected:
                    violations[f"{key.columns}: {expression}"] = f"{outcome}, {actual}"

        with And("each of its partitions by its id"):
            ids = partition_ids(source)
            assert len(set(ids)) == len(key.values), error()
            destination = keyed_table("destination", key)
            for partition_id in ids:
                destination.node.query(replacing(destination, source, f"ID '{partition_id}'"))
            if keyed_rows(destination) != taken:
                violations[f"{key.columns}: by id"] = str(keyed_rows(destination))

    with Then("exactly the named partitions were replaced"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionExpression("1.0"))
def query_parameters(self):
    """A parameter of the query stands for the constant, and for the id."""
    with Given("two tables with different rows in three partitions"):
        source, destination = one_part_pair(partitions=3)
        kept = contents(destination, partition=3)

    with When("I replace one partition by a parameter, and another one by its id as a parameter"):
        node = destination.node
        node.http(replacing(destination, source, "{number:UInt64}"), param_number=1)
        node.http(replacing(destination, source, "ID {text:String}"), param_text="2")

    with Then("these two are the source's, and the third is not"):
        taken = contents(source, partition=1) + contents(source, partition=2)
        assert contents(destination) == taken + kept, error()


@TestScenario
@Requirements(RQ_SRS_032_ClickHouse_Alter_Table_ReplacePartition_PartitionExpression("1.0"))
@needs(Capability.MESSAGES_OF_TODAY)
def expressions_that_name_no_partition(self):
    """What is no constant, does not fit the key, or means them all is refused, and nothing is lost."""
    with Given("two tables with different rows"):
        source, destination = one_part_pair(partitions=2)

    with When("I name the partition by each of the expressions"):
        refusals = {
            expression: Refusal(replacing(destination, source, expression), *refused)
            for expression, refused in REFUSED.items()
        }
        violations = wrong_refusals(destination, refusals)

    with Then("every one is refused and the destination kept"):
        assert_no_violations(violations)

    with And("the same statement with the partition itself is taken"):
        kept = contents(destination, partition=2)
        destination.node.query(replacing(destination, source, 1))
        assert contents(destination) == contents(source, partition=1) + kept, error()
