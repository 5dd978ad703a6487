"""Values of keys that pruning, inference and conversion may take for others."""

from collections.abc import Mapping
from typing import NamedTuple

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.session import Row
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_HivePartitionValue_InferredFromAll,
    RQ_HivePartitioning_HivePartitionValue_OutOfRange,
    RQ_HivePartitioning_HivePartitionValue_PrunedAsRead,
)
from steps.hive_partitioning.objects import Lake, new_lake
from steps.hive_partitioning.queries import from_s3

DEVIATIONS = "key-values"  # the beginning of their ids

NEEDS = (Capability.OBJECT_STORE,)


def lake_of(folders: Mapping[str, tuple[str, ...]]) -> Lake:
    """An object for each value, in a folder for each name; it holds the number of the value."""
    return new_lake(
        objects={
            f"{folder}/k={value}/a.tsv": f"{number}\n"
            for folder, values in folders.items()
            for number, value in enumerate(values)
        }
    )


def answer(lake: Lake, sql: str) -> list[Row] | QueryFailed:
    """The rows of a query, sorted, or how it was refused."""
    try:
        return sorted(lake.node.query(sql))
    except QueryFailed as refused:
        return refused


TEXTS, FLOATS = ("NULL", "null", "a"), ("0.0", "-0.0", "nan", "1")
# Types of the key, its values, and conditions that are true for some of them.
PRUNED = {  # 5 variants
    "String": (TEXTS, ("k = 'NULL'", "k != 'a'", "k LIKE 'n%'")),
    "Nullable(String)": (TEXTS, ("k = 'NULL'", "k != 'a'", "k LIKE 'n%'")),
    "LowCardinality(Nullable(String))": (TEXTS, ("k = 'NULL'", "k != 'a'", "k LIKE 'n%'")),
    "Float64": (FLOATS, ("k = 0", "k != 1", "k IN (0.0)", "NOT k <= 5", "isNaN(k)")),
    "Nullable(UInt8)": (("1", "2", "30"), ("k = 1", "k != 1", "k > 1")),
}
FOUND = "the same files are found by a condition and by a look at all of them"


@TestScenario
@Requirements(RQ_HivePartitioning_HivePartitionValue_PrunedAsRead("1.0"))
@deviates(
    step=FOUND,
    observed={
        f"{type_}, {condition}": f"without {values}"
        for type_ in ("Nullable(String)", "LowCardinality(Nullable(String))")
        for condition, values in (
            ("k = 'NULL'", "NULL"),
            ("k != 'a'", "NULL, null"),
            ("k LIKE 'n%'", "null"),
        )
    },
    reason="a file is left out as if its key had no value, while a read of it returns the text",
    kind="bug",
    severity="wrong answer",
)
def files_are_left_out_as_they_are_read(self):
    """A condition finds the rows whose key, when it is read, makes it true."""
    violations: dict[str, object] = {}
    with Given("objects with a key for each type"):
        lake = lake_of({str(n): values for n, (values, _) in enumerate(PRUNED.values())})

    for number, (type_, (values, conditions)) in enumerate(PRUNED.items()):
        source = from_s3(lake, f"{number}/**.tsv", structure=f"id UInt8, k {type_}")
        for condition in conditions:
            with When(f"I read the keys as {type_} with the condition {condition}"):
                looked = lake.node.query(f"SELECT id, ({condition}) = 1 FROM {source}")
                expected = sorted(number for number, is_true in looked if is_true == 1)
                assert sorted(row[0] for row in looked) == [*range(len(values))], error()
                assert 0 < len(expected) < len(values), error()
                found = sorted(lake.node.column(f"SELECT id FROM {source} WHERE {condition}"))
                if found != expected:
                    missing = ", ".join(values[n] for n in expected if n not in found)
                    violations[f"{type_}, {condition}"] = f"without {missing}"

    with Then(FOUND):
        assert_no_violations(violations)


