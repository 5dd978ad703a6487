"""The fields of an entry of results.json; one that holds something else than it should is an error."""

from collections.abc import Mapping
from typing import Any

from helpers.errors import UsageError

Fields = Mapping[str, Any]


def named(entry: object, place: str) -> Fields:
    """The fields of an object that has to have a name."""
    fields = as_object(entry, place)
    if not isinstance(fields.get("name"), str) or not fields["name"]:
        raise UsageError(f"{place} has no name")
    return fields


def as_object(value: object, place: str) -> Fields:
    if not isinstance(value, dict):
        raise UsageError(f"{place} is not an object")
    return value


def as_list(value: object, place: str) -> list[Any]:
    if not isinstance(value, list):
        raise UsageError(f"{place} is missing or not a list; nothing can be shown")
    return value


def one_of(fields: Fields, key: str, allowed: tuple[str, ...], place: str) -> str:
    value = fields.get(key)
    # A list or an object cannot be looked up in everything, and a tuple takes them.
    if value not in allowed:
        raise UsageError(f"{place}.{key} is {value!r}, expected one of {', '.join(allowed)}")
    return str(value)


def text(fields: Fields, key: str) -> str | None:
    value = fields.get(key)
    return None if value is None else str(value)


def texts(fields: Fields, key: str, place: str) -> tuple[str, ...]:
    value = fields.get(key) or []
    if not isinstance(value, list | tuple):
        raise UsageError(f"{place}.{key} is not a list")
    return tuple(map(str, value))


def number(fields: Fields, key: str, place: str) -> float:
    value = fields.get(key) or 0
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise UsageError(f"{place}.{key} is {value!r}, expected a number")
    return value
