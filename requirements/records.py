"""The records of what was accepted (requirements/*.json), a line for each entry."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar

Entry = TypeVar("Entry")


class RecordError(Exception):
    """A record is not what `requirements accept` writes."""


def read_record(path: Path, what: str, decode: Callable[[Any], Entry]) -> dict[str, Entry]:
    """The entries by name; empty if nothing was ever recorded."""
    if not path.exists():
        return {}
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {str(name): decode(entry) for name, entry in entries.items()}
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise RecordError(f"requirements/{path.name}: not a record of {what} ({reason})") from None


def write_record(path: Path, entries: Mapping[str, object]) -> None:
    """Writes the entries, sorted by name."""
    lines = [f"  {json.dumps(name)}: {json.dumps(entries[name])}" for name in sorted(entries)]
    text = "{\n" + ",\n".join(lines) + "\n}\n" if lines else "{}\n"
    path.write_text(text, encoding="utf-8")
