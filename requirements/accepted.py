"""The record of reviewed links: which version and text a requirement had when they were accepted."""

from __future__ import annotations

import json
from pathlib import Path

from requirements.checker.registry import Acceptance

FILE = Path("requirements") / "accepted.json"


class AcceptedFileError(Exception):
    """The record is not what `requirements accept` writes."""


def read_accepted(root: Path) -> dict[str, Acceptance]:
    """The record, empty if nothing was ever accepted."""
    path = root / FILE
    if not path.exists():
        return {}
    try:
        entries = json.loads(path.read_text(encoding="utf-8"))
        return {
            str(name): Acceptance(str(entry["version"]), str(entry["hash"]))
            for name, entry in entries.items()
        }
    except (ValueError, KeyError, TypeError, AttributeError, OSError) as error:
        reason = f"{type(error).__name__}: {error}"
        raise AcceptedFileError(
            f"{FILE.as_posix()}: not a record of accepted links ({reason})"
        ) from None


def write_accepted(root: Path, accepted: dict[str, Acceptance]) -> None:
    """Writes the record sorted by name, so that a change of one requirement is one changed line."""
    lines = [
        f"  {json.dumps(name)}: " + json.dumps({"version": entry.version, "hash": entry.hash})
        for name, entry in sorted(accepted.items())
    ]
    text = "{\n" + ",\n".join(lines) + "\n}\n" if lines else "{}\n"
    (root / FILE).write_text(text, encoding="utf-8")
