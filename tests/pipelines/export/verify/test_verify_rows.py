"""`export verify --rows`: Spark compares files with parts; and statements that detach what is safe."""

from __future__ import annotations

import argparse
import json

import pytest
from pyspark.sql import SparkSession

from helpers.base.errors import UsageError
from helpers.cli.export import export as command
from helpers.cli.options.export import parser
from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.server import Server
from pipelines.export.commit import commits_below
from pipelines.export.verify_rows import SourcePart, Sources, differences, left_out
from pipelines.s3.store import Place, Store
from steps.export_part.typed_values import FAMILIES
from tests.pipelines.export.without_spark import export, files

pytestmark = pytest.mark.xdist_group("spark")


@pytest.fixture(autouse=True)
def variables(
    server: Server, store: Store, spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLICKHOUSE_URL", server.url)
    monkeypatch.setenv("CLICKHOUSE_USER", server.user)
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", server.password)
    monkeypatch.setenv("AWS_ENDPOINT_URL", store.endpoint)
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", store.access_key)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", store.secret_key)
    monkeypatch.setattr("pipelines.spark.session.spark_session", lambda *_: spark)


def given(*arguments: str) -> argparse.Namespace:
    return parser().parse_args(["verify", *arguments])


def compared(spark: SparkSession, server: Server, store: Store, path: str) -> list[str]:
    """What differs in all exports of a place."""
    place, sources = Place.parse(path), Sources([server])
    found = []
    for commit in commits_below(store, place):
        source = sources.find(commit)
        assert isinstance(source, SourcePart), source
        found += differences(spark, store, place.bucket, commit, source)
    return found


TYPES = [kind for family in FAMILIES.values() for kind in family]


def test_values_of_every_type_are_compared(
    node: EmbeddedNode, server: Server, store: Store, path: str, spark: SparkSession
) -> None:
    """Equal rows are found equal whatever their types are; what is left out is what has no type in Spark."""
    columns = {f"c{number}": kind for number, kind in enumerate(TYPES)}
    described = ", ".join(f"{name} {kind}" for name, kind in columns.items())
    node.query(f"CREATE TABLE t (n UInt8, {described}) ENGINE = MergeTree ORDER BY n")
    values = [values for family in FAMILIES.values() for values, _ in family.values()]
    for row in range(3):
        chosen = ", ".join(each[row % len(each)] for each in values)
        node.query(f"INSERT INTO t VALUES ({row}, {chosen})")
    export(server, store, path, rows_per_file=1)
    assert compared(spark, server, store, path) == []
    without = {columns[name] for name in left_out(columns)}
    assert without == {"Decimal(76, 10)", "Array(IPv4)", "JSON", "JSON(a UInt8)"}


@pytest.mark.parametrize(
    "kind",
    ["UInt8", "String", "UUID", "IPv4", "IPv6", "Int128", "UInt256", "DateTime64(9)", "UInt64"],
)
def test_one_value_that_differs_is_named(
    node: EmbeddedNode, server: Server, store: Store, path: str, spark: SparkSession, kind: str
) -> None:
    """The file is replaced by that of another table, which differs in one value."""
    value = {
        "UUID": "toUUID(concat('00000000-0000-0000-0000-00000000000', toString(number)))",
        "IPv4": "toIPv4(toUInt32(number))",
        "IPv6": "toIPv6(concat('::', toString(number)))",
        "String": "concat('a', toString(number))",
    }.get(kind, "number")
    for name, shift in (("t", 0), ("u", 1)):
        node.query(f"CREATE TABLE {name} (n UInt8, v {kind}) ENGINE = MergeTree ORDER BY n")
        node.query(
            f"INSERT INTO {name} SELECT n, v FROM (SELECT if(n = 3, n + {shift}, n) AS number, n FROM "
            f"(SELECT toUInt8(number) AS n FROM numbers(5))) AS s ARRAY JOIN [CAST({value} AS {kind})] AS v"
        )
    export(server, store, path)
    place = Place.parse(path)
    assert compared(spark, server, store, path) == []
    (key,) = files(store, path)
    changed = server.execute("SELECT * FROM u FORMAT Parquet", {})
    store.put(place.bucket, key, changed)
    (found,) = compared(spark, server, store, path)
    assert key in found and "n = 3" in found and "2 rows differ" in found


def test_the_command(
    node: EmbeddedNode,
    server: Server,
    store: Store,
    path: str,
    table: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    export(server, store, path, rows_per_file=700)
    assert command(given("--to", path, "--rows")) == 0
    out = capsys.readouterr().out
    assert "6 of 6 parts are as committed" in out
    assert "6 of them have the rows that their parts have, compared by Spark" in out
    assert command(given("--to", path, "--prune-after-verify")) == 0
    printed = capsys.readouterr()
    statements = [line.partition(" --")[0] for line in printed.out.splitlines()]
    assert len(statements) == 6 and "parts are as committed" in printed.err
    assert all(text.startswith("ALTER TABLE") and "DETACH PART" in text for text in statements)
    assert server.rows("SELECT count() FROM system.parts WHERE active AND table = 't'") != [["0"]]
    damaged, *_ = files(store, path)
    place = Place.parse(path)
    store.put(place.bucket, damaged, b"x")
    assert command(given("--to", path, "--rows", "--prune-after-verify", "--json")) == 1
    shown = json.loads(capsys.readouterr().out)
    assert sum(bool(item["violations"]) for item in shown) == 1
    assert sorted(bool(item["prune"]) for item in shown) == [False] + [True] * 5
    (kept,) = (item["name"] for item in shown if item["violations"])
    for statement in statements:
        if kept not in statement:
            node.query(statement)  # what is printed can be executed
    assert server.rows("SELECT toUInt32(count()) FROM t") != [[0]]


def test_parts_that_are_not_there_any_more(
    node: EmbeddedNode,
    server: Server,
    store: Store,
    path: str,
    table: str,
    capsys: pytest.CaptureFixture[str],
) -> None:
    export(server, store, path)
    node.query("ALTER TABLE t DROP PARTITION 1")
    assert command(given("--to", path, "--rows", "--prune-after-verify")) == 0
    printed = capsys.readouterr()
    assert "2 of them were not compared with their parts: the part is not there" in printed.err
    assert len(printed.out.splitlines()) == 4
    node.query("ALTER TABLE t ADD COLUMN y UInt8")
    with pytest.raises(UsageError, match="No rows were compared"):
        command(given("--to", path, "--rows"))
    node.query("DROP TABLE t SYNC")
    node.query("CREATE TABLE t (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n")
    assert command(given("--to", path, "--prune-after-verify")) == 0
    assert "no server that was named has its table" in capsys.readouterr().err


def test_options_of_verify_are_of_verify(path: str) -> None:
    for option in ("--rows", "--prune-after-verify"):
        with pytest.raises(UsageError, match="belong to export verify"):
            command(parser().parse_args(["--source", "t", "--all", "--to", path, option]))
