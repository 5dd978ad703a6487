"""The mutants of the project: found in `scenarios/<feature>/mutants/`, by name."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

from helpers.base.errors import UsageError, nearest
from helpers.base.importing import import_file
from helpers.base.paths import SCENARIOS
from helpers.sensitivity.generated import GeneratedMutant
from helpers.sensitivity.mutant import Mutant, split_name


def load(folder: Path = SCENARIOS) -> dict[str, Mutant]:
    """All mutants of all features, by name."""
    mutants: dict[str, Mutant] = {}
    for module in _modules(folder):
        for value in vars(module).values():
            if isinstance(value, Mutant):
                if value.name in mutants:
                    raise UsageError(f"Two mutants are called {value.name!r}: rename one.")
                mutants[value.name] = value
    return mutants


def immune(folder: Path) -> dict[str, str]:
    """Requirements that no mutant can violate, with the reason: IMMUNE in a feature's mutants."""
    reasons: dict[str, str] = {}
    for module in _modules(folder):
        reasons |= getattr(module, "IMMUNE", {})
    return reasons


def named(name: str, folder: Path = SCENARIOS) -> Mutant | GeneratedMutant:
    """The mutant of this name; a generated one has the place that it changes in its name.

    Which assertion is switched off under it may follow; that is for the worker.
    """
    name = split_name(name)[0] or ""
    if "@" in name:
        return GeneratedMutant.parse(name)
    mutants = load(folder)
    if name not in mutants:
        raise UsageError(
            f"There is no mutant {name!r}."
            + nearest(name, mutants)
            + " ./regression.py sensitivity --list"
        )
    return mutants[name]


def _modules(folder: Path) -> list[ModuleType]:
    folder = folder.resolve()
    files = sorted(folder.glob("*/mutants/*.py"))
    return [import_file(folder, file) for file in files if not file.stem.startswith("_")]
