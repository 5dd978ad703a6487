"""Finds prose, inline code and links in a paragraph, each with its line and column."""

from __future__ import annotations

from collections.abc import Sequence

from markdown_it.token import Token

from requirements.compiler.document import Link, Piece


class Cursor:
    """Walks the source of one block so that what the parser found gets its place back."""

    def __init__(self, lines: Sequence[str], start: int, end: int) -> None:
        self._source = "\n".join(lines[start:end])
        self._first_line = start + 1
        self._offset = 0

    def advance_to(self, text: str) -> tuple[int, int]:
        """The line and column of the next `text`; where it was if none follows."""
        offset = self._source.find(text, self._offset)
        if offset < 0:
            return self._place(self._offset)
        self._offset = offset + len(text)
        return self._place(offset)

    def peek(self, text: str) -> tuple[int, int]:
        """The same without moving on."""
        offset = self._source.find(text, self._offset)
        return self._place(offset if offset >= 0 else self._offset)

    def _place(self, offset: int) -> tuple[int, int]:
        line_start = self._source.rfind("\n", 0, offset) + 1
        line = self._first_line + self._source.count("\n", 0, offset)
        return line, offset - line_start + 1


def plain_text(children: Sequence[Token]) -> str:
    """What a reader sees of an inline token: text and code without markup."""
    return "".join(
        " " if child.type in ("softbreak", "hardbreak") else child.content
        for child in children
        if child.type in ("text", "text_special", "code_inline", "softbreak", "hardbreak")
    )


def read_inline(token: Token, cursor: Cursor, in_toc: bool) -> tuple[list[Piece], list[Link]]:
    """The pieces of prose and code and the links of one inline token, in order."""
    pieces: list[Piece] = []
    links: list[Link] = []
    previous = ""
    for child in token.children or ():
        if child.type == "link_open":
            if previous == "text" and pieces:
                pieces[-1] = pieces[-1]._replace(before_link=True)
            line, column = cursor.peek("[")
            target = str(child.attrs.get("href", ""))
            links.append(Link(target, str(child.meta.get("label", "")), line, column, in_toc))
        elif child.type in ("text", "code_inline") and child.content:
            line, column = cursor.advance_to(child.content)
            code = child.type == "code_inline"
            pieces.append(Piece(child.content, line, column, code, in_toc))
        previous = child.type
    return pieces, links
