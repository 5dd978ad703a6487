"""Collects what stands between the headings: fences, comments, tables, prose, links, the ToC."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from markdown_it.token import Token

from requirements.compiler.document import Document, Fence, Row, TocEntry
from requirements.compiler.inline import Cursor, plain_text, read_inline

TOC_NUMBER = re.compile(r"\d+(?:\.\d+)*")


def read_blocks(tokens: Sequence[Token], document: Document) -> None:
    """Collects fences, comments, tables, prose and links with their places."""
    toc_start, toc_end = _toc_range(document)
    header_cells, in_header = 0, False
    for token in tokens:
        if token.map is None:
            continue
        start, end = token.map
        in_toc = toc_start <= start < toc_end
        if token.type == "fence":
            document.fences.append(_fence(token, document.lines))
        elif token.type == "html_block" and token.content.lstrip().startswith("<!--"):
            document.hidden.update(range(start + 1, end + 1))
            if "-->" not in token.content:
                document.unclosed_comments.append(start + 1)
        elif token.type in ("thead_open", "tbody_open"):
            in_header = token.type == "thead_open"
        elif token.type == "tr_open":
            cells = _cells(document.lines[start])
            header_cells = cells if in_header else header_cells
            document.rows.append(Row(start + 1, cells, header_cells))
        elif token.type == "inline":
            pieces, links = read_inline(token, Cursor(document.lines, start, end), in_toc)
            document.pieces += pieces
            document.links += links
            if in_toc:
                document.toc.append(_toc_entry(token, start + 1, document))


def _toc_range(document: Document) -> tuple[int, int]:
    here = document.toc_heading
    if here is None:
        return 0, 0
    after = (heading.line - 1 for heading in document.headings if heading.line > here.line)
    return here.line, next(after, len(document.lines))


def _cells(line: str) -> int:
    inner = line.strip().lstrip(">").strip().removeprefix("|")
    parts = re.split(r"(?<!\\)\|", inner)
    return len(parts) - (not parts[-1].strip())


def _fence(token: Token, lines: Sequence[str]) -> Fence:
    assert token.map is not None  # block tokens always know their lines
    start, end = token.map
    last = lines[end - 1].strip().lstrip("> ")
    closed = end - start > 1 and set(last) == {token.markup[0]} and len(last) >= len(token.markup)
    opening = re.compile(re.escape(token.markup) + r"\w")
    inner = next((n for n in range(start + 1, end) if opening.match(lines[n].strip())), None)
    language = token.info.split()[0] if token.info.split() else ""
    return Fence(start + 1, language, token.content, closed, None if inner is None else inner + 1)


def _toc_entry(token: Token, line: int, document: Document) -> TocEntry:
    children = token.children or []
    types = [child.type for child in children]
    opens = types.index("link_open") if "link_open" in types else len(children)
    number = plain_text(children[:opens]).strip()
    title = plain_text(children[opens:]) if opens < len(children) else number
    target = str(children[opens].attrs.get("href", "")) if opens < len(children) else ""
    number = number if TOC_NUMBER.fullmatch(number) else ""
    return TocEntry(
        number, title, unquote(target.removeprefix("#")), line, document.column(line, "[")
    )
