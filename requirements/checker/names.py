"""Rules about requirements: their names, versions and fields."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from requirements.checker.registry import Finding, corpus_rule, document_rule
from requirements.compiler.document import Document
from requirements.compiler.parse import NAME
from requirements.compiler.specification import RequirementText

VERSION = re.compile(r"\d+\.\d+")
TITLE_FIELDS: tuple[str, ...] = ("state", "reason", "origin", "statements")
REQUIREMENT_FIELDS: tuple[str, ...] = ("version", "origin", "statements", "untested")


def requirements_of(documents: Sequence[Document]) -> Iterator[tuple[Document, RequirementText]]:
    """Every requirement of all documents with the document it stands in."""
    for document in documents:
        for requirement in document.specification.requirements:
            yield document, requirement


def repeated(
    documents: Sequence[Document], key: Callable[[RequirementText], str]
) -> Iterator[tuple[Document, RequirementText, RequirementText]]:
    """Every requirement with the key of an earlier one, and the first one that has it."""
    seen: dict[str, RequirementText] = {}
    for document, requirement in requirements_of(documents):
        first = seen.setdefault(key(requirement), requirement)
        if first is not requirement:
            yield document, requirement, first


def finding_at(document: Document, line: int, text: str, message: str) -> Finding:
    """A finding at the first place of `text` in a line."""
    return Finding(document.file, line, document.column(line, text), message, len(text))


@document_rule("error", "write a requirement as a heading that is its name: ### RQ.SRS-001.Name")
def no_requirements(document: Document) -> Iterator[Finding]:
    """A document states no requirement."""
    if not document.requirements:
        yield Finding(document.file, document.specification.line, 1, "no requirement is stated")


@document_rule("error", "use letters, digits, `-`, `_` and dots only: RQ.SRS-032.ClickHouse.Name")
def malformed_name(document: Document) -> Iterator[Finding]:
    """A heading begins like a requirement's name and is none, so it would be lost."""
    for heading in document.headings:
        if re.match(r"RQ\b", heading.text, re.IGNORECASE) and (
            not NAME.fullmatch(heading.text) or heading.level == 1
        ):
            message = f"'{heading.text}' is not a requirement's name"
            yield finding_at(document, heading.line, heading.text, message)


@document_rule("error", "put `version: 1.0` on the line under the heading")
def missing_version(document: Document) -> Iterator[Finding]:
    """A requirement states no version."""
    for block in document.requirements:
        field = block.field("version")
        if field is None or not field.value:
            name = block.heading.text
            yield finding_at(document, block.heading.line, name, f"{name} has no version")


@document_rule("error", "write two numbers with a dot, like 1.0")
def malformed_version(document: Document) -> Iterator[Finding]:
    """A version is not MAJOR.MINOR."""
    for block in document.requirements:
        for field in block.fields:
            if field.key == "version" and field.value and not VERSION.fullmatch(field.value):
                message = f"'{field.value}' is not a version"
                yield finding_at(document, field.line, field.value, message)


@document_rule(
    "error", "a requirement may have `version`, `origin`, `statements`, `untested: reason`"
)
def field(document: Document) -> Iterator[Finding]:
    """A field under a heading is unknown, empty or given twice."""
    known = [(document.title_fields, TITLE_FIELDS)]
    known += [(list(block.fields), REQUIREMENT_FIELDS) for block in document.requirements]
    for fields, names in known:
        seen: set[str] = set()
        for field in fields:
            if field.key not in names:
                message = f"unknown field '{field.key}', known are {', '.join(names)}"
            elif field.key in seen:
                message = f"'{field.key}' is given twice"
            elif not field.value and field.key != "version":
                message = f"'{field.key}' is empty"
            else:
                message = ""
            seen.add(field.key)
            if message:
                yield finding_at(document, field.line, field.key, message)


@document_rule("error", "write `state: planned` and `reason: …` under the title, or neither")
def planned_state(document: Document) -> Iterator[Finding]:
    """A specification's state is unknown, or it is planned without a reason."""
    fields = {field.key: field for field in document.title_fields}
    state, reason = fields.get("state"), fields.get("reason")
    if state and state.value != "planned":
        yield finding_at(document, state.line, state.value, f"unknown state '{state.value}'")
    elif state and not reason:
        yield finding_at(document, state.line, state.value, "planned without a reason")
    elif reason and not state:
        yield finding_at(document, reason.line, "reason", "a reason without a state")


@document_rule("warning", "give both headings the same level")
def nested_requirement(document: Document) -> Iterator[Finding]:
    """A requirement stands beneath another requirement."""
    names = {block.heading.text for block in document.requirements}
    for block in document.requirements:
        above = block.heading.path[-1] if block.heading.path else ""
        if above in names:
            name = block.heading.text
            yield finding_at(document, block.heading.line, name, f"{name} is part of {above}")


@corpus_rule("error", "rename one of them; names are never reused")
def duplicate_name(documents: Sequence[Document]) -> Iterator[Finding]:
    """Two requirements have the same name."""
    for document, requirement, first in repeated(documents, lambda each: each.name):
        message = f"{requirement.name} is already in {first.file}:{first.line}"
        yield finding_at(document, requirement.line, requirement.name, message)


@corpus_rule("error", "rename one so that they differ in more than dots, `-` and `_`")
def python_name(documents: Sequence[Document]) -> Iterator[Finding]:
    """Two names become one and the same Python name."""
    for document, requirement, first in repeated(documents, lambda each: each.python_name):
        if first.name != requirement.name:
            message = f"{requirement.name} and {first.name} both become {first.python_name}"
            yield finding_at(document, requirement.line, requirement.name, message)


@corpus_rule("error", "give each specification an id of its own")
def duplicate_specification(documents: Sequence[Document]) -> Iterator[Finding]:
    """Two documents have the same id."""
    seen: dict[str, str] = {}
    for document in documents:
        specification = document.specification
        first = seen.setdefault(specification.id, document.file)
        if specification.id and first != document.file:
            message = f"{specification.id} is already the id of {first}"
            yield finding_at(document, specification.line, specification.id, message)
