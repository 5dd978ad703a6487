"""Rules about spelling: an unknown word one slip away from a known one is probably that one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

from requirements.checker.registry import Finding, document_rule
from requirements.compiler.document import Document

# Words that are spelt right; forms with a common ending (-s, -ed, -ing) need no entry of their own.
WORDS = frozenset(Path(__file__).with_name("words.txt").read_text(encoding="utf-8").split())
WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
SUFFIX = re.compile(r"(?:ies|es|ed|ing|ers?|ly|[sdyre])$")
# "Partition form the source": a singular noun cannot be followed by the verb.
CONFUSED = re.compile(
    r"\b(?!to |can |may |and |not |they |that |we )[a-z]+[^s\W] (form) (?:the|an?)\b"
)
SHORTEST_IN_NAMES = 5
SHORTEST_IN_TEXT = 6
# A word a document uses this often is meant, whether or not the list knows it.
HABIT = 4
# Two slips in a long word of a name still leave no doubt which one was meant.
LONG = 9


@document_rule("error", "correct the name, or add the word to requirements/checker/words.txt")
def misspelt_name(document: Document) -> Iterator[Finding]:
    """A word in a requirement's name looks misspelt; names are forever."""
    for block in document.requirements:
        start = document.column(block.heading.line, block.heading.text)
        for match in WORD.finditer(block.heading.text):
            meant = _meant(match[0].lower(), SHORTEST_IN_NAMES)
            if meant:
                message = f"'{match[0]}' looks like a misspelt '{meant}'"
                column = start + match.start()
                yield Finding(document.file, block.heading.line, column, message, len(match[0]))


@document_rule("warning", "correct the word, or add it to requirements/checker/words.txt")
def misspelt_word(document: Document) -> Iterator[Finding]:
    """A word in a heading, a text or an example looks misspelt."""
    places = list(_texts(document))
    counts = Counter(WORD.findall("\n".join(text for _, _, text in places)))
    habits = Counter[str]()
    for word, count in counts.items():
        habits[word.lower()] += count
    doubtful = {
        word: meant
        for word in counts
        if habits[word.lower()] < HABIT and (meant := _meant(word.lower(), SHORTEST_IN_TEXT))
    }
    for line, column, text in places:
        for match in WORD.finditer(text) if any(word in text for word in doubtful) else ():
            if match[0] in doubtful:
                message = f"'{match[0]}' looks like a misspelt '{doubtful[match[0]]}'"
                yield Finding(document.file, line, column + match.start(), message, len(match[0]))
        for match in CONFUSED.finditer(text) if " form " in text else ():
            yield Finding(document.file, line, column + match.start(1), "'form' for 'from'?", 4)


def _texts(document: Document) -> Iterator[tuple[int, int, str]]:
    """Everything a reader reads but the names: line, column, text."""
    names = {block.heading.line for block in document.requirements}
    for piece in document.pieces:
        # A name quoted elsewhere is judged where it is given, or was retired on purpose.
        if piece.line not in names and not piece.in_toc and not piece.text.startswith("RQ."):
            yield piece.line, piece.column, piece.text
    for fence in document.fences:
        for offset in range(fence.content.count("\n")):
            yield fence.line + 1 + offset, 1, document.lines[fence.line + offset]


@cache
def _meant(word: str, shortest: int) -> str:
    """The known word that an unknown one probably is, or nothing."""
    if len(word) < shortest or _known(word):
        return ""
    near = {known for form in (word, *_shortened(word)) for known in _neighbours().get(form, ())}
    limit = 1
    if shortest == SHORTEST_IN_NAMES and len(word) >= LONG:
        near |= {known for known in WORDS if known[:2] == word[:2] and len(known) >= LONG}
        limit = 2
    close = sorted((distance(word, known), known) for known in near if known[:1] == word[:1])
    return next(
        (known for apart, known in close if apart <= limit and not _related(word, known)), ""
    )


def _known(word: str) -> bool:
    return word in WORDS or (stem := SUFFIX.sub("", word)) in WORDS or f"{stem}e" in WORDS


def _related(word: str, known: str) -> bool:
    """Whether two words are forms of one."""
    return SUFFIX.sub("", word) == SUFFIX.sub("", known)


def _shortened(word: str) -> Iterable[str]:
    return (word[:i] + word[i + 1 :] for i in range(len(word)))


@cache
def _neighbours() -> dict[str, list[str]]:
    """Known words by themselves and by what is left when one letter is dropped."""
    index: dict[str, list[str]] = {}
    for word in WORDS:
        if len(word) >= SHORTEST_IN_NAMES:
            for form in (word, *_shortened(word)):
                index.setdefault(form, []).append(word)
    return index


def distance(word: str, other: str) -> int:
    """How many letters were dropped, added, changed or swapped with their neighbour."""
    rows = [list(range(len(other) + 1))]
    for i, letter in enumerate(word, 1):
        row = [i]
        for j, wanted in enumerate(other, 1):
            best = min(rows[-1][j] + 1, row[-1] + 1, rows[-1][j - 1] + (letter != wanted))
            if i > 1 and j > 1 and letter == other[j - 2] and word[i - 2] == wanted:
                best = min(best, rows[-2][j - 2] + 1)
            row.append(best)
        rows.append(row)
    return rows[-1][-1]
