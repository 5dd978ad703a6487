"""Rules about the table of contents: exactly the headings, with their numbers and anchors."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterator

from requirements.checker.registry import Finding, document_rule
from requirements.compiler.document import Document, Heading, TocEntry
from requirements.compiler.toc import numbered

REWRITE = "`requirements compile --toc` writes the table of contents anew"


def matched(document: Document) -> tuple[list[tuple[TocEntry, Heading | None]], list[Heading]]:
    """Each entry with the heading it means, and the headings that no entry means."""
    waiting: defaultdict[str, list[Heading]] = defaultdict(list)
    for heading in numbered(document.headings):
        waiting[heading.text].append(heading)
    pairs: list[tuple[TocEntry, Heading | None]] = []
    for entry in document.toc:
        same_title = waiting[entry.title.strip()]
        pairs.append((entry, same_title.pop(0) if same_title else None))
    left = [heading for headings in waiting.values() for heading in headings]
    return pairs, sorted(left, key=lambda heading: heading.line)


@document_rule("error", "add a section `## Table of Contents`; " + REWRITE)
def toc_missing(document: Document) -> Iterator[Finding]:
    """A document has no table of contents."""
    if document.toc_heading is None and numbered(document.headings):
        yield Finding(document.file, document.specification.line, 1, "no table of contents")


@document_rule("error", REWRITE)
def toc_entry(document: Document) -> Iterator[Finding]:
    """An entry of the table of contents has no heading."""
    pairs, left = matched(document)
    for entry, heading in pairs:
        if heading is None:
            close = difflib.get_close_matches(entry.title, [heading.text for heading in left], n=1)
            hint = f"the heading reads '{close[0]}'" if close else ""
            message = f"no heading '{entry.title.strip()}'"
            yield Finding(
                document.file, entry.line, entry.column, message, len(entry.title) + 2, hint
            )


@document_rule("error", REWRITE)
def toc_heading(document: Document) -> Iterator[Finding]:
    """A heading is not in the table of contents."""
    if document.toc_heading is None:
        return
    for heading in matched(document)[1]:
        message = f"'{heading.text}' is not in the table of contents"
        yield Finding(document.file, heading.line, 1, message, heading.level)


@document_rule("error", REWRITE)
def toc_anchor(document: Document) -> Iterator[Finding]:
    """An entry of the table of contents links to another anchor than its heading's."""
    for entry, heading in matched(document)[0]:
        if heading and entry.anchor != heading.anchor:
            column = document.column(entry.line, f"#{entry.anchor}" if entry.anchor else "")
            message = f"links to '#{entry.anchor}', the heading is '#{heading.anchor}'"
            width = len(entry.anchor) + 1
            yield Finding(document.file, entry.line, column, message, width)


@document_rule("error", REWRITE)
def toc_number(document: Document) -> Iterator[Finding]:
    """An entry of the table of contents has another number than its heading."""
    wrong = [
        (entry, heading)
        for entry, heading in matched(document)[0]
        if heading and entry.number != heading.number
    ]
    # One entry too many shifts all that follow; the first one tells where.
    for entry, heading in wrong[:1]:
        column = document.column(entry.line, entry.number)
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        message = f"numbered '{entry.number}', the heading is {heading.number}{more}"
        yield Finding(document.file, entry.line, column, message, max(len(entry.number), 1))
