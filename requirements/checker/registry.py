"""The register of rules: what each is called, how bad it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from requirements.compiler.document import Document
from requirements.links import Links


class Finding(NamedTuple):
    """A place where a rule is broken; an empty hint means the rule's own."""

    file: str
    line: int
    column: int
    message: str
    width: int = 1
    hint: str = ""


class Acceptance(NamedTuple):
    """The version and text hash of a requirement when its links were last reviewed."""

    version: str
    hash: str


@dataclass(slots=True)
class Project:
    """What the rules about links look at."""

    root: Path
    paths: dict[str, Path]
    documents: Sequence[Document]
    links: Links
    accepted: dict[str, Acceptance] = field(default_factory=dict)


DocumentCheck = Callable[[Document], Iterator[Finding]]
CorpusCheck = Callable[[Sequence[Document]], Iterator[Finding]]
ProjectCheck = Callable[[Project], Iterator[Finding]]


class Rule(NamedTuple):
    """One rule. A fatal one means that the document cannot be read as a specification."""

    id: str
    level: str
    description: str
    hint: str
    fatal: bool = False


RULES: dict[str, Rule] = {}
DOCUMENT_CHECKS: dict[str, DocumentCheck] = {}
CORPUS_CHECKS: dict[str, CorpusCheck] = {}
PROJECT_CHECKS: dict[str, ProjectCheck] = {}


def rule(id: str, level: str, description: str, hint: str, *, fatal: bool = False) -> Rule:
    """Registers a rule; ids are unique, so a second one of the same name is a programming error."""
    if id in RULES:
        raise ValueError(f"rule {id} is registered twice")
    RULES[id] = Rule(id, level, description, hint, fatal)
    return RULES[id]


def document_rule(
    id: str, level: str, description: str, hint: str, *, fatal: bool = False
) -> Callable[[DocumentCheck], DocumentCheck]:
    """A rule that looks at one document."""

    def register(check: DocumentCheck) -> DocumentCheck:
        DOCUMENT_CHECKS[rule(id, level, description, hint, fatal=fatal).id] = check
        return check

    return register


def corpus_rule(
    id: str, level: str, description: str, hint: str
) -> Callable[[CorpusCheck], CorpusCheck]:
    """A rule that compares all documents of one call."""

    def register(check: CorpusCheck) -> CorpusCheck:
        CORPUS_CHECKS[rule(id, level, description, hint).id] = check
        return check

    return register


def project_rule(
    id: str, level: str, description: str, hint: str
) -> Callable[[ProjectCheck], ProjectCheck]:
    """A rule about links, acceptances and generated modules."""

    def register(check: ProjectCheck) -> ProjectCheck:
        PROJECT_CHECKS[rule(id, level, description, hint).id] = check
        return check

    return register
