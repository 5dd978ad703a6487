"""The table of contents: anchors as GitHub makes them, numbers, and the section rewritten."""

from __future__ import annotations

import re
from collections.abc import Iterable

from requirements.compiler.document import Document, Heading, is_toc

INDENT = "    "


class Anchors:
    """Hands out anchors; a title seen before gets `-1`, `-2`."""

    def __init__(self) -> None:
        self._seen: dict[str, int] = {}

    def next(self, title: str) -> str:
        """The anchor of the next heading with this title."""
        base = re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-")
        anchor = base
        while anchor in self._seen:
            self._seen[base] += 1
            anchor = f"{base}-{self._seen[base]}"
        self._seen[anchor] = 0
        return anchor


class Numbers:
    """Hands out section numbers by depth, so that a skipped level leaves no hole."""

    def __init__(self) -> None:
        self._levels: list[int] = []
        self._counters: list[int] = []

    def next(self, level: int) -> str:
        """The number of the next heading of that level."""
        while self._levels and self._levels[-1] >= level:
            self._levels.pop()
        depth = len(self._levels)
        self._levels.append(level)
        del self._counters[depth + 1 :]
        if len(self._counters) == depth:
            self._counters.append(0)
        self._counters[depth] += 1
        return ".".join(map(str, self._counters))


def numbered(headings: Iterable[Heading]) -> list[Heading]:
    """The headings a table of contents lists: all but the title and itself."""
    return [heading for heading in headings if heading.level > 1 and not is_toc(heading)]


def render_toc(document: Document) -> list[str]:
    """The lines under the heading of the table of contents."""
    return [
        f"{INDENT * heading.number.count('.')}* {heading.number} [{heading.text}](#{heading.anchor})"
        for heading in numbered(document.headings)
    ]


def with_toc(document: Document) -> str:
    """The document's text with its table of contents written anew (added if there was none)."""
    lines = document.lines
    here = document.toc_heading
    following = [
        heading.line
        for heading in document.headings
        if heading.level > 1 and (not here or heading.line > here.line)
    ]
    end = following[0] - 1 if following else len(lines)
    start = here.line - 1 if here else end
    section = ["## Table of Contents", "", *render_toc(document), ""]
    return "\n".join([*lines[:start], *section, *lines[end:]])
