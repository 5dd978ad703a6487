"""Rules about what requirements say: one binding sentence each, none twice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from requirements.checker.names import finding_at, requirements_of
from requirements.checker.registry import Finding, corpus_rule, document_rule
from requirements.compiler.document import Document, Piece, RequirementBlock
from requirements.compiler.model import RequirementText

SHALL = re.compile(r"\bSHALL\b")
WEAK = re.compile(r"\b(should|must)\b", re.IGNORECASE)
DOUBLED_WORD = re.compile(r"\b([A-Za-z]{2,}) \1\b")
DOUBLED_MARK = re.compile(r"(?<!\.)\.\.(?!\.)|,,|;;")


@corpus_rule(
    "identical-text",
    "error",
    "Two requirements say the same.",
    "say what sets them apart, or drop one",
)
def identical_text(documents: Sequence[Document]) -> Iterator[Finding]:
    seen: dict[str, RequirementText] = {}
    for document, requirement in requirements_of(documents):
        if not requirement.text:
            continue
        first = seen.setdefault(requirement.content_hash, requirement)
        if first is not requirement:
            message = f"{requirement.name} says the same as {first.name} (line {first.line})"
            yield finding_at(document, requirement.line, requirement.name, message)


@document_rule(
    "no-shall",
    "error",
    "A requirement does not say what SHALL hold.",
    "state it in one sentence: [ClickHouse] SHALL …",
)
def no_shall(document: Document) -> Iterator[Finding]:
    for block in document.requirements:
        if not _matches(document, block, SHALL):
            name = block.heading.text
            yield finding_at(document, block.heading.line, name, f"{name} has no SHALL")


@document_rule(
    "several-shalls",
    "warning",
    "A requirement states more than one thing that SHALL hold.",
    "split it, so that each part can be verified and linked on its own",
)
def several_shalls(document: Document) -> Iterator[Finding]:
    for block in document.requirements:
        found = _matches(document, block, SHALL)
        if len(found) > 1:
            line, column, _ = found[1]
            message = f"{block.heading.text} has {len(found)} SHALLs"
            yield Finding(document.file, line, column, message, 5)


@document_rule(
    "weak-wording",
    "warning",
    "A requirement says should or must where only SHALL binds.",
    "use SHALL for what is required, and plain present tense for the rest",
)
def weak_wording(document: Document) -> Iterator[Finding]:
    for block in document.requirements:
        for line, column, word in _matches(document, block, WEAK):
            message = f"'{word}' leaves open whether it is required"
            yield Finding(document.file, line, column, message, len(word))


@document_rule(
    "doubled-word",
    "warning",
    "A word stands twice in a row.",
    "remove one of them",
)
def doubled_word(document: Document) -> Iterator[Finding]:
    for piece in _prose(document):
        for match in DOUBLED_WORD.finditer(piece.text):
            column = piece.column + match.start()
            yield Finding(document.file, piece.line, column, f"'{match[0]}'", len(match[0]))


@document_rule(
    "punctuation",
    "warning",
    "A full stop or comma is doubled, or no blank follows a comma.",
    "put one mark and one blank",
)
def punctuation(document: Document) -> Iterator[Finding]:
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
