"""The fields of an entry of results.json; one that holds something else than it should is an error."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from helpers.base.errors import UsageError

Built = TypeVar("Built")


@dataclasses.dataclass(frozen=True)
class Entry:
    """An object of the document, and its place there for errors."""

    fields: Mapping[str, Any]
    place: str

    @classmethod
    def of(cls, value: object, place: str) -> Entry:
        if not isinstance(value, dict):
            raise UsageError(f"{place} is not an object")
        return cls(value, place)

    def at(self, key: str) -> str:
        """The place of a field."""
        return f"{self.place} {key}" if self.place.endswith(":") else f"{self.place}.{key}"

    @property
    def name(self) -> str:
        """The name that an entry has to have."""
        name = self.fields.get("name")
        if not isinstance(name, str) or not name:
            raise UsageError(f"{self.place} has no name")
        return name

    def entries(self, key: str) -> list[Entry]:
        """The objects of a list."""
        value, place = self.fields.get(key), self.at(key)
        if not isinstance(value, list):
            raise UsageError(f"{place} is missing or not a list; nothing can be shown")
        return [Entry.of(entry, f"{place}[{index}]") for index, entry in enumerate(value)]

    def by_name(self, key: str) -> dict[str, Entry]:
        """The objects of a list by their names, which have to be unique."""
        entries: dict[str, Entry] = {}
        for entry in self.entries(key):
            if entry.name in entries:
                raise UsageError(f"{self.at(key)} has {entry.name} twice")
            entries[entry.name] = Entry(entry.fields, f"{self.at(key)} {entry.name}")
        return entries

    def mapping(self, key: str) -> Mapping[str, Any]:
        return Entry.of(self.fields.get(key), self.at(key)).fields

    def one_of(self, key: str, allowed: Iterable[str]) -> str:
        value, known = self.fields.get(key), tuple(allowed)
        # In a tuple, because a value that is a list or an object has no hash.
        if value not in known:
            raise UsageError(f"{self.at(key)} is {value!r}, expected one of {', '.join(known)}")
        return str(value)

    def text(self, key: str) -> str | None:
        value = self.fields.get(key)
        return None if value is None else str(value)

    def required_text(self, key: str) -> str:
        if not isinstance(self.fields.get(key), str):
            raise UsageError(f"{self.at(key)} is missing or not a text")
        return str(self.fields[key])

    def texts(self, key: str) -> tuple[str, ...]:
        value = self.fields.get(key) or []
        if not isinstance(value, list | tuple):
            raise UsageError(f"{self.at(key)} is not a list")
        return tuple(map(str, value))

    def number(self, key: str) -> float:
        value = self.fields.get(key) or 0
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"{self.at(key)} is {value!r}, expected a number")
        return value

    def build(self, kind: type[Built], **given: object) -> Built:
        """A dataclass: the texts and numbers from the fields of the same names, the rest as given."""
        fields = dataclasses.fields(kind)  # type: ignore[arg-type]
        read = {
            field.name: READERS[str(field.type)](self, field.name)
            for field in fields
            if field.name not in given and field.type in READERS
        }
        return kind(**read, **given)


READERS: Mapping[str, Callable[[Entry, str], object]] = {
    "str": lambda entry, key: entry.text(key) or "",
    "str | None": Entry.text,
    "int": lambda entry, key: int(entry.number(key)),
    "float": Entry.number,
    "tuple[str, ...]": Entry.texts,
}
"""How a field of each type is read."""
