"""Rules about what requirements say: one binding sentence each, none twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from requirements.checker.names import finding_at, repeated
from requirements.checker.registry import Finding, corpus_rule, document_rule
from requirements.compiler.document import Document, Piece, RequirementBlock

SHALL = re.compile(r"\bSHALL\b")
WEAK = re.compile(r"\b(should|must)\b", re.IGNORECASE)
DOUBLED_WORD = re.compile(r"\b([A-Za-z]{2,}) \1\b")
DOUBLED_MARK = re.compile(r"(?<!\.)\.\.(?!\.)|,,|;;")


@corpus_rule("error", "say what sets them apart, or drop one")
def identical_text(documents: Sequence[Document]) -> Iterator[Finding]:
    """Two requirements say the same."""
    for document, requirement, first in repeated(documents, lambda each: each.content_hash):
        if requirement.text:
            message = f"{requirement.name} says the same as {first.name} (line {first.line})"
            yield finding_at(document, requirement.line, requirement.name, message)


@document_rule("error", "state it in one sentence: [ClickHouse] SHALL …")
def no_shall(document: Document) -> Iterator[Finding]:
    """A requirement does not say what SHALL hold."""
    for block in document.requirements:
        if not _matches(document, block, SHALL):
            name = block.heading.text
            yield finding_at(document, block.heading.line, name, f"{name} has no SHALL")


@document_rule("warning", "split it, so that each part can be verified and linked on its own")
def several_shalls(document: Document) -> Iterator[Finding]:
    """A requirement states more than one thing that SHALL hold."""
    for block in document.requirements:
        matches = _matches(document, block, SHALL)
        if len(matches) > 1:
            line, column, _ = matches[1]
            message = f"{block.heading.text} has {len(matches)} SHALLs"
            yield Finding(document.file, line, column, message, 5)


@document_rule("warning", "use SHALL for what is required, and plain present tense for the rest")
def weak_wording(document: Document) -> Iterator[Finding]:
    """A requirement says should or must where only SHALL binds."""
    for block in document.requirements:
        for line, column, word in _matches(document, block, WEAK):
            message = f"'{word}' leaves open whether it is required"
            yield Finding(document.file, line, column, message, len(word))


@document_rule("warning", "remove one of them")
def doubled_word(document: Document) -> Iterator[Finding]:
    """A word stands twice in a row."""
    for piece in _prose(document):
        for match in DOUBLED_WORD.finditer(piece.text):
            column = piece.column + match.start()
            yield Finding(document.file, piece.line, column, f"'{match[0]}'", len(match[0]))


@document_rule("warning", "put one mark and one blank")
def punctuation(document: Document) -> Iterator[Finding]:
    """A full stop or comma is doubled, or no blank follows a comma."""
    for piece in _prose(document):
        for match in DOUBLED_MARK.finditer(piece.text):
            column = piece.column + match.start()
            yield Finding(document.file, piece.line, column, f"doubled '{match[0]}'", 2)
        if piece.before_link and piece.text.endswith((",", ";", ".")):
            column = piece.column + len(piece.text) - 1
            yield Finding(document.file, piece.line, column, "no blank before the link")


def _prose(document: Document) -> Iterator[Piece]:
    return (piece for piece in document.pieces if not piece.code and not piece.in_toc)


def _matches(
    document: Document, block: RequirementBlock, pattern: re.Pattern[str]
) -> list[tuple[int, int, str]]:
    """Where a pattern stands in a requirement's prose: line, column, text."""
    return [
        (piece.line, piece.column + match.start(), match[0])
        for piece in document.pieces_between(block.text_start, block.text_end)
        if not piece.code
        for match in pattern.finditer(piece.text)
    ]
