"""Markdown to a document with positions, and to the specification it states."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from markdown_it.token import Token

from requirements.compiler.blocks import read_blocks
from requirements.compiler.document import (
    Definition,
    Document,
    Field,
    Heading,
    RequirementBlock,
    is_toc,
)
from requirements.compiler.inline import plain_text
from requirements.compiler.markdown import parser
from requirements.compiler.specification import (
    RequirementText,
    Section,
    Specification,
    content_hash,
    python_name,
)
from requirements.compiler.toc import Anchors, Numbers, numbered

TITLE = re.compile(r"(?P<id>SRS-\d+)\s+(?P<title>\S.*)")
NAME = re.compile(r"RQ(?:\.[A-Za-z0-9_-]+)+")
FIELD = re.compile(r"(?P<key>[a-z][a-z_-]*):(?:\s+(?P<value>.*))?$")
DEFINITION = re.compile(r"\[((?:\\.|[^\]\\])+)\]:")
# Reasons are sentences and may be wrapped over several lines; the other fields are one word.
WRAPPED_FIELDS = ("reason", "untested")


def parse(text: str, file: str) -> Document:
    """Reads any text; what is wrong with it is for the checker to say, nothing raises."""
    lines = text.split("\n")
    environment: dict[str, Any] = {}
    tokens = parser().parse(text, environment)
    document = Document(file, lines, Specification("", "", file, 1, "", "", (), ()))
    document.headings = list(_headings(tokens))
    _read_definitions(environment, document)
    read_blocks(tokens, document)
    _read_requirements(tokens, document)
    document.specification = _specification(document)
    return document


def is_requirement(heading: Heading) -> bool:
    """Whether a heading is exactly a requirement's name."""
    return heading.level > 1 and NAME.fullmatch(heading.text) is not None


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    anchors, numbers = Anchors(), Numbers()
    path: list[tuple[int, str]] = []
    for index, token in enumerate(tokens):
        # Headings within quotes and lists are part of somebody's text.
        if token.type != "heading_open" or token.level != 0 or token.map is None:
            continue
        level = int(token.tag[1:])
        title = plain_text(tokens[index + 1].children or ()).strip()
        heading = Heading(title, level, token.map[0] + 1, "", anchors.next(title), ())
        while path and path[-1][0] >= level:
            path.pop()
        number = "" if level == 1 or is_toc(heading) else numbers.next(level)
        above = tuple(title for depth, title in path if depth > 1)
        yield Heading(title, level, heading.line, number, heading.anchor, above)
        path.append((level, title))


def _read_definitions(environment: dict[str, Any], document: Document) -> None:
    kept = [(*entry["map"], False) for entry in environment.get("references", {}).values()]
    repeated = [(*entry["map"], True) for entry in environment.get("duplicate_refs", ())]
    for start, end, again in sorted([*kept, *repeated]):
        match = DEFINITION.search("\n".join(document.lines[start:end]))
        document.definitions.append(Definition(match[1] if match else "", start + 1, again))
        document.hidden.update(range(start + 1, end + 1))


def _read_requirements(tokens: Sequence[Token], document: Document) -> None:
    """Attaches to the title and to each requirement the fields and text that follow it."""
    paragraphs = {
        token.map[0] + 1: token.map
        for token in tokens
        if token.type == "paragraph_open" and token.level == 0 and token.map
    }
    ends = [*(heading.line for heading in document.headings[1:]), len(document.lines) + 1]
    for heading, end in zip(document.headings, ends, strict=False):
        start = heading.line + 1
        while start < end and not document.lines[start - 1].strip():
            start += 1
        paragraph = paragraphs.get(start)
        fields = _fields(document.lines, *paragraph) if paragraph else []
        if heading.level == 1 and not document.title_fields:
            document.title_fields = fields
        elif is_requirement(heading):
            first = _after_fields(document.lines, start, fields)
            document.requirements.append(RequirementBlock(heading, tuple(fields), first, end))


def _fields(lines: Sequence[str], start: int, end: int) -> list[Field]:
    """The `key: value` lines a paragraph begins with."""
    fields: list[Field] = []
    for number in range(start, end):
        match = FIELD.match(lines[number].strip())
        if match:
            fields.append(Field(match["key"], (match["value"] or "").strip(), number + 1))
        elif fields and fields[-1].key in WRAPPED_FIELDS:
            before = fields.pop()
            value = f"{before.value} {lines[number].strip()}"
            fields.append(Field(before.key, value, before.line))
        else:
            break
    return fields


def _after_fields(lines: Sequence[str], start: int, fields: Sequence[Field]) -> int:
    if not fields:
        return start
    line = fields[-1].line + 1
    if fields[-1].key in WRAPPED_FIELDS:
        while line <= len(lines) and lines[line - 1].strip():
            line += 1
    return line


def _specification(document: Document) -> Specification:
    title = next((heading for heading in document.headings if heading.level == 1), None)
    match = TITLE.fullmatch(title.text) if title else None
    fields = {field.key: field.value for field in document.title_fields}
    return Specification(
        id=match["id"] if match else "",
        title=match["title"] if match else title.text if title else "",
        file=document.file,
        line=title.line if title else 1,
        state=fields.get("state", "active"),
        reason=fields.get("reason", ""),
        sections=tuple(
            Section(heading.text, heading.level, heading.number)
            for heading in numbered(document.headings)
        ),
        requirements=tuple(
            _requirement(block, document, match["id"] if match else "")
            for block in document.requirements
        ),
    )


def _requirement(
    block: RequirementBlock, document: Document, specification: str
) -> RequirementText:
    fields = {field.key: field.value for field in reversed(block.fields)}
    of_document = {field.key: field.value for field in document.title_fields}
    text = _text(block, document)
    return RequirementText(
        name=block.heading.text,
        version=fields.get("version", ""),
        specification=specification,
        heading_path=block.heading.path,
        level=block.heading.level,
        number=block.heading.number,
        file=document.file,
        line=block.heading.line,
        text=text,
        content_hash=content_hash(text),
        origin=fields.get("origin", "") or of_document.get("origin", ""),
        untested_reason=fields.get("untested", ""),
        python_name=python_name(block.heading.text),
    )


def _text(block: RequirementBlock, document: Document) -> str:
    numbers = range(block.text_start, block.text_end)
    shown = [document.lines[number - 1] for number in numbers if number not in document.hidden]
    return "\n".join(line.rstrip() for line in shown).strip()
