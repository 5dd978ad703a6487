"""The folder in which Hypothesis keeps histories that differed, to try them first the next time."""

from __future__ import annotations

from pathlib import Path

import hypothesis

from helpers.errors import UsageError
from helpers.paths import from_here

FORMAT = 5
"""Changes with the way histories are drawn: choices kept by another one would mean something else."""
STAMP = "version"


def check_examples(folder: Path) -> Path:
    """The folder, if it is ours or new; UsageError if another version has written it."""
    mine = f"hypothesis {hypothesis.__version__}, format {FORMAT}\n"
    stamp = folder / STAMP
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if not stamp.exists() and not any(folder.iterdir()):
            stamp.write_text(mine, encoding="utf-8")
        found = stamp.read_text(encoding="utf-8") if stamp.exists() else "nobody knows\n"
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"The examples in {from_here(folder)} cannot be used: {error}.") from None
    if found != mine:
        raise UsageError(
            f"The examples in {from_here(folder)} are from another version ({found.strip()[:60]}); "
            "remove the folder, or name another one for the results with --results."
        )
    return folder
