"""Values of partition keys: text, whatever they look like, and the empty one."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_HivePartitionValue,
    RQ_HivePartitioning_HivePartitionValue_EmptyValue,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3, reading, s3_table
from steps.refusals import attempt

NEEDS = (Capability.OBJECT_STORE,)
TEXT = "LowCardinality(String)"
# Values and what the engine makes of them: nothing else than text, or another type.
VALUES = {  # 22 variants
    "London": None,
    "a%20b": None,
    "1e3": None,
    "127.0.0.1": None,
    "12:30:00": None,
    "2024-13-45": None,
    "99999999999999999999": None,
    "__HIVE_DEFAULT_PARTITION__": None,
    "123": "Int64 123",
    "007": "Int64 7",
    "-5": "Int64 -5",
    "+5": "Int64 5",
    "18446744073709551615": "UInt64 18446744073709551615",
    "1.5": "Float64 1.5",
    "nan": "Float64 nan",
    "true": "Bool true",
    "False": "Bool false",
    "2024-01-01": "Date 2024-01-01",
    "2024-01-01T10:00:00": "DateTime 2024-01-01 10:00:00",
    "[1,2]": "Array(Int64) [1,2]",
    "(1)": "Tuple(Int64) (1)",
    "NULL": "Nullable(Nothing) NULL",
}
# Values side by side, of which one looks like another type.
MIXTURES = {  # 4 variants
    "number and text": ("5", "a"),
    "number and fraction": ("1", "1.5"),
    "number and Hive's word for NULL": ("2020", "__HIVE_DEFAULT_PARTITION__"),
    "date and text": ("2024-01-01", "2024-01-01x"),
}


@TestScenario
@Requirements(RQ_HivePartitioning_HivePartitionValue("1.0"))
@deviates(
    step="every value is text",
    observed={
        **{value: text for value, text in VALUES.items() if text},
        **dict.fromkeys(MIXTURES, "refused with code 53"),
    },
    reason="types are inferred from the values of one path, and values that do not fit them are refused",
    kind="requirement",
    severity="wrong answer",
)
def values_are_text(self):
    """Hive columns are LowCardinality(String), with the characters that the path has."""
    violations = {}
    with Given("objects below directories of many values, and mixtures of them"):
        lake = new_lake()
        contents = {f"one/{n}/key={value}/data.tsv": "1\n" for n, value in enumerate(VALUES)}
        for number, values in enumerate(MIXTURES.values()):
            contents |= {f"two/{number}/key={value}/data.tsv": "1\n" for value in values}
        lake.put_all(contents)

    for number, value in enumerate(VALUES):
        with When(f"I read the value {value} and its type"):
            source = from_s3(lake, f"one/{number}/**.tsv")
            rows = lake.node.query(
                f"SELECT toTypeName(key), ifNull(toString(key), 'NULL') FROM {source}"
            )
            if rows != [(TEXT, value)]:
                violations[value] = ", ".join(map(" ".join, rows))

    for number, (name, values) in enumerate(MIXTURES.items()):
        with When(f"I read {name}"):
            query = f"SELECT toString(key) FROM {from_s3(lake, f'two/{number}/**.tsv')}"
            outcome = attempt(lake.node, query)
            if not outcome.accepted:
                violations[name] = f"refused with code {outcome.code}"
            elif sorted(lake.node.column(query)) != sorted(values):
                violations[name] = "other values"

    with Then("every value is text"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_HivePartitionValue_EmptyValue("1.0"))
def empty_value(self):
    """A directory with nothing behind the equals sign has the empty string for a value."""
    with Given("empty values alone, beside text, beside numbers and before another key"):
        lake = new_lake(
            objects={
                "alone/city=/data.tsv": "1\n",
                "text/city=/data.tsv": "1\n",
                "text/city=London/data.tsv": "2\n",
                "numbers/city=/data.tsv": "1\n",
                "numbers/city=5/data.tsv": "2\n",
                "keys/city=/zone=x/data.tsv": "1\n",
            }
        )
        expected = {
            "alone": [(1, "")],
            "text": [(1, ""), (2, "London")],
            "numbers": [(1, ""), (2, "5")],
            "keys": [(1, "")],
        }

    for name, rows in expected.items():
        table = str(s3_table(lake, f"{name}/**.tsv"))
        for source in (from_s3(lake, f"{name}/**.tsv"), table):
            with When(f"I read the key of {name} from {source.partition('(')[0]}"):
                found = sorted(lake.node.query(f"SELECT id, city FROM {source}"))
                by_value = reading(lake.node, f"SELECT id FROM {source} WHERE city = ''")

            with Then("it is the empty string"):
                assert found == rows, error()

            with And("a condition on the empty string finds it, and reads no other file"):
                assert (by_value.rows, by_value.files) == ([(1,)], 1), error()
