"""Which Spark types hold every value of another one, and which can be compared."""

from __future__ import annotations

from pyspark.sql import types

WHOLE: tuple[type[types.DataType], ...] = (
    types.ByteType,
    types.ShortType,
    types.IntegerType,
    types.LongType,
)
DIGITS = dict(zip(WHOLE, (3, 5, 10, 19), strict=True))
FAMILIES = ((types.StringType, types.BinaryType), (types.TimestampType, types.TimestampNTZType))
NULLABILITY = ("nullable", "containsNull", "valueContainsNull", "metadata")


def is_lossless(source: types.DataType, target: types.DataType) -> bool:
    """Whether every value of `source` is a value of `target`; NULLs are checked elsewhere."""
    match source, target:
        case (types.DecimalType(), types.DecimalType()):
            whole = source.precision - source.scale <= target.precision - target.scale
            return bool(whole and source.scale <= target.scale)
        case (types.FloatType(), types.DoubleType()) | (types.StringType(), types.StringType()):
            return True
        case _ if type(source) in WHOLE and type(target) in WHOLE:
            return WHOLE.index(type(source)) <= WHOLE.index(type(target))
        case _ if type(source) in WHOLE and isinstance(target, types.DecimalType):
            return bool(DIGITS[type(source)] <= target.precision - target.scale)
    return _without_nullability(source.jsonValue()) == _without_nullability(target.jsonValue())


def is_comparable(expected: types.DataType, actual: types.DataType) -> bool:
    """Whether equal values of both types have equal hashes: of the same kind, whatever the width."""
    match expected, actual:
        case types.ArrayType(), types.ArrayType():
            return is_comparable(expected.elementType, actual.elementType)
        case types.MapType(), types.MapType():
            return is_comparable(expected.keyType, actual.keyType) and is_comparable(
                expected.valueType, actual.valueType
            )
        case types.StructType(), types.StructType():
            kinds = ([field.dataType for field in struct] for struct in (expected, actual))
            return len(expected) == len(actual) and all(map(is_comparable, *kinds))
        case types.DecimalType(), types.DecimalType():
            return bool(expected.scale <= actual.scale)
        case types.DecimalType(), _ if isinstance(actual, WHOLE):
            return bool(expected.scale == 0)
    if isinstance(expected, WHOLE):
        return isinstance(actual, (*WHOLE, types.DecimalType))
    return type(expected) is type(actual) or any(
        isinstance(expected, family) and isinstance(actual, family) for family in FAMILIES
    )


def _without_nullability(value: object) -> object:
    """A type's JSON without what says whether there may be NULLs."""
    if isinstance(value, dict):
        return {
            name: _without_nullability(held)
            for name, held in value.items()
            if name not in NULLABILITY
        }
    return [_without_nullability(held) for held in value] if isinstance(value, list) else value
