"""Where objects go: path and filename of a table, and which of them are refused."""

from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.recording import literal
from helpers.scenario.marks import deviates
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import (
    RQ_HivePartitioning_Writes_Filename,
    RQ_HivePartitioning_Writes_FilenameWithoutHivePartitionStrategy,
    RQ_HivePartitioning_Writes_InvalidPath,
    RQ_HivePartitioning_Writes_NotDefinedFilename,
    RQ_HivePartitioning_Writes_Path,
)
from steps.hive_partitioning.objects import Lake, new_lake
from steps.hive_partitioning.writes import (
    ACCEPTED,
    creation_outcome,
    hive_outcome,
    hive_table,
    insert_values,
    is_refused,
    objects,
)
from steps.tables import contents

DEVIATIONS = "writes-path"  # the beginning of their ids

NEEDS = (Capability.OBJECT_STORE,)
ROWS = "(2022, 'USA', 1), (2023, 'USA', 2)"
ALL = [(2022, "USA", 1), (2023, "USA", 2)]
DIRECTORIES = {"year=2022/country=USA": [b"1\n"], "year=2023/country=USA": [b"2\n"]}


def assert_written(lake: Lake, prefix: str, **arguments: Any) -> None:
    """A table with these arguments writes below the prefix, and nowhere else."""
    before = set(lake.paths())
    table = hive_table(lake, **arguments)
    insert_values(table, ROWS)
    assert objects(lake, prefix) == DIRECTORIES, error()
    assert all(path.startswith(f"{prefix}/") for path in set(lake.paths()) - before), error()
    assert contents(table) == ALL, error()


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_Path("1.0"))
def objects_below_the_path(self):
    """The path is the root of all objects, with or without a slash at its end, however deep it is."""
    lake = new_lake()
    for number, path in enumerate(("one", "one_more/", "a/b-c/d_e/f", "of=no/table", "file.csv")):
        with Then(f"a table of the path {path} writes there"):
            prefix = f"{number}/{path}".rstrip("/")
            assert_written(lake, prefix, url=literal(lake.url(f"{number}/{path}")), filename=None)

    with And("so does one that names a bucket alone, in the bucket's root"):
        bucket = f"{lake.bucket}-{lake.folder.rpartition('-')[2]}"
        lake.store.make_bucket(bucket)
        table = hive_table(lake, url=literal(f"{lake.store.url}/{bucket}"), filename=None)
        insert_values(table, ROWS)
        directories = [key.rpartition("/")[0] for key in lake.store.keys(bucket)]
        assert directories == sorted(DIRECTORIES), error()
        assert contents(table) == ALL, error()


INVALID = {  # 9 variants
    "no address": "not an address",
    "empty": "",
    "no host": "http://",
    "another protocol": "ftp://{host}/hive/x",
    "no bucket": "{store}/",
    "a bucket's name of two letters": "{store}/hi/x",
    "a blank": "{store}/hive/a b",
    "a line break": "{store}/hive/a\nb",
    "an empty directory": "{store}/hive/a//b",
}
BUCKET_NAME = "36: Bucket name length is out of bounds in virtual hosted style S3 URI"
BAD_URI = "1000: Bad URI syntax: URI contains invalid characters"


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_InvalidPath("1.0"))
@deviates(
    step="the error says that the key is invalid",
    observed={
        "a blank": BAD_URI,
        "a bucket's name of two letters": f"{BUCKET_NAME}: 'hi' (<store>/hi/x)",
        "a line break": BAD_URI,
        "another protocol": "36: Unknown protocol in the URL: ftp",
        "empty": "36: Host is empty in S3 URI.",
        "no address": BAD_URI,
        "no bucket": f"{BUCKET_NAME}: '' (<store>/)",
        "no host": "36: Host is empty in S3 URI.",
    },
    reason="the address is parsed before the key is looked at, so most errors are about the address",
    kind="requirement",
    severity="message",
)
def invalid_paths_are_refused(self):
    """What is no address, or has characters that no address has, is refused as an invalid key."""
    with Given("a table that is accepted with a valid path"):
        lake = new_lake()
        valid = hive_outcome(lake, url=literal(lake.url("x")), filename=None)
        assert valid == ACCEPTED, error()

    with When("I create it with paths that are not"):
        host = lake.store.url.removeprefix("http://")
        observed = {
            cell: hive_outcome(
                lake,
                url=literal(path.format(store=lake.store.url, host=host)),
                filename=None,
            )
            for cell, path in INVALID.items()
        }

    with Then("each is refused"):
        assert [cell for cell, answer in observed.items() if answer == ACCEPTED] == [], error()

    with And("the error says that the key is invalid"):
        covers("is no valid S3 address", "contains illegal characters")
        assert_no_violations(
            {
                cell: answer
                for cell, answer in observed.items()
                if not is_refused(answer, "36: Invalid S3 key")
            }
        )


FILENAMES = ("orders", "orders_too/", "deep/er", "orders.csv", "a=b")  # 5 variants


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_Filename("1.0"))
def filename_is_a_directory(self):
    """The filename comes between the path and the first key=value directory of all objects."""
    lake = new_lake()
    for number, filename in enumerate(FILENAMES):
        with Then(f"objects of a table with the filename {filename} lie below it"):
            assert_written(
                lake,
                f"{number}/{filename}".rstrip("/"),
                url=literal(lake.url(f"{number}/")),
                filename=literal(filename),
            )

    with And("so they do where the path has no slash at its end"):
        assert_written(lake, "path/name", url=literal(lake.url("path")), filename="'name'")


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_NotDefinedFilename("1.0"))
def without_a_filename(self):
    """Without a filename the first key=value directory follows the path."""
    lake = new_lake()
    for path in ("path", "path_with_slash/"):
        with Then(f"directories begin right behind {path}"):
            assert_written(lake, path.rstrip("/"), url=literal(lake.url(path)), filename=None)


OTHER_STRATEGIES = {  # 3 variants
    "not given": (None, "(year, country)"),
    "not given, not partitioned": (None, ""),
    "auto": ("'auto'", "(year, country)"),
}


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_FilenameWithoutHivePartitionStrategy("1.0"))
@deviates(
    step="it is refused",
    observed={
        "not given": "accepted",
        "not given, not partitioned": "accepted",
    },
    reason="filename is a key of named collections that is joined to the url, whatever the strategy",
    kind="requirement",
    severity="wrong refusal or acceptance",
)
def filename_without_the_strategy(self):
    """Without the strategy hive there is no filename to give."""
    with Given("a table that is accepted with the strategy hive and a filename"):
        lake = new_lake()
        assert hive_outcome(lake) == ACCEPTED, error()

    with When("I create it with another strategy, or with none"):
        observed = {
            cell: creation_outcome(lake, partition_strategy=strategy, partition_by=clause)
            for cell, (strategy, clause) in OTHER_STRATEGIES.items()
        }

    with Then("it is refused"):
        assert_no_violations(
            {cell: answer for cell, answer in observed.items() if not is_refused(answer)}
        )
