"""Rules about a document's skeleton: files, title, headings, fences, comments, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from requirements.checker.registry import Finding, Rule, add_rule, document_rule
from requirements.compiler.document import Document, Heading
from requirements.compiler.parse import TITLE

DELIMITERS = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")

# Broken by files that cannot be read as a document at all (requirements/compiler/source.py).
UNREADABLE = {
    "missing": ("A named file does not exist or cannot be read.", "name an existing Markdown file"),
    "binary": ("A file is not UTF-8 text.", "save the document as UTF-8 text"),
    "empty": ("A file holds no text.", "start with a title: # SRS-001 Title"),
    "too-large": (
        "A file is larger than any specification.",
        "name a specification, or split this one",
    ),
}
for name, (description, hint) in UNREADABLE.items():
    add_rule(Rule(f"file-{name}", "error", description, hint, fatal=True))


def _titles(document: Document) -> list[Heading]:
    return [heading for heading in document.headings if heading.level == 1]


@document_rule("error", "begin the document with its id and title: # SRS-001 Title", fatal=True)
def no_title(document: Document) -> Iterator[Finding]:
    """A document has no level-one heading."""
    if not _titles(document):
        yield Finding(document.file, 1, 1, "the document has no title")


@document_rule("error", "write the title as: # SRS-032 What the Document Specifies")
def malformed_title(document: Document) -> Iterator[Finding]:
    """A title is not an id like `SRS-032`, a blank and words."""
    for title in _titles(document)[:1]:
        if TITLE.fullmatch(title.text):
            continue
        message = f"title '{title.text}' does not begin with an id like SRS-032"
        yield Finding(document.file, title.line, 3, message, len(title.text))


@document_rule("error", "make it a section (##) or remove it")
def second_title(document: Document) -> Iterator[Finding]:
    """A document has another level-one heading that is no specification's title."""
    for heading in _titles(document)[1:]:
        if not TITLE.fullmatch(heading.text):
            message = f"'{heading.text}' is a second title"
            yield Finding(document.file, heading.line, 1, message, len(heading.text) + 2)


@document_rule("error", "give each specification a file of its own", fatal=True)
def two_specifications(document: Document) -> Iterator[Finding]:
    """A file holds more than one specification."""
    for heading in _titles(document)[1:]:
        if TITLE.fullmatch(heading.text):
            message = f"another specification begins here: '{heading.text}'"
            yield Finding(document.file, heading.line, 1, message, len(heading.text) + 2)


@document_rule("warning", "use the next level, so that numbers and nesting agree")
def heading_level(document: Document) -> Iterator[Finding]:
    """A heading is more than one level deeper than the one above it."""
    for above, heading in zip(document.headings, document.headings[1:], strict=False):
        if heading.level > above.level + 1:
            message = f"level {heading.level} follows level {above.level}"
            yield Finding(document.file, heading.line, 1, message, heading.level)


@document_rule(
    "error", "close the block with the marks it was opened with, on a line of their own", fatal=True
)
def unbalanced_fence(document: Document) -> Iterator[Finding]:
    """A fenced code block is never closed, so it swallows what follows."""
    for fence in document.fences:
        if not fence.closed:
            yield Finding(document.file, fence.line, 1, "this code block is never closed", 3)
        elif fence.inner is not None:
            message = (
                f"this code block is not closed before another one opens in line {fence.inner}"
            )
            yield Finding(document.file, fence.line, 1, message, 3)


@document_rule(
    "warning", "name it after the opening marks: ```sql, or ```text for output and paths"
)
def fence_language(document: Document) -> Iterator[Finding]:
    """A fenced code block does not say its language."""
    for fence in document.fences:
        if not fence.language:
            yield Finding(document.file, fence.line, 1, "this code block names no language", 3)


@document_rule("error", "close the comment with -->", fatal=True)
def unclosed_comment(document: Document) -> Iterator[Finding]:
    """An HTML comment is never closed, so it hides what follows."""
    for line in document.unclosed_comments:
        yield Finding(document.file, line, 1, "this comment is never closed", 4)


@document_rule(
    "error", "give the row as many cells as the header; write \\| for a bar within a cell"
)
def table_cells(document: Document) -> Iterator[Finding]:
    """A table row has more or fewer cells than its header."""
    for row in document.rows:
        if row.cells != row.expected:
            message = f"the row has {row.cells} cells, the header {row.expected}"
            yield Finding(document.file, row.line, 1, message, len(document.lines[row.line - 1]))
    for piece in document.pieces:
        # In a table this line is no prose; here the header does not fit it, and there is no table.
        if not piece.code and DELIMITERS.fullmatch(piece.text.strip()):
            message = "the header has another number of cells than the line below it"
            header = document.lines[piece.line - 2]
            yield Finding(document.file, piece.line - 1, 1, message, len(header))


@document_rule("error", "remove the blanks at the end of the line")
def trailing_blank(document: Document) -> Iterator[Finding]:
    """A line ends with blanks, which change names, anchors and line breaks unseen."""
    for number, line in enumerate(document.lines, 1):
        kept = line.rstrip()
        if kept != line:
            message = "the line ends with blanks"
            yield Finding(document.file, number, len(kept) + 1, message, len(line) - len(kept))
