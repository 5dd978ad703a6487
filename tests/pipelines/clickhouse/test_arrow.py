"""Arrow arrays in another type: the same values or an error, whatever piece of an array it is."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pyarrow as pa
import pytest

from pipelines.clickhouse.arrow import conform
from pipelines.clickhouse.type_compatibility import is_lossless
from pipelines.clickhouse.types import map_type
from pipelines.errors import PipelineError

PAIR = pa.struct([pa.field("x", pa.int16(), False), pa.field("y", pa.string())])
WIDE = pa.struct([pa.field("x", pa.int64(), False), pa.field("y", pa.binary())])


@pytest.mark.parametrize(
    ("values", "kind", "target"),
    [
        ([b"abc", None, b"", "ö".encode(), b"z"], pa.binary(), pa.string()),
        ([[1, 2], None, [], [3], [4, 5]], pa.list_(pa.int16()), pa.list_(pa.int64())),
        ([[b"a"], [b"b", None], None, [], [b"c"]], pa.list_(pa.binary()), pa.list_(pa.string())),
        (
            [[(1, 2)], None, [], [(3, 4), (5, 6)], [(7, 8)]],
            pa.map_(pa.int16(), pa.int16()),
            pa.map_(pa.int64(), pa.int64()),
        ),
        ([{"x": 1, "y": "a"}, None, {"x": 2, "y": None}, {"x": 3, "y": ""}, None], PAIR, WIDE),
    ],
    ids=str,
)
def test_every_piece_of_an_array_keeps_its_values(
    values: list[Any], kind: pa.DataType, target: pa.DataType
) -> None:
    array = pa.array(values, kind)
    for start in range(len(values)):
        for length in range(len(values) - start + 1):
            piece = array.slice(start, length)
            made = conform(piece, pa.field("c", target), "c")
            made.validate(full=True)
            assert made.type == target
            assert made.cast(kind).equals(piece) if kind is not PAIR else len(made) == length
            if kind is PAIR:
                assert made.is_null().equals(piece.is_null())
                assert pa.compute.struct_field(made, 0).to_pylist() == [
                    value and value["x"] for value in piece.to_pylist()
                ]


@pytest.mark.parametrize(
    ("array", "field", "words"),
    [
        (pa.array([1, None]), pa.field("c", pa.int64(), False), "There is a NULL in c"),
        (
            pa.array([[1, None]]),
            pa.field("c", pa.list_(pa.field("item", pa.int64(), False))),
            "There is a NULL in c",
        ),
        (pa.array([{"x": None, "y": "a"}], PAIR), pa.field("c", WIDE), "There is a NULL in c"),
        (pa.array([2**40]), pa.field("c", pa.int32()), "do not fit"),
        (pa.array([1.5]), pa.field("c", pa.int64()), "do not fit"),
        (pa.array([Decimal("1.25")]), pa.field("c", pa.decimal128(3, 1)), "do not fit"),
        (pa.array([1], pa.timestamp("ns")), pa.field("c", pa.timestamp("us")), "do not fit"),
        (pa.array([b"a", b"\xff"]), pa.field("c", pa.string()), "that are not UTF-8"),
        (pa.array([b"\xfe"]), pa.field("c", pa.string()), "that are not UTF-8"),
        (
            pa.array([[(1, 1)], [(1, 1), (1, 2)]], pa.map_(pa.int16(), pa.int16())),
            pa.field("c", pa.map_(pa.int64(), pa.int64())),
            "a key twice",
        ),
    ],
    ids=str,
)
def test_a_value_that_would_change_is_refused(array: pa.Array, field: pa.Field, words: str) -> None:
    with pytest.raises(PipelineError, match=words):
        conform(array, field, "c")


FITTING = [
    "Int32 → Int64",
    "Float32 → Float64",
    "Decimal(9, 2) → Decimal(10, 2)",
    "Decimal(9, 2) → Decimal(10, 3)",
    "Int8 → Decimal(3, 0)",
    "Int64 → Decimal(19, 0)",
    "Array(Int32) → Array(Int32)",
    "Tuple(a Int32) → Tuple(a Nullable(Int32))",
    "Map(String, Int32) → Map(String, Int32)",
]
NOT_FITTING = [
    "Int64 → Int32",
    "Float64 → Float32",
    "Decimal(9, 2) → Decimal(10, 1)",
    "Decimal(9, 2) → Decimal(9, 3)",
    "Int8 → Decimal(2, 0)",
    "Int64 → Decimal(18, 0)",
    "Decimal(3, 0) → Int32",
    "String → FixedString(2)",
    "Date → DateTime",
    "Array(Int32) → Array(Int64)",
    "Tuple(a Nullable(Int32)) → Tuple(b Int32)",
]


@pytest.mark.parametrize(
    ("types", "fit"),
    [*((types, True) for types in FITTING), *((types, False) for types in NOT_FITTING)],
)
def test_one_type_fits_into_another_if_all_its_values_do(types: str, fit: bool) -> None:
    ours, theirs = (map_type("c", kind).spark for kind in types.split(" → "))
    assert is_lossless(ours, theirs) is fit