# Values of which the first decides the type.
INFERRED = {  # 5 variants
    "NULL": ("NULL", "a"),
    "null": ("null", "x"),
    "numbers": ("1", "20"),
    "mixture": ("1", "a"),
    "dates": ("2024-01-01", "2030-01-01"),
}
TYPE_MISMATCH = 53
AS_IN_PATH = "each key has the value of its path, or the query is refused"


@TestScenario
@Requirements(RQ_HivePartitioning_HivePartitionValue_InferredFromAll("1.0"))
@deviates(
    step=AS_IN_PATH,
    observed={"NULL": "no value for a", "null": "no value for x"},
    reason="the type is inferred from one path; from the text NULL it is one that only has NULL, and "
    "the keys of all other files are lost",
    kind="bug",
    severity="wrong answer",
)
def inferred_type_fits_all_values(self):
    """Where the server infers the type of a key, no file's value becomes another one."""
    violations: dict[str, object] = {}
    with Given("objects with different values of a key"):
        lake = lake_of(INFERRED)

    for name, values in INFERRED.items():
        with When(f"I read the keys: {name}"):
            sql = f"SELECT id, toString(k) FROM {from_s3(lake, f'{name}/**.tsv', structure='id UInt8')}"
            read = answer(lake, sql)
            if isinstance(read, QueryFailed):
                assert read.code == TYPE_MISMATCH, read
            elif read != list(enumerate(values)):
                (first, *others) = read
                assert len(read) == len(values) and first[1] in (values[0], None), error()
                violations[name] = ", ".join(
                    f"{seen or 'no value'} for {values[number]}" for number, seen in others
                )

    with Then(AS_IN_PATH):
        assert_no_violations(violations)


class TooLarge(NamedTuple):
    """A type, the largest value that it holds, one that it does not, and what is done with that."""

    type: str
    largest: str
    too_large: str
    observed: str = ""


OUT_OF_RANGE = (  # 5 variants
    TooLarge(
        "UInt64", "18446744073709551615", "99999999999999999999", "read as 7766279631452241919"
    ),
    TooLarge("Int64", "9223372036854775807", "9223372036854775808", "read as -9223372036854775808"),
    TooLarge("Date", "2149-06-06", "2200-01-01", "read as 2149-06-06"),
    TooLarge("UInt8", "255", "256", "refused without a name: Bad get: has Null, requested UInt64"),
    TooLarge("Int8", "127", "300", "refused without a name: Bad get: has Null, requested Int64"),
)
NAMED = "a value that is too large is refused by an error that names it"


@TestScenario
@Requirements(RQ_HivePartitioning_HivePartitionValue_OutOfRange("1.0"))
@deviates(
    step=NAMED,
    observed={case.type: case.observed for case in OUT_OF_RANGE},
    reason="64-bit numbers overflow and dates end at the last one, without an error; smaller numbers become "
    "NULL, which the column cannot hold",
    kind="bug",
    severity="wrong answer",
)
def values_out_of_range(self):
    """A value that the type of its key cannot hold is refused, and no other value is returned."""
    violations: dict[str, object] = {}
    with Given("objects with the largest value of each type, and with a larger one"):
        lake = lake_of({f"right/{case.type}": (case.largest,) for case in OUT_OF_RANGE})
        lake.put_all(
            {f"wrong/{case.type}/k={case.too_large}/a.tsv": "1\n" for case in OUT_OF_RANGE}
        )

    for case in OUT_OF_RANGE:
        right, wrong = (
            f"SELECT toString(k) FROM "
            f"{from_s3(lake, f'{side}/{case.type}/**.tsv', structure=f'id UInt8, k {case.type}')}"
            for side in ("right", "wrong")
        )
        with When(f"I read the largest value of {case.type}"):
            assert lake.node.column(right) == [case.largest], error()

        with And("I read a larger one"):
            read = answer(lake, wrong)
            if not isinstance(read, QueryFailed):
                violations[case.type] = f"read as {', '.join(value for (value,) in read)}"
            elif case.too_large not in read.message:
                message = read.message.partition(": While")[0]
                violations[case.type] = f"refused without a name: {message}"

    with Then(NAMED):
        assert_no_violations(violations)
