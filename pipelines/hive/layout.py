"""Hive's folder names: `year=2026/city=K%C3%B6ln/`, to typed values and back."""

from __future__ import annotations

import datetime
import re
import urllib.parse
from collections.abc import Iterable

from pyspark.sql.types import (
    BooleanType,
    DataType,
    DateType,
    IntegerType,
    LongType,
    StringType,
)

from pipelines.clickhouse.type_compatibility import WHOLE
from pipelines.errors import PipelineError

NULL = "__HIVE_DEFAULT_PARTITION__"
# What Hive and Spark write as %XX; everything else stays as it is.
ESCAPED = re.compile(r"""[\x00-\x1f\x7f"#%'*/:=?\\{\[\]^]""")
WIDTHS = dict(zip(WHOLE, (8, 16, 32, 64), strict=True))
TYPES = (*WHOLE, StringType, DateType, BooleanType)
Value = int | str | bool | datetime.date | None


def folder(names: Iterable[str], values: Iterable[Value]) -> str:
    """The folders of one combination of values, each with a / at its end."""
    pairs = zip(names, values, strict=True)
    return "".join(f"{_escape(name)}={_text(name, value)}/" for name, value in pairs)


def parse_folder(key: str) -> dict[str, str | None]:
    """The values in a key's folders as they stand there; NULL is None."""
    values: dict[str, str | None] = {}
    for part in key.split("/")[:-1]:
        name, equals, value = part.partition("=")
        if equals:
            text = _unescape(value, key)
            values[_unescape(name, key)] = None if text == NULL else text
    return values


def _unescape(text: str, key: str) -> str:
    try:
        return urllib.parse.unquote(text, errors="strict")
    except UnicodeDecodeError:
        raise PipelineError(f"{key} has a folder whose name is not UTF-8: '{text}'.") from None


def infer(texts: Iterable[str | None]) -> DataType:
    """The narrowest type whose values are written exactly like these; text fits always."""
    known = [text for text in texts if text is not None]
    if known and all(re.fullmatch(r"0|-?[1-9][0-9]{0,17}", text) for text in known):
        fits = all(-(2**31) <= int(text) < 2**31 for text in known)
        return IntegerType() if fits else LongType()
    if known and all(_is_date(text) for text in known):
        return DateType()
    return StringType()


def typed(name: str, text: str | None, kind: DataType) -> Value:
    """A value as its type has it."""
    if text is None:
        return None
    try:
        if isinstance(kind, WHOLE):
            return _whole(text, WIDTHS[type(kind)])
        if isinstance(kind, DateType):
            return datetime.date.fromisoformat(text)
        if isinstance(kind, BooleanType):
            return {"true": True, "false": False}[text.lower()]
    except (KeyError, ValueError):
        raise PipelineError(
            f"The folder {name}={text} is no {kind.simpleString()}: give its type in the option "
            "'partition_types'."
        ) from None
    return text


def _whole(text: str, width: int) -> int:
    """A number of so many bits; Python itself would also take 1_000 and digits of other scripts."""
    if not re.fullmatch(r"[-+]?[0-9]+", text) or not -1 <= int(text) >> (width - 1) <= 0:
        raise ValueError(text)
    return int(text)


def parse_types(texts: Iterable[str]) -> dict[str, DataType]:
    """Types given as "year int" or "day date", by name."""
    known = {kind().simpleString(): kind() for kind in TYPES}
    types = {}
    for text in texts:
        name, _, kind = text.rpartition(" ")
        if kind not in known or not name:
            raise PipelineError(
                f"'{text}' in the option 'partition_types' is no name and type: the types are "
                f"{', '.join(known)}."
            )
        types[name.strip()] = known[kind]
    return types


def check_type(name: str, kind: DataType) -> None:
    """Refuse what cannot be a folder's name without loss."""
    if not isinstance(kind, TYPES):
        raise PipelineError(
            f"Column {name} of type {kind.simpleString()} cannot name folders: take a whole number, "
            "a string, a date or a boolean."
        )


def _is_date(text: str) -> bool:
    try:
        return datetime.date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _escape(text: str) -> str:
    return ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", text)


def _text(name: str, value: Value) -> str:
    if value is None:
        return NULL
    if isinstance(value, bool):
        return "true" if value else "false"
    if value in ("", NULL):
        raise PipelineError(f"Column {name} holds '{value}', which as a folder's name means NULL.")
    return _escape(str(value))
