"""Directories as Hive and Spark name them: the mark of NULL, and characters written as %XX."""

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.scenario.marks import deviates
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Interoperation_Escaping,
    RQ_HivePartitioning_Interoperation_NullPartition,
)
from steps.hive_partitioning.objects import new_lake
from steps.hive_partitioning.queries import from_s3
from steps.hive_partitioning.writes import hive_table, insert_values

DEVIATIONS = "writes-foreign-names"  # the beginning of their ids

NEEDS = (Capability.OBJECT_STORE,)
TRIPS = {
    "trips/city=Rome/a.tsv": "1\n",
    "trips/city=__HIVE_DEFAULT_PARTITION__/b.tsv": "2\n",
    "trips/city=Oslo/c.tsv": "3\n",
}
# Texts, and what Hive and Spark call their directories.
ESCAPED = {  # 7 variants
    "a:b": "k=a%3Ab",
    "50%": "k=50%25",
    "a%41b": "k=a%2541b",
    "a=b": "k=a%3Db",
    "a#b": "k=a%23b",
    "[x]": "k=%5Bx%5D",
    "a b": "k=a b",
}


@TestScenario
@Requirements(RQ_HivePartitioning_Interoperation_NullPartition("1.0"))
@deviates(
    step="the row without a city has none",
    observed=dict.fromkeys(("declared", "inferred"), "__HIVE_DEFAULT_PARTITION__"),
    reason="the mark is read as a text like any other",
    kind="requirement",
    severity="wrong answer",
)
def mark_of_null(self):
    """A partition that is marked as one without a value is read as NULL."""
    with Given("rows of two cities and of none, in directories as Spark names them"):
        lake = new_lake(objects=TRIPS)

    with When("I read them, with the column declared nullable and inferred"):
        violations = {}
        for cell, structure in (
            ("declared", "id Int32, city Nullable(String)"),
            ("inferred", "id Int32"),
        ):
            source = from_s3(lake, "trips/**.tsv", structure=structure)
            first, marked, third = lake.node.column(f"SELECT city FROM {source} ORDER BY id")
            assert (first, third) == ("Rome", "Oslo"), error()
            if marked is not None:
                violations[cell] = marked

    with Then("the row without a city has none"):
        assert_no_violations(violations)


@TestScenario
@Requirements(RQ_HivePartitioning_Interoperation_Escaping("1.0"))
@deviates(
    step="so is every other",
    observed={
        **{
            f"{text}, read": directory.removeprefix("k=")
            for text, directory in ESCAPED.items()
            if text != "a b"
        },
        **{f"{text}, written": f"k={text}" for text in ESCAPED if text != "a b"},
    },
    reason="names of directories are taken as they are, in both directions",
    kind="requirement",
    severity="wrong answer",
)
def escaped_characters(self):
    """A text is read from the directory that Hive makes for it, and written into that directory."""
    with Given("a row for each text in a directory as Spark names it, and a table"):
        lake = new_lake(
            objects={
                f"by_spark/{directory}/a.tsv": f"{number}\n"
                for number, directory in enumerate(ESCAPED.values())
            }
        )
        table = hive_table(lake, columns="k String, x UInt8", partition_by="k")

    with When("I read the one, and write the same texts to the other"):
        source = from_s3(lake, "by_spark/**.tsv", structure="id Int32, k String")
        read = lake.node.column(f"SELECT k FROM {source} ORDER BY id")
        insert_values(table, ", ".join(str((text, number)) for number, text in enumerate(ESCAPED)))
        written = {
            int(lake.content(path)): path.split("/")[1] for path in lake.paths(f"{table.name}/")
        }
        assert len(read) == len(written) == len(ESCAPED), error()

    with Then("a text without such characters is the same for all"):
        assert read[-1] == "a b" and written[len(ESCAPED) - 1] == "k=a b", error()

    with And("so is every other"):
        violations = {
            f"{text}, read": seen for text, seen in zip(ESCAPED, read, strict=True) if seen != text
        }
        violations |= {
            f"{text}, written": written[number]
            for number, (text, directory) in enumerate(ESCAPED.items())
            if written[number] != directory
        }
        assert_no_violations(violations)
