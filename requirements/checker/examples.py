"""Rules about SQL examples: a reader can paste them into a client as they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from requirements.checker.registry import Finding, document_rule
from requirements.compiler.document import Document, Fence

STATEMENT = re.compile(
    r"(SELECT|INSERT|CREATE|ALTER|SET|DROP|SYSTEM|OPTIMIZE|DETACH|ATTACH)\b", re.I
)
PLACEHOLDER = re.compile(r"\.\.\.|…|<[A-Za-z_]\w*>|\[(?:[A-Z]{2,}|\w+\.\])")
# Strings and comments may hold any mark; the quotes stay, so that a missing one is seen.
QUOTED = re.compile(r"'(?:[^'\\\n]|\\.|'')*'|--[^\n]*|/\*.*?\*/", re.DOTALL)
MARK = re.compile(r"[()\[\]{}']")
BRACKETS = {")": "(", "]": "[", "}": "{"}


def _sql(document: Document) -> Iterator[Fence]:
    return (fence for fence in document.fences if fence.language.lower() == "sql")


def _bare(content: str) -> str:
    """The code with comments blanked and strings crossed out, every character in its place."""
    return QUOTED.sub(
        lambda match: re.sub(r"[^\n]", "x" if match[0][0] == "'" else " ", match[0]), content
    )


def _finding(document: Document, fence: Fence, offset: int, message: str, width: int) -> Finding:
    """A place within a fence; its content begins on the line after the marks."""
    before = fence.content[:offset]
    line = min(fence.line + 1 + before.count("\n"), len(document.lines))
    column = offset - before.rfind("\n")
    # A fence within a list is indented, its content is not.
    text = fence.content.split("\n")[before.count("\n")]
    indent = max(document.lines[line - 1].find(text), 0)
    return Finding(document.file, line, column + indent, message, width)


@document_rule("warning", "end every statement but the last with `;`")
def sql_statement(document: Document) -> Iterator[Finding]:
    """Two SQL statements are not separated by a semicolon."""
    for fence in _sql(document):
        offset, before, blank = 0, "", False
        for line in _bare(fence.content).split("\n"):
            begins = STATEMENT.match(line)
            if begins and blank and before and not before.endswith(";"):
                message = f"no semicolon before this {begins[0]}"
                yield _finding(document, fence, offset, message, len(begins[0]))
            blank = not line.strip()
            before = line.rstrip() or before
            offset += len(line) + 1


@document_rule("warning", "write a value that runs, or call the block ```text if it shows a syntax")
def sql_placeholder(document: Document) -> Iterator[Finding]:
    """An SQL example holds a placeholder, so it does not run."""
    for fence in _sql(document):
        match = PLACEHOLDER.search(fence.content)
        if match:
            yield _finding(
                document, fence, match.start(), f"placeholder '{match[0]}'", len(match[0])
            )


@document_rule("warning", "close what was opened")
def sql_brackets(document: Document) -> Iterator[Finding]:
    """Brackets or quotes of an SQL example do not match."""
    for fence in _sql(document):
        problem = _bracket_problem(_bare(fence.content))
        if problem:
            offset, message = problem
            yield _finding(document, fence, offset, message, 1)


def _bracket_problem(code: str) -> tuple[int, str] | None:
    opened: list[re.Match[str]] = []
    for mark in MARK.finditer(code):
        if mark[0] == "'":
            return mark.start(), "this quote is never closed"
        if mark[0] not in BRACKETS:
            opened.append(mark)
        elif not opened or opened.pop()[0] != BRACKETS[mark[0]]:
            return mark.start(), f"'{mark[0]}' closes nothing"
    return (opened[-1].start(), f"'{opened[-1][0]}' is never closed") if opened else None
