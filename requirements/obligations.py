"""What a requirement asks for, one by one: the items of its lists and the rows of its tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

ITEM = re.compile(r"\s*(?:[-*]|\d+[.)])\s+(.*)")
ROW = re.compile(r"\s*\|(.*)\|\s*")
RULE = re.compile(r"[\s|:-]+")
FENCE = re.compile(r"\s*(```|~~~)")


def obligations_of(text: str) -> list[str]:
    """The obligations of a requirement's text; one without lists and tables is a single one."""
    found = list(_items(text.split("\n")))
    return found or [" ".join(text.partition("\n\n")[0].split())]


def _items(lines: list[str]) -> Iterator[str]:
    fenced, in_table, item = False, False, ""
    for line in [*lines, ""]:
        if FENCE.match(line):
            fenced = not fenced
        started, row = ITEM.fullmatch(line), ROW.fullmatch(line)
        ends = fenced or started or row or not line.strip()
        if item and ends:
            yield item
            item = ""
        if fenced:
            continue
        if started:
            item = started[1].strip()
        elif item:  # a line that goes on
            item = f"{item} {line.strip()}"
        if row and in_table and not RULE.fullmatch(line):
            yield " | ".join(cell.strip() for cell in row[1].split("|"))
        in_table = bool(row)  # the first row is the head


def matching(fragment: str, obligations: list[str]) -> list[str]:
    """The obligations that a fragment of their text names."""
    wanted = " ".join(fragment.split())
    return [each for each in obligations if wanted in each]
