"""Wrong values that report when they are used.

A step may read more columns than its scenario uses. A wrong value that nothing compares, formats or counts
with is no part of any check, so a mutant that put it there has changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

# Making, copying and describing an object is not using its value: the record of statements does that.
UNTRACED = {
    *("__new__", "__init__", "__init_subclass__", "__subclasshook__", "__class__", "__doc__"),
    *("__getattribute__", "__setattr__", "__delattr__", "__dict__", "__dir__", "__repr__"),
    *("__reduce__", "__reduce_ex__", "__getnewargs__", "__getstate__", "__sizeof__"),
    "__class_getitem__",
}


def traced(value: Any, used: Callable[[], None]) -> Any:
    """The same value, which calls `used` when it is used; at once where its type cannot tell."""
    tracing_class = SUBCLASSES.get(type(value))
    if tracing_class is None:
        used()
        return value
    tracing = tracing_class(value)
    tracing._used = used
    return tracing


def _subclass(kind: type[Any]) -> Any:
    """A subclass whose methods, operators included, report before they do what they do."""
    members = {
        name: _reporting(kind, name)
        for name in dir(kind)
        if name not in UNTRACED and callable(getattr(kind, name))
    }
    return type(f"Traced{kind.__name__.capitalize()}", (kind,), members)


def _reporting(kind: type[Any], name: str) -> Callable[..., Any]:
    original = getattr(kind, name)

    def method(self: Any, *arguments: Any, **options: Any) -> Any:
        self._used()
        return original(self, *arguments, **options)

    return method


SUBCLASSES = {kind: _subclass(kind) for kind in (int, float, str, bytes, list, tuple)}
