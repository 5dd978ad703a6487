"""Scripts of many SQL statements: where each ends, and the comments of a repro.sql about it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from helpers.base.escaping import shortened

# Literals and comments, in which a semicolon does not end a statement, and the semicolon itself.
TOKEN = re.compile(
    r"""'(?:[^'\\]|\\.|'')*' | "(?:[^"\\]|\\.)*" | `(?:[^`\\]|\\.)*`
    | \$(?P<tag>\w*)\$.*?\$(?P=tag)\$ | --[^\n]* | /\*.*?\*/ | ;""",
    re.DOTALL | re.VERBOSE,
)
HINT = re.compile(r"[ \t]*--\s*\{\s*serverError\s+(\d+)\s*\}[^\n]*")
# The comment of a repro.sql (helpers/runner/evidence.py) that names node, user and session of what follows.
REPRO = re.compile(r"^-- Run the scenario again:", re.MULTILINE)
RECEIVER = re.compile(
    r"^-- (?P<node>[\w-]+)(?: as (?P<user>\S+?))?(?:, session (?P<session>\d+))?$", re.MULTILINE
)
LONGEST_SHOWN = 100


@dataclass(frozen=True)
class ScriptStatement:
    """One statement, the node, user and session it goes to, and the refusal that is expected."""

    sql: str
    node: str
    user: str = ""
    session: str = ""
    expected_code: int | None = None

    @property
    def bare(self) -> str:
        """The statement without comments."""
        return _without_comments(self.sql).strip()

    @property
    def shown(self) -> str:
        """The statement on one line, without comments, shortened."""
        return shortened(" ".join(_without_comments(self.sql).split()), LONGEST_SHOWN)


def read_script(text: str, node: str) -> list[ScriptStatement]:
    """The statements of a script; unless it says otherwise they go to `node` as the administrator."""
    is_repro = REPRO.search(text) is not None
    receiver = {"node": node, "user": "", "session": ""}
    statements = []
    for sql, code in split_script(text):
        if is_repro:
            for named in RECEIVER.finditer(leading_comments(sql)):
                receiver = {key: value or "" for key, value in named.groupdict().items()}
        if _without_comments(sql).strip():
            statements.append(ScriptStatement(sql, **receiver, expected_code=code))
    return statements


def split_script(text: str) -> list[tuple[str, int | None]]:
    """The text between semicolons, each with the code of the hint behind its semicolon."""
    pieces: list[tuple[str, int | None]] = []
    start = 0
    for token in TOKEN.finditer(text):
        if token[0] == ";" and token.start() >= start:
            hint = HINT.match(text, token.end())
            pieces.append((text[start : token.start()].strip(), int(hint[1]) if hint else None))
            start = hint.end() if hint else token.end()
    return [*pieces, (text[start:].strip(), None)]


def _without_comments(sql: str) -> str:
    """A statement without its comments; what looks like one in a text, such as the pattern `/**/`, stays."""
    return TOKEN.sub(lambda token: " " if token[0].startswith(("--", "/*")) else token[0], sql)


def leading_comments(sql: str) -> str:
    """The lines of comment above a statement."""
    match = re.match(r"(?:\s*--[^\n]*(?:\n|$))*", sql)
    return match[0] if match else ""
