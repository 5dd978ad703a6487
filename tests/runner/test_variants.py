"""Tables of variants: a scenario that loops over an empty one passes and has shown nothing."""

from __future__ import annotations

import pkgutil
from collections.abc import Collection, Iterator
from importlib import import_module
from types import ModuleType

import scenarios
import steps


def modules() -> Iterator[ModuleType]:
    for package in (scenarios, steps):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            yield import_module(module.name)


def empty_tables(module: ModuleType) -> list[str]:
    """Constants of a module that could have something in them and have not."""
    return [
        name
        for name, value in vars(module).items()
        if name.isupper() and isinstance(value, Collection) and not isinstance(value, str)
        if not value
    ]


def test_no_table_of_variants_is_empty() -> None:
    found = {module.__name__: empty_tables(module) for module in modules()}
    assert len(found) > 100
    assert {name: tables for name, tables in found.items() if tables} == {}


def test_an_empty_one_would_be_found() -> None:
    module = ModuleType("careless")
    vars(module).update(CELLS={}, NAMES=(), KEPT=[1], TEXT="", lower=[])
    assert empty_tables(module) == ["CELLS", "NAMES"]
