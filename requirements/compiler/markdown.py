"""The Markdown parser as specifications need it: CommonMark with tables, quick on plain text."""

from __future__ import annotations

import re
from functools import cache

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

# Without one of these a text is only text; two thirds of a specification's blocks are.
MARKED = re.compile(r"[\[\]`*_<&!\\]|  \n")
# The form of an entry in the table of contents, which needs no search for anything else.
NUMBERED_LINK = re.compile(r"([\d.]+ )\[([A-Za-z0-9 .,-]+)\]\((#[a-z0-9-]+)\)", re.ASCII)


@cache
def parser() -> MarkdownIt:
    """The parser; it keeps no state between documents."""
    markdown = MarkdownIt("commonmark", {"store_labels": True}).enable("table")
    markdown.core.ruler.at("inline", _inline)
    # Joined text would hide which brackets were escaped, so the pieces stay apart.
    return markdown.disable("text_join")


def _inline(state: StateCore) -> None:
    for token in state.tokens:
        if token.type != "inline":
            continue
        entry = NUMBERED_LINK.fullmatch(token.content)
        if entry:
            token.children = _numbered_link(*entry.groups())
        elif MARKED.search(token.content):
            token.children = []
            state.md.inline.parse(token.content, state.md, state.env, token.children)
        else:
            token.children = _plain(token.content)


def _numbered_link(number: str, title: str, target: str) -> list[Token]:
    return [
        Token("text", "", 0, content=number),
        Token("link_open", "a", 1, attrs={"href": target}),
        Token("text", "", 0, content=title),
        Token("link_close", "a", -1),
    ]


def _plain(content: str) -> list[Token]:
    children = []
    for number, line in enumerate(content.split("\n")):
        if number:
            children.append(Token("softbreak", "br", 0))
        children.append(Token("text", "", 0, content=line.strip() if number else line.rstrip()))
    return children
