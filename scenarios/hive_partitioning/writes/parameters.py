"""Parameters of the S3 engine that are not about partitions: the same with the strategy and without."""

import itertools
from typing import Any

from testflows.asserts import error
from testflows.core import And, Given, Requirements, TestScenario, Then, When

from helpers.cluster.capabilities import Capability
from helpers.cluster.client.recording import literal
from helpers.scenario.obligations import covers
from helpers.scenario.violations import assert_no_violations
from requirements.srs045_hive_partitioning import RQ_HivePartitioning_Writes_S3EngineParameters
from steps.hive_partitioning.objects import (
    NO_ACCESS_COLLECTION,
    READ_ONLY_COLLECTION,
    Lake,
    new_lake,
)
from steps.hive_partitioning.writes import (
    ACCEPTED,
    ONE_ATTEMPT,
    creation,
    insertion,
    new_table,
    outcome,
)
from steps.tables import Table, contents

NEEDS = (Capability.OBJECT_STORE,)
COLUMNS = "year UInt16, country String, x UInt8"
FILE = "file"
ROW, VALUES = (2022, "USA", 7), "(2022, 'USA', 7)"
BY_HIVE = {"partition_strategy": "'hive'", "partition_columns_in_data_file": "1"}
# A reader tells the key columns of a file from the others by their names, so it needs some.
NAMED = ("JSONEachRow", "Native", "Parquet", "ORC", "Arrow")
FORMATS = ("CSV", "TSV", "Values", "RowBinary", "MsgPack", *NAMED)
COMPRESSIONS = (
    "none",
    "auto",
    "gzip",
    "deflate",
    "br",
    "xz",
    "zstd",
    "lz4",
    "snappy",
)  # 9 variants
# The first bytes of a file, where its format or compression has such.
MAGIC = {
    "Parquet": b"PAR1",
    "ORC": b"ORC",
    "Arrow": b"ARROW1",
    "gzip": b"\x1f\x8b",
    "xz": b"\xfd7zXZ",
    "zstd": b"\x28\xb5\x2f\xfd",
    "lz4": b"\x04\x22\x4d\x18",
}


def pair(lake: Lake, **arguments: Any) -> tuple[list[str], list[Table]]:
    """What becomes of an insert into a table with the strategy hive, and into one without; and both."""
    tables, results = [], []
    for strategy in (BY_HIVE, {"partition_strategy": "'none'"}):
        table = new_table(lake)
        hive = strategy is BY_HIVE
        filename = lake.filename(table.name if hive else f"{table.name}/{FILE}")
        given: dict[str, Any] = {"filename": literal(filename), **strategy, **arguments}
        clause = "(year, country)" if hive else ""
        statement = creation(lake, table, columns=COLUMNS, partition_by=clause, **given)
        created = outcome(lake, statement, ONE_ATTEMPT)
        if created == ACCEPTED:
            created = outcome(lake, insertion(table, VALUES))
        tables.append(table)
        results.append(created)
    return results, tables


def file_of(lake: Lake, table: Table) -> bytes:
    """The one object of a table."""
    (path,) = lake.paths(f"{table.name}/")
    return lake.content(path)


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_S3EngineParameters("1.0"))
def formats_and_compressions(self):
    """With the key columns in it a file has the same bytes, whether the strategy is hive or none."""
    with Given("every format with every compression"):
        lake = new_lake()
        cells = list(itertools.product(FORMATS, COMPRESSIONS))

    with When("I write the same row to a table with the strategy and to one without"):
        violations = {}
        files = {}
        for kind, method in cells:
            cell = f"{kind}, {method}"
            results, (by_hive, plain) = pair(lake, format=kind, compression=f"'{method}'")
            if results != [ACCEPTED, ACCEPTED]:
                violations[cell] = str(results)
                continue
            files[cell] = file_of(lake, by_hive)
            if files[cell] != file_of(lake, plain):
                violations[cell] = f"another file than without the strategy: {files[cell]!r}"
            if kind in NAMED and (rows := contents(by_hive)) != [ROW]:
                violations[f"{cell}, rows"] = str(rows)

    with Then("both files are the same, byte for byte"):
        covers("`format`", "`compression`")
        assert_no_violations(violations)

    with And("they are what the parameters ask for"):
        wrong = {}
        for cell, content in files.items():
            kind, method = cell.split(", ")
            magic = MAGIC.get(kind if method in ("none", "auto") else method, b"")
            if not content.startswith(magic):
                wrong[cell] = str(content[:8])
        assert_no_violations(wrong)
        assert files["CSV, none"] == b'2022,"USA",7\n', error()
        compressed = {
            files[f"CSV, {method}"]
            for method in COMPRESSIONS[2:]  # part: the first two do not compress CSV
        }
        assert len(compressed) == len(COMPRESSIONS) - 2, error()


