"""The record of reviewed links: which version and text a requirement had when they were accepted."""

from __future__ import annotations

from pathlib import Path

from requirements.checker.registry import Acceptance
from requirements.earlier import FILE
from requirements.records import read_record, write_record


def read_accepted(root: Path) -> dict[str, Acceptance]:
    """The record, empty if nothing was ever accepted."""
    return read_record(
        root / FILE,
        "accepted links",
        lambda entry: Acceptance(**{key: str(entry[key]) for key in entry}),
    )


def write_accepted(root: Path, accepted: dict[str, Acceptance]) -> None:
    write_record(root / FILE, {name: _shown(entry) for name, entry in accepted.items()})


def _shown(entry: Acceptance) -> dict[str, str]:
    return {key: value for key, value in entry._asdict().items() if value}
