"""Writing files: atomically, for their owner only, and where the command line says."""

from __future__ import annotations

import os
from pathlib import Path

from helpers.base.errors import UsageError


def write_whole(file: Path, data: bytes, mode: int = 0o666) -> None:
    """Replace a file atomically: readers see the old content or the new, never a part of it."""
    partial = file.with_name(f"{file.name}.{os.getpid()}.partial")
    partial.touch(mode)
    partial.write_bytes(data)
    partial.replace(file)


def write_private(file: Path, text: str) -> None:
    """Write a file with secrets in it, which only its owner may read."""
    file.touch(mode=0o600)
    file.write_text(text)


def write_report(file: Path, text: str) -> None:
    """Write a file that the command line names, and make its folder; UsageError if that fails."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(f"{file}: cannot be written: {error.strerror}") from None
