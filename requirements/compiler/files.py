"""Finds and reads the specifications of a project, and writes the modules they compile to."""

from __future__ import annotations

from pathlib import Path

from requirements.compiler.document import Document
from requirements.compiler.emit import emit
from requirements.compiler.parse import parse
from requirements.compiler.source import read_source
from requirements.compiler.specification import Specification

ROOT = Path(__file__).resolve().parents[2]


def specification_files(root: Path = ROOT) -> list[Path]:
    """The project's specifications, in the order of their names."""
    return sorted((root / "requirements").glob("srs*.md"))


def read_document(path: Path, root: Path = ROOT) -> Document:
    """Parses one file; names it relative to the project when it is a part of it."""
    return parse(read_source(path), shown_path(path, root))


def read_specifications(root: Path = ROOT) -> list[Specification]:
    """All specifications of the project, straight from the Markdown."""
    return [read_document(path, root).specification for path in specification_files(root)]


def shown_path(path: Path, root: Path = ROOT) -> str:
    """The path as diagnostics and modules name it."""
    try:
        return path.resolve().relative_to(root.resolve()).as_posix()
    except ValueError:
        return path.as_posix()


def module_path(specification: Path) -> Path:
    """Where a specification's module stands: beside it."""
    return specification.with_suffix(".py")


def is_current(document: Document, path: Path) -> bool:
    """Whether the module beside `path` is what the document compiles to."""
    module = module_path(path)
    return module.is_file() and module.read_bytes() == emit(document.specification).encode()
