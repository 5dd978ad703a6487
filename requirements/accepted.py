"""The record of reviewed links: which version and text a requirement had when they were accepted."""

from __future__ import annotations

from pathlib import Path

from requirements.checker.registry import Acceptance
from requirements.records import read_record, write_record

FILE = Path("requirements") / "accepted.json"


def read_accepted(root: Path) -> dict[str, Acceptance]:
    """The record, empty if nothing was ever accepted."""
    return read_record(
        root / FILE,
        "accepted links",
        lambda entry: Acceptance(str(entry["version"]), str(entry["hash"])),
    )


def write_accepted(root: Path, accepted: dict[str, Acceptance]) -> None:
    write_record(root / FILE, {name: entry._asdict() for name, entry in accepted.items()})
