"""Writing files: as a whole, and readable by nobody else."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(file: Path, data: bytes, mode: int = 0o666) -> None:
    """Replace a file at once: whoever reads it finds the old content or the new, never a part of it."""
    partial = file.with_name(f"{file.name}.{os.getpid()}.partial")
    partial.touch(mode)
    partial.write_bytes(data)
    partial.replace(file)


def write_private(file: Path, text: str) -> None:
    """Write a file with secrets in it, which only its owner may read."""
    file.touch(mode=0o600)
    file.write_text(text)
