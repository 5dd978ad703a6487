"""Every ClickHouse type arrives in Spark as it is, or is refused by name."""

from __future__ import annotations

from typing import Any

import pytest
from pyspark.sql.types import (
    ArrayType,
    ByteType,
    DataType,
    DateType,
    DecimalType,
    LongType,
    MapType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.data_source import ClickHouseSource
from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import clickhouse_type, literal, map_type, quoted
from pipelines.errors import PipelineError
from tests.pipelines.clickhouse.type_mapping import MAPPING, REFUSED
from tests.pipelines.without_spark import read, write


@pytest.mark.parametrize(
    ("kind", "spark", "values", "expected"), MAPPING, ids=[m[0] for m in MAPPING]
)
def test_a_type_arrives_as_it_is_and_goes_back(
    node: EmbeddedNode,
    server: Server,
    kind: str,
    spark: str,
    values: list[str],
    expected: list[Any],
) -> None:
    create = f"(n UInt8, c {kind}) ENGINE = MergeTree ORDER BY n"
    for table in ("t", "back"):
        server.run(f"CREATE TABLE {table} {create}", flatten_nested=0, enable_time_time64_type=1)
    rows = ", ".join(f"({number}, {value})" for number, value in enumerate(values))
    server.run(f"INSERT INTO t VALUES {rows}")
    source = ClickHouseSource({**server.options(), "table": "t"})
    schema = source.schema()
    field = schema["c"]
    assert field.dataType.simpleString() == spark
    assert field.nullable == ("Nullable" in kind and not kind.startswith(("Array", "Tuple")))
    assert "".join(clickhouse_type(field).split()) == "".join(kind.split())  # it breaks lines
    held = read(source)
    assert held.sort_by("n").column("c").to_pylist() == expected
    write(ClickHouseSource({**server.options(), "table": "back"}), held, schema=schema)
    content = "SELECT groupArray(hex(formatRow('RowBinary', *))) FROM (SELECT * FROM {} ORDER BY n)"
    before, after = (server.rows(content.format(table)) for table in ("t", "back"))
    assert before == after
    assert len(after[0][0]) == len(values)


@pytest.mark.parametrize("kind", REFUSED)
def test_a_type_without_an_equal_is_refused_by_name(kind: str) -> None:
    with pytest.raises(PipelineError) as caught:
        map_type("price", kind)
    assert "price" in str(caught.value) and kind in str(caught.value)


@pytest.mark.parametrize(
    ("spark", "clickhouse"),
    [
        (LongType(), "Nullable(Int64)"),
        (DecimalType(9, 2), "Nullable(Decimal(9, 2))"),
        (TimestampType(), "Nullable(DateTime64(6, 'UTC'))"),
        (ArrayType(StringType(), False), "Array(String)"),
        (ArrayType(StringType()), "Array(Nullable(String))"),
        (MapType(StringType(), DateType()), "Map(String, Nullable(Date32))"),
        (StructType([StructField("a`b", ByteType(), False)]), "Tuple(`a\\`b` Int8)"),
    ],
    ids=str,
)
def test_a_field_that_never_was_in_clickhouse_has_a_natural_type(
    spark: DataType, clickhouse: str
) -> None:
    assert clickhouse_type(StructField("c", spark)) == clickhouse
    assert map_type("c", clickhouse).spark == spark
    required = clickhouse.removeprefix("Nullable(")[: None if clickhouse[0] != "N" else -1]
    assert clickhouse_type(StructField("c", spark, False)) == required


def test_a_field_without_an_equal_in_clickhouse_is_refused_by_name() -> None:
    with pytest.raises(PipelineError, match=r"Column c has Spark's type timestamp_ntz.*: cast it"):
        clickhouse_type(StructField("c", ArrayType(TimestampNTZType())))


def test_any_text_can_be_a_name_or_a_value(server: Server) -> None:
    for text in ("a`b", "a\\", "a\\`", "it's", "\\'", "a\nb", "`"):
        assert server.rows(f"SELECT {literal(text)}") == [[text]]
        assert server.rows(f"DESCRIBE (SELECT 1 AS {quoted(text)})")[0][0] == text


def test_every_type_family_of_the_server_is_decided(server: Server) -> None:
    """A new version's new type must not slip through unseen."""
    stated = {kind.partition("(")[0] for kind, *_ in MAPPING} | {
        name.partition("(")[0] for kind in REFUSED for name in (kind, *kind.split("(")[1:])
    }
    also = {"Ring", "LineString", "MultiPoint", "MultiLineString", "MultiPolygon", "Nothing"}
    also |= {"Decimal32", "Decimal64", "Decimal128", "Decimal256", "DateTime32", "Enum", "Nullable"}
    families = server.rows("SELECT name FROM system.data_type_families WHERE alias_to = ''")
    names = {name for (name,) in families if not name.startswith("Interval")}
    assert len(names) > 50
    assert names - stated - also == set()
