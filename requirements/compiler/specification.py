"""What a specification says: plain records that need neither Markdown nor TestFlows."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Section:
    """One numbered heading of a specification, a requirement's own heading included."""

    title: str
    level: int
    number: str


@dataclass(frozen=True, slots=True)
class RequirementText:
    """One requirement as it is written: what it says, where, and a hash that notices a change."""

    name: str
    version: str
    specification: str
    heading_path: tuple[str, ...]
    level: int
    number: str
    file: str
    line: int
    text: str
    content_hash: str
    origin: str
    untested_reason: str
    python_name: str


@dataclass(frozen=True, slots=True)
class Specification:
    """One document: its identity, whether anybody verifies it yet, and its requirements."""

    id: str
    title: str
    file: str
    line: int
    state: str
    reason: str
    sections: tuple[Section, ...]
    requirements: tuple[RequirementText, ...]

    @property
    def planned(self) -> bool:
        """Whether the document says that no scenario verifies it yet."""
        return self.state == "planned"

    @property
    def python_name(self) -> str:
        """The name of the TestFlows object: `SRS-032` becomes `SRS_032`."""
        return python_name(self.id)


def python_name(name: str) -> str:
    """The identifier under which a requirement or a specification is imported."""
    return re.sub(r"[^A-Za-z0-9_]", "_", name)


def content_hash(text: str) -> str:
    """A short hash of what a requirement says; reflowing its lines does not change it."""
    normalised = " ".join(text.split())
    return hashlib.sha256(normalised.encode()).hexdigest()[:12]
