"""Rules about a document's skeleton: files, title, headings, fences, comments, tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from requirements.checker.registry import Finding, document_rule, rule
from requirements.compiler.document import Document
from requirements.compiler.parse import TITLE

DELIMITERS = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")

rule(
    "file-missing",
    "error",
    "A named file does not exist or cannot be read.",
    "name an existing Markdown file",
    fatal=True,
)
rule(
    "file-binary",
    "error",
    "A file is not UTF-8 text.",
    "save the document as UTF-8 text",
    fatal=True,
)
rule(
    "file-empty",
    "error",
    "A file holds no text.",
    "start with a title: # SRS-001 Title",
    fatal=True,
)
rule(
    "file-too-large",
    "error",
    "A file is larger than any specification.",
    "name a specification, or split this one",
    fatal=True,
)


@document_rule(
    "no-title",
    "error",
    "A document has no level-one heading.",
    "begin the document with its id and title: # SRS-001 Title",
    fatal=True,
)
def no_title(document: Document) -> Iterator[Finding]:
    if not any(heading.level == 1 for heading in document.headings):
        yield Finding(document.file, 1, 1, "the document has no title")


@document_rule(
    "malformed-title",
    "error",
    "A title is not an id like `SRS-032`, a blank and words.",
    "write the title as: # SRS-032 What the Document Specifies",
)
def malformed_title(document: Document) -> Iterator[Finding]:
    title = next((h for h in document.headings if h.level == 1), None)
    if title and not TITLE.fullmatch(title.text):
        message = f"title '{title.text}' does not begin with an id like SRS-032"
        yield Finding(document.file, title.line, 3, message, len(title.text))


@document_rule(
    "second-title",
    "error",
    "A document has another level-one heading that is no specification's title.",
    "make it a section (##) or remove it",
)
def second_title(document: Document) -> Iterator[Finding]:
    for heading in [h for h in document.headings if h.level == 1][1:]:
        if not TITLE.fullmatch(heading.text):
            message = f"'{heading.text}' is a second title"
            yield Finding(document.file, heading.line, 1, message, len(heading.text) + 2)


@document_rule(
    "two-specifications",
    "error",
    "A file holds more than one specification.",
    "give each specification a file of its own",
    fatal=True,
)
def two_specifications(document: Document) -> Iterator[Finding]:
    for heading in [h for h in document.headings if h.level == 1][1:]:
        if TITLE.fullmatch(heading.text):
            message = f"another specification begins here: '{heading.text}'"
            yield Finding(document.file, heading.line, 1, message, len(heading.text) + 2)


@document_rule(
    "heading-level",
    "warning",
    "A heading is more than one level deeper than the one above it.",
    "use the next level, so that numbers and nesting agree",
)
def heading_level(document: Document) -> Iterator[Finding]:
    for above, heading in zip(document.headings, document.headings[1:], strict=False):
        if heading.level > above.level + 1:
            message = f"level {heading.level} follows level {above.level}"
            yield Finding(document.file, heading.line, 1, message, heading.level)


@document_rule(
    "unbalanced-fence",
    "error",
    "A fenced code block is never closed, so it swallows what follows.",
    "close the block with the marks it was opened with, on a line of their own",
    fatal=True,
)
def unbalanced_fence(document: Document) -> Iterator[Finding]:
    for fence in document.fences:
        if not fence.closed:
            yield Finding(document.file, fence.line, 1, "this code block is never closed", 3)
        elif fence.inner is not None:
            message = (
                f"this code block is not closed before another one opens in line {fence.inner}"
            )
            yield Finding(document.file, fence.line, 1, message, 3)


@document_rule(
    "fence-language",
    "warning",
    "A fenced code block does not say its language.",
    "name it after the opening marks: ```sql, or ```text for output and paths",
)
def fence_language(document: Document) -> Iterator[Finding]:
    for fence in document.fences:
        if not fence.language:
            yield Finding(document.file, fence.line, 1, "this code block names no language", 3)


@document_rule(
    "unclosed-comment",
    "error",
    "An HTML comment is never closed, so it hides what follows.",
    "close the comment with -->",
    fatal=True,
)
def unclosed_comment(document: Document) -> Iterator[Finding]:
    for line in document.unclosed_comments:
        yield Finding(document.file, line, 1, "this comment is never closed", 4)


@document_rule(
    "table-cells",
    "error",
    "A table row has more or fewer cells than its header.",
    "give the row as many cells as the header; write \\| for a bar within a cell",
)
def table_cells(document: Document) -> Iterator[Finding]:
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


@document_rule(
    "trailing-blank",
    "error",
    "A line ends with blanks, which change names, anchors and line breaks unseen.",
    "remove the blanks at the end of the line",
)
def trailing_blank(document: Document) -> Iterator[Finding]:
    for number, line in enumerate(document.lines, 1):
        kept = line.rstrip()
        if kept != line:
            message = "the line ends with blanks"
            yield Finding(document.file, number, len(kept) + 1, message, len(line) - len(kept))