REFUSED = {  # 8 variants
    "no such format": {"format": "NoSuchFormat"},
    "no such compression": {"compression": "'middle-out'"},
    "a compression for reading only": {"compression": "'bz2'"},
    "unknown credentials": {"access_key_id": "'nobody'", "secret_access_key": "'nothing'"},
    "a key without its secret": {"access_key_id": "'nobody'"},
    "credentials by the names of another build": {
        "aws_access_key_id": "'nobody'",
        "aws_secret_access_key": "'nothing'",
    },
    "credentials that may only read": {"collection": READ_ONLY_COLLECTION},
    "credentials without rights": {"collection": NO_ACCESS_COLLECTION},
}


# Formats that need a template, another service, or columns of other types than these.
NEED_MORE = {"AvroConfluent", "GeoJSON", "Npy", "PNG", "Prometheus", "Template"}


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_S3EngineParameters("1.0"))
def every_format(self):
    """Every format that the server writes gives the same file with the strategy as without, or no file."""
    with Given("all formats that the server writes"):
        lake = new_lake()
        formats = lake.node.column("SELECT name FROM system.formats WHERE is_output ORDER BY name")
        number = lake.node.value("SELECT uniqExact(name) FROM system.formats WHERE is_output")
        assert len(formats) == number == len(set(formats)) > 60, error()
        assert set(FORMATS) <= set(formats), error()

    with When("I write the same row to a table with the strategy and to one without"):
        violations = {}
        refused = []
        for kind in formats:
            results, (by_hive, plain) = pair(lake, format=f"'{kind}'")
            files = [lake.paths(f"{table.name}/") for table in (by_hive, plain)]
            if results[0] != results[1]:
                violations[kind] = str(results)
            elif results[0] != ACCEPTED:
                refused.append(kind)
            elif len(files[0]) != 1 or len(files[1]) != 1:
                violations[kind] = str(files)
            elif constant(file_of(lake, by_hive)) != constant(file_of(lake, plain)):
                violations[kind] = "another file than without the strategy"

    with Then("both files are the same, or both are refused alike"):
        assert_no_violations(violations)

    with And("those are refused that need more than a row"):
        assert set(refused) <= NEED_MORE, error()


def constant(content: bytes) -> bytes | int:
    """A file without what differs in every file: the statistics of the query, at the end of some. Avro puts
    random marks between its blocks, so that only the length can be compared."""
    return len(content) if content.startswith(b"Obj\x01") else content.partition(b"elapsed")[0]


@TestScenario
@Requirements(RQ_HivePartitioning_Writes_S3EngineParameters("1.0"))
def refusals(self):
    """What these parameters refuse, they refuse in the same words with the strategy and without."""
    with Given("a table that is written with the store's own credentials in its parameters"):
        lake = new_lake()
        own = lake.store.keys_to_show()
        keys = {
            "access_key_id": literal(own.access_key),
            "secret_access_key": literal(own.secret_key),
        }
        results, tables = pair(lake, **keys)
        assert results == [ACCEPTED, ACCEPTED], error()
        assert file_of(lake, tables[0]) == file_of(lake, tables[1]) == b'2022,"USA",7\n', error()

    with When("I give values that cannot be used"):
        observed = {cell: pair(lake, **given) for cell, given in REFUSED.items()}

    with Then("they are refused with the strategy as without"):
        covers("`aws_access_key_id`", "`aws_secret_access_key`")
        violations = {}
        for cell, ((by_hive, plain), refused) in observed.items():
            directory = "/year=2022/country=USA/<id>.csv"
            if by_hive.replace(directory, "") != plain.replace(f"/{FILE}", ""):
                violations[cell] = f"{by_hive}; without the strategy {plain}"
            if ACCEPTED in (by_hive, plain):
                violations[f"{cell}, accepted"] = by_hive
            if any(lake.paths(f"{table.name}/") for table in refused):
                violations[f"{cell}, objects"] = "there are some"
        assert_no_violations(violations)
