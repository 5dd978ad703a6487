"""Parts of a SQL text that can be left out one at a time: settings, codecs, TTL, PARTITION BY, FINAL …

It works on tokens, not on a grammar: enough to find where a clause begins and ends in the statements of
scenarios, and whatever it gets wrong is refused by the server, which is noticed.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

TOKEN = re.compile(
    r"""\s+|--[^\n]*|/\*.*?\*/|'(?:[^'\\]|\\.|'')*'|`[^`]*`|"[^"]*"|\w+|.""", re.DOTALL
)
READS = ("SELECT", "WITH", "SHOW", "DESCRIBE", "DESC", "EXISTS", "EXPLAIN", "CHECK")
# What ends a list of settings, a TTL or a partition key at the same depth of brackets.
NEXT_CLAUSE = {
    *("SETTINGS", "FORMAT", "PARTITION", "ORDER", "PRIMARY", "SAMPLE", "TTL", "AS", "COMMENT"),
    *("ENGINE", "WHERE", "LIMIT", "INTO", "SELECT", "CODEC", "VALUES"),
}


@dataclass(frozen=True)
class _Word:
    """A token that is not blank, upper-case, with its position and depth of brackets."""

    text: str
    start: int
    end: int
    depth: int


def is_read(sql: str) -> bool:
    """Whether a statement only reads."""
    words = _words(sql)
    first = next((word.text for word in words if word.text != "("), "")
    if first == "WITH":  # WITH … INSERT is one too
        return not any(word.text == "INSERT" for word in words)
    return first in READS


def clauses(sql: str) -> dict[str, str]:
    """The clauses that a statement can be sent without, in the order of the text, by name: the statement
    without it. A name that comes again is numbered."""
    without: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for name, start, end in _spans(_words(sql)):
        counts[name] += 1
        numbered = name if counts[name] == 1 else f"{name} {counts[name]}"
        without[numbered] = _without(sql, start, end)
    return without


def _spans(words: list[_Word]) -> Iterator[tuple[str, int, int]]:
    for index, word in enumerate(words):
        following = words[index + 1].text if index + 1 < len(words) else ""
        if word.text == "SETTINGS":
            yield from _settings(words, index)
        elif word.text == "CODEC" and following == "(":
            if words[index - 2].text == "COLUMN":  # MODIFY COLUMN name alone is no statement
                continue
            yield "CODEC", word.start, _closing(words, index + 1).end
        elif word.text == "FINAL":
            yield "FINAL", word.start, word.end
        elif word.text == "TTL" or (word.text == "PARTITION" and following == "BY"):
            yield "TTL" if word.text == "TTL" else "PARTITION BY", word.start, _end(words, index)
        elif word.text == "IN" and following == "PARTITION":
            yield "IN PARTITION", word.start, _value_end(words, index + 2)
        elif word.text == "PARTITION" and words[0].text in ("OPTIMIZE", "CHECK"):
            yield "PARTITION", word.start, _value_end(words, index + 1)


def _settings(words: list[_Word], index: int) -> Iterator[tuple[str, int, int]]:
    """Each setting of a list; the whole clause where it is the only one."""
    head, items = words[index], _items(words, index + 1)
    for number, item in enumerate(items):
        name = f"SETTINGS {item[0].text.lower()}"
        if len(items) == 1:
            yield name, head.start, item[-1].end
        elif number:
            yield name, items[number - 1][-1].end, item[-1].end
        else:
            yield name, item[0].start, items[1][0].start


def _items(words: list[_Word], index: int) -> list[list[_Word]]:
    """`name = value` tokens between commas, up to the end of the clause."""
    items: list[list[_Word]] = [[]]
    depth = words[index - 1].depth
    for word in words[index:]:
        if word.depth < depth or (word.depth == depth and word.text in NEXT_CLAUSE | {";"}):
            break
        if word.depth == depth and word.text == ",":
            items.append([])
        else:
            items[-1].append(word)
    return [item for item in items if item]


def _end(words: list[_Word], index: int) -> int:
    """Where a clause of one expression ends."""
    depth, last = words[index].depth, words[index]
    for word in words[index + 1 :]:
        ends = word.text in NEXT_CLAUSE or word.text in (",", ";")
        if word.depth < depth or (word.depth == depth and ends):
            break
        last = word
    return last.end


def _value_end(words: list[_Word], index: int) -> int:
    """Where a value ends that follows PARTITION: a literal, a name, ID 'x' or brackets."""
    value = index
    if words[value].text == "ID" and value + 1 < len(words):
        value += 1
    if words[value].text == "(":
        return _closing(words, value).end
    return words[value].end


def _closing(words: list[_Word], index: int) -> _Word:
    opening = words[index]
    closing = (
        word for word in words[index + 1 :] if word.text == ")" and word.depth == opening.depth
    )
    return next(closing, words[-1])


def _without(sql: str, start: int, end: int) -> str:
    return f"{sql[:start].rstrip()} {sql[end:].lstrip()}".strip()


def _words(sql: str) -> list[_Word]:
    words, depth = [], 0
    for token in TOKEN.finditer(sql):
        text = token[0]
        if text.isspace() or text.startswith(("--", "/*")):
            continue
        if text == ")":
            depth -= 1
        words.append(_Word(text.upper(), token.start(), token.end(), depth))
        if text == "(":
            depth += 1
    return words
