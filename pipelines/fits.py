"""Which Spark type holds every value of another one."""

from __future__ import annotations

from pyspark.sql.types import (
    ByteType,
    DataType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    StringType,
)

WHOLE: tuple[type[DataType], ...] = (ByteType, ShortType, IntegerType, LongType)
DIGITS = dict(zip(WHOLE, (3, 5, 10, 19), strict=True))


def fits(spark: DataType, target: DataType) -> bool:
    """Whether every value of one Spark type is a value of the other; NULLs are looked at later."""
    match spark, target:
        case (DecimalType(), DecimalType()):
            whole = spark.precision - spark.scale <= target.precision - target.scale
            return bool(whole and spark.scale <= target.scale)
        case (FloatType(), DoubleType()) | (StringType(), StringType()):
            return True
        case _ if type(spark) in WHOLE and type(target) in WHOLE:
            return WHOLE.index(type(spark)) <= WHOLE.index(type(target))
        case _ if type(spark) in WHOLE and isinstance(target, DecimalType):
            return bool(DIGITS[type(spark)] <= target.precision - target.scale)
    return _bare(spark) == _bare(target)


def _bare(spark: DataType) -> object:
    """A type without its nullability."""
    match spark.jsonValue():
        case dict(value):
            return _without(value)
        case value:
            return value


def _without(value: object) -> object:
    ignored = ("nullable", "containsNull", "valueContainsNull", "metadata")
    if isinstance(value, dict):
        return {key: _without(one) for key, one in value.items() if key not in ignored}
    return [_without(one) for one in value] if isinstance(value, list) else value
