"""A cache of what was read from specifications and scenarios, until one of their files changes.

Reading takes half a second of every run: a Markdown parser for the specifications, the syntax trees of two
hundred files of scenarios for the links.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path

from helpers.base.files import write_whole
from pipelines.spark.java import cache_folder
from requirements.compiler.model import Specification
from requirements.links import Link

# The specifications and the links.
Content = tuple[list[Specification], list[Link]]
# The texts, the scenarios with their steps and variants, and the code that reads them.
SOURCES = (
    "requirements/*.md",
    "requirements/**/*.py",
    "scenarios/**/*.py",
)
# The compiled specifications: nothing is read from them.
COMPILED = "srs*.py"
PREFIX = "specifications-"
# How many files are kept: those of working copies that were removed stay behind.
MOST = 10


def cached(root: Path, read: Callable[[], Content]) -> Content:
    """The cached result of `read` if the files are unchanged, otherwise a new one."""
    now = fingerprint(root)
    # One file for each working copy that shares the environment.
    name = hashlib.sha256(os.fsencode(root.resolve())).hexdigest()[:12]
    file = cache_folder() / f"{PREFIX}{name}.pickle"
    with (
        contextlib.suppress(OSError, EOFError, ValueError, pickle.UnpicklingError),
        file.open("rb") as stream,
    ):
        if pickle.load(stream) == now:
            content: Content = pickle.load(stream)
            return content
    content = read()
    with contextlib.suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(file, pickle.dumps(now) + pickle.dumps(content))
        files = sorted(file.parent.glob(f"{PREFIX}*.pickle"), key=lambda path: path.stat().st_mtime)
        for old in files[:-MOST]:
            old.unlink(missing_ok=True)
    return content


def fingerprint(root: Path) -> str:
    """A hash of names and contents of the files, in the order of their names."""
    digest = hashlib.sha256()
    for path in _sources(root):
        text = path.read_bytes()
        digest.update(b"%s\0%d\0" % (os.fsencode(path.relative_to(root)), len(text)))
        digest.update(text)
    return digest.hexdigest()


def _sources(root: Path) -> Iterator[Path]:
    for pattern in SOURCES:
        for path in sorted(root.glob(pattern)):
            if not path.match(COMPILED) and path.is_file():
                yield path
