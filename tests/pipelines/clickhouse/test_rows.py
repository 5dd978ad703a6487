"""Which columns can be compared: of one kind, however wide, and never what could not be equal."""

from __future__ import annotations

import pytest
from pyspark.sql.types import StructType

from pipelines.clickhouse.rows import ClickHouseRows, check_columns, table
from pipelines.clickhouse.server import Server
from pipelines.clickhouse.types import spark_field
from pipelines.errors import PipelineError

NOWHERE = Server("http://127.0.0.1:1")


@pytest.mark.parametrize(
    ("ours", "theirs", "comparable"),
    [
        ("Int64", "UInt8", True),
        ("Int8", "UInt64", True),
        ("Decimal(20, 0)", "Int32", True),
        ("Decimal(20, 1)", "Int32", False),
        ("Float64", "Int32", False),
        ("String", "Int32", False),
        ("Decimal(10, 2)", "Decimal(38, 4)", True),
        ("Decimal(10, 4)", "Decimal(38, 2)", False),
        ("Float64", "Decimal(9, 2)", False),
        ("Float32", "Float64", False),
        ("String", "UUID", True),
        ("FixedString(2)", "String", True),
        ("String", "FixedString(3)", True),
        ("Date32", "DateTime", False),
        ("Date32", "Date", True),
        ("DateTime", "DateTime64(3, 'Asia/Tokyo')", True),
        ("Bool", "UInt8", False),
        ("Array(Int32)", "Array(UInt64)", True),
        ("Array(String)", "Array(UInt64)", False),
        ("Int32", "Array(UInt64)", False),
        ("Map(String, Int32)", "Map(String, UInt8)", True),
        ("Map(Int32, Int32)", "Map(String, UInt8)", False),
        ("Map(String, String)", "Map(String, UInt8)", False),
        ("Tuple(x Int32, y String)", "Tuple(a UInt8, b String)", True),
        ("Tuple(x Int32)", "Tuple(a UInt8, b String)", False),
        ("Tuple(x String, y String)", "Tuple(a UInt8, b String)", False),
    ],
)
def test_columns_that_could_never_be_equal_are_refused(
    ours: str, theirs: str, comparable: bool
) -> None:
    # Our types are told as the ClickHouse types that become them.
    schema = StructType([spark_field("c", ours)])
    actual = ClickHouseRows(NOWHERE, "t", "t", {"c": theirs})
    if comparable:
        check_columns(schema, actual)
        return
    with pytest.raises(PipelineError, match=r"^Column c is .* where it is expected: cast it to "):
        check_columns(schema, actual)


def test_other_columns_are_told_by_name() -> None:
    actual = ClickHouseRows(NOWHERE, "t", "t", {"a": "UInt8", "b": "UInt8"})
    with pytest.raises(
        PipelineError, match=r"^The columns differ: c only expected; b only in t\.$"
    ):
        check_columns(StructType([spark_field(name, "UInt8") for name in "ac"]), actual)
    with pytest.raises(PipelineError, match=r"^A column's name is there twice: a, b, a\.$"):
        check_columns(StructType([spark_field(name, "UInt8") for name in "aba"]), actual)


def test_columns_that_select_does_not_show_are_compared_when_asked_for(server: Server) -> None:
    server.run(
        "CREATE TABLE t (n UInt8, d UInt8 DEFAULT 1, m UInt8 MATERIALIZED n + 1, a UInt8 ALIAS n) "
        "ENGINE = MergeTree ORDER BY n"
    )
    assert list(table(server, "t").types) == ["n", "d"]
    chosen = table(server, "t", columns=["a", "m"], where="n > 0 OR n = 0", final=False)
    assert list(chosen.types) == ["a", "m"]
    server.run("INSERT INTO t (n) VALUES (1), (2)")
    assert chosen.select("a, m", "ORDER BY a", "n < 2") == [[1, 2]]
