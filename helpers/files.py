"""Writing a file as a whole."""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(file: Path, data: bytes, mode: int = 0o666) -> None:
    """Replace a file at once: whoever reads it finds the old content or the new, never a part of it."""
    partial = file.with_name(f"{file.name}.{os.getpid()}.partial")
    partial.touch(mode)
    partial.write_bytes(data)
    partial.replace(file)
