"""A parsed document with positions: what the rules of the checker look at."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass, field
from typing import NamedTuple

from requirements.compiler.specification import RequirementText, Specification


class Heading(NamedTuple):
    """A heading outside fences, comments and quotes."""

    text: str
    level: int
    line: int
    number: str
    anchor: str
    path: tuple[str, ...]


class Field(NamedTuple):
    """A `key: value` line under a heading."""

    key: str
    value: str
    line: int


class Fence(NamedTuple):
    """A fenced code block; `inner` is a line within that looks like the start of another one."""

    line: int
    language: str
    content: str
    closed: bool
    inner: int | None


class TocEntry(NamedTuple):
    """One line of the table of contents; `anchor` is empty when the line is no link."""

    number: str
    title: str
    anchor: str
    line: int
    column: int


class Piece(NamedTuple):
    """A run of prose (`text`) or inline code (`code`) on one line."""

    text: str
    line: int
    column: int
    code: bool = False
    in_toc: bool = False
    before_link: bool = False


class Link(NamedTuple):
    """A link; `label` is set when it goes through a reference definition."""

    target: str
    label: str
    line: int
    column: int
    in_toc: bool


class Definition(NamedTuple):
    """A reference definition, `[label]: target`; markdown keeps only the first of a label."""

    label: str
    line: int
    repeated: bool


class Row(NamedTuple):
    """A row of a table and how many cells its header promises."""

    line: int
    cells: int
    expected: int


class RequirementBlock(NamedTuple):
    """A requirement's heading, the fields under it, and the lines of its text (end excluded)."""

    heading: Heading
    fields: tuple[Field, ...]
    text_start: int
    text_end: int

    def field(self, key: str) -> Field | None:
        """The first field of that name."""
        return next((field for field in self.fields if field.key == key), None)


@dataclass(slots=True)
class Document:
    """Everything found in one file; `specification` is what it compiles to."""

    file: str
    lines: list[str]
    specification: Specification
    headings: list[Heading] = field(default_factory=list)
    title_fields: list[Field] = field(default_factory=list)
    requirements: list[RequirementBlock] = field(default_factory=list)
    toc: list[TocEntry] = field(default_factory=list)
    fences: list[Fence] = field(default_factory=list)
    unclosed_comments: list[int] = field(default_factory=list)
    pieces: list[Piece] = field(default_factory=list)
    links: list[Link] = field(default_factory=list)
    definitions: list[Definition] = field(default_factory=list)
    rows: list[Row] = field(default_factory=list)
    # Lines no reader sees: comments and reference definitions.
    hidden: set[int] = field(default_factory=set)

    @property
    def toc_heading(self) -> Heading | None:
        """The heading of the table of contents."""
        return next((heading for heading in self.headings if is_toc(heading)), None)

    @property
    def by_name(self) -> dict[str, RequirementText]:
        """The requirements of the specification by name."""
        return {text.name: text for text in self.specification.requirements}

    def pieces_between(self, start: int, end: int) -> list[Piece]:
        """The prose and code of some lines (end excluded); pieces are in the order of lines."""
        first = bisect_left(self.pieces, start, key=lambda piece: piece.line)
        last = bisect_left(self.pieces, end, first, key=lambda piece: piece.line)
        return self.pieces[first:last]

    def column(self, line: int, text: str) -> int:
        """Where `text` stands in a line (1-based), 1 if it does not."""
        return max(self.lines[line - 1].find(text), 0) + 1 if text else 1


def is_toc(heading: Heading) -> bool:
    """Whether a heading opens the table of contents, which is not numbered itself."""
    return heading.level == 2 and heading.text.casefold() == "table of contents"
