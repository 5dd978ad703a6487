"""Importing files of scenarios and mutants: errors are reported with file and line."""

from __future__ import annotations

import importlib
import sys
import traceback
from pathlib import Path
from types import ModuleType

from helpers.base.errors import UsageError
from helpers.base.paths import ROOT
from helpers.base.signals import Interrupt, ending_at_once


def import_file(folder: Path, file: Path) -> ModuleType:
    """The module of a file below a folder of scenarios.

    A file that ends the program while it is loaded (sys.exit) is as wrong as one that raises anything
    else: a run that never happened must not look like one that passed. A signal ends the process: Python
    would lose an exception, or call the file broken because of it.
    """
    folder = folder.resolve()
    if str(folder.parent) not in sys.path:
        sys.path.insert(0, str(folder.parent))
    name = ".".join([folder.name, *file.relative_to(folder).with_suffix("").parts])
    try:
        with ending_at_once():
            return importlib.import_module(name)
    except Interrupt:  # just before or after it
        raise
    except BaseException as error:
        place = _place_of(error, folder) or f"{shown(file)}:1"
        reason = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise UsageError(f"{place}: this scenario file cannot be loaded: {reason}") from error


def shown(file: Path) -> str:
    """A file of the project by its place in the project, another one by its whole path."""
    return str(file.relative_to(ROOT)) if file.is_relative_to(ROOT) else str(file)


def _place_of(error: BaseException, folder: Path) -> str | None:
    """The innermost line of the project that an error came from."""
    if isinstance(error, SyntaxError) and error.filename:
        return f"{shown(Path(error.filename))}:{error.lineno}"
    frames = [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if Path(frame.filename).is_relative_to(folder)
    ]
    return f"{shown(Path(frames[-1].filename))}:{frames[-1].lineno}" if frames else None
