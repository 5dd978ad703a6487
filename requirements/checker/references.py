"""Rules about links within a document: reference definitions and anchors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import unquote

from requirements.checker.registry import Finding, document_rule
from requirements.compiler.document import Document

# A label begins with a letter or digit: `[ ]` is a task, `[^1]` a footnote.
UNRESOLVED = re.compile(r"\[([A-Za-z0-9][^\[\]]*)\]")


@document_rule(
    "error", "define it at the end, `[label]: address`, or put it in backticks if it is code"
)
def broken_reference(document: Document) -> Iterator[Finding]:
    """A reference in brackets has no definition."""
    for piece in document.pieces:
        if piece.code or piece.in_toc:
            continue
        for match in UNRESOLVED.finditer(piece.text):
            column = piece.column + match.start()
            message = f"'{match[0]}' is not defined"
            yield Finding(document.file, piece.line, column, message, len(match[0]))


@document_rule("warning", "use it or remove the definition")
def unused_reference(document: Document) -> Iterator[Finding]:
    """A reference is defined and never used."""
    used = {link.label.casefold() for link in document.links}
    for definition in document.definitions:
        if not definition.repeated and _key(definition.label) not in used:
            message = f"'[{definition.label}]' is never used"
            width = len(definition.label) + 2
            yield Finding(document.file, definition.line, 1, message, width)


@document_rule("warning", "keep one definition")
def repeated_reference(document: Document) -> Iterator[Finding]:
    """A reference is defined twice; only the first definition counts."""
    for definition in document.definitions:
        if definition.repeated:
            message = f"'[{definition.label}]' is already defined"
            width = len(definition.label) + 2
            yield Finding(document.file, definition.line, 1, message, width)


@document_rule("warning", "spell both alike")
def reference_case(document: Document) -> Iterator[Finding]:
    """A reference is spelt differently from its definition."""
    labels = {_key(definition.label): definition.label for definition in document.definitions}
    for link in document.links:
        label = labels.get(link.label.casefold())
        source = document.lines[link.line - 1][link.column - 1 :]
        if label and f"[{label}]" not in source:
            message = f"defined as '[{label}]'"
            yield Finding(document.file, link.line, link.column, message, len(label) + 2)


@document_rule("error", "link to the `#anchor` of a heading, as the table of contents does")
def broken_link(document: Document) -> Iterator[Finding]:
    """A link leads nowhere: to no address, or to an anchor that no heading has."""
    anchors = {f"#{heading.anchor}" for heading in document.headings}
    for link in document.links:
        if link.in_toc:
            continue
        target = unquote(link.target)
        if not target or (target.startswith("#") and target not in anchors):
            message = f"no heading has the anchor '{target}'" if target else "no address"
            yield Finding(document.file, link.line, link.column, message)


def _key(label: str) -> str:
    return " ".join(label.split()).casefold()
