"""The register of rules: id, level and hint of each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, TypeVar

from requirements.blind_checks import BlindCheck
from requirements.compiler.document import Document
from requirements.earlier import Earlier
from requirements.links import Links
from requirements.variants import VariantTable


class Finding(NamedTuple):
    """A place where a rule is broken; an empty hint means the rule's own."""

    file: str
    line: int
    column: int
    message: str
    width: int = 1
    hint: str = ""


class Acceptance(NamedTuple):
    """The version and text hash of a requirement when its links were last reviewed, by whom, and what
    was compared with what; reviews of before that was asked do not say."""

    version: str
    hash: str
    by: str = ""
    reason: str = ""

    @property
    def text(self) -> tuple[str, str]:
        """What was accepted."""
        return self.version, self.hash


class DeviationMark(NamedTuple):
    """One `@deviates` of a scenario, as the rules see it."""

    id: str
    file: str
    line: int
    kind: str | None
    observed: Mapping[str, str | re.Pattern[str]]


class EquivalentMark(NamedTuple):
    """A mutant that nothing has to notice: the pattern of its operator, and a part of the statement."""

    file: str
    line: int
    mutant: str
    statement: str


class Marks(NamedTuple):
    """What scenarios say of the product and of mutants; empty where they were not loaded."""

    deviations: Sequence[DeviationMark] = ()
    equivalents: Sequence[EquivalentMark] = ()


@dataclass(slots=True)
class Project:
    """The data that rules about the project check."""

    root: Path
    paths: dict[str, Path]
    documents: Sequence[Document]
    links: Links
    accepted: dict[str, Acceptance] = field(default_factory=dict)
    tables: list[VariantTable] = field(default_factory=list)
    marks: Marks = Marks()  # noqa: RUF009
    blind_checks: Sequence[BlindCheck] = ()
    earlier: Earlier | None = None


DocumentCheck = Callable[[Document], Iterator[Finding]]
CorpusCheck = Callable[[Sequence[Document]], Iterator[Finding]]
ProjectCheck = Callable[[Project], Iterator[Finding]]
Check = TypeVar("Check", bound=Callable[..., Iterator[Finding]])


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


def add_rule(rule: Rule) -> None:
    """Registers a rule; ids are unique, so a second one of the same name is a programming error."""
    if rule.id in RULES:
        raise ValueError(f"rule {rule.id} is registered twice")
    RULES[rule.id] = rule


def _decorator(checks: dict[str, Check]) -> Callable[..., Callable[[Check], Check]]:
    """A decorator that registers a check: its name is the rule's id, its docstring the description."""

    def rule(level: str, hint: str, *, fatal: bool = False) -> Callable[[Check], Check]:
        def register(check: Check) -> Check:
            id = check.__name__.replace("_", "-")
            add_rule(Rule(id, level, check.__doc__ or "", hint, fatal))
            checks[id] = check
            return check

        return register

    return rule


# A rule looks at one document, compares all documents of one call, or looks at the project: its
# links, acceptances and generated modules.
document_rule = _decorator(DOCUMENT_CHECKS)
corpus_rule = _decorator(CORPUS_CHECKS)
project_rule = _decorator(PROJECT_CHECKS)
