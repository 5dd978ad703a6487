"""Text of servers and scenarios made safe for a terminal: control characters become visible escapes."""

from __future__ import annotations

import re

# C0 but for tab and line feed, DEL, C1, and the characters that change the direction of what follows.
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
CONTROL_BYTES = re.compile(
    rb"[\x00-\x08\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]"
)
# What one of them may begin with, at the end of a piece of a stream.
BEGUN = re.compile(rb"(?:\xc2|\xe2[\x80\x81]?)\Z")


def printable(text: str) -> str:
    """The text with every control character as an escape, such as \\x1b; lines and tabs stay."""
    return CONTROL.sub(lambda match: _escape(match[0]), text)


def printable_bytes(data: bytes) -> bytes:
    """The same for bytes that may not be text."""
    return CONTROL_BYTES.sub(lambda match: b"".join(b"\\x%02x" % byte for byte in match[0]), data)


class PrintableStream:
    """The same for bytes that come in pieces, wherever they are cut."""

    def __init__(self) -> None:
        self._begun = b""

    def next(self, piece: bytes) -> bytes:
        data = self.end() + piece
        begun = BEGUN.search(data, max(0, len(data) - 2))
        self._begun = begun[0] if begun else b""
        return printable_bytes(data.removesuffix(self._begun))

    def end(self) -> bytes:
        """What was held back because it might have become a control character."""
        rest, self._begun = self._begun, b""
        return rest


def printable_sql(sql: str) -> str:
    """A statement whose string literals mean the same, with control characters as ClickHouse's escapes.

    The end of a line as Windows has it may stand between words, where no escape can.
    """
    return CONTROL.sub(
        lambda match: "".join(f"\\x{byte:02x}" for byte in match[0].encode()),
        sql.replace("\r\n", "\n"),
    )


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def shortened(text: str, longest: int) -> str:
    """The text, or its beginning if it is longer than this."""
    return text if len(text) <= longest else text[:longest] + " …"


def counted(count: int, what: str, several: str = "") -> str:
    """A number of things in words; `several` is the plural where it is not the word with an s."""
    return f"{count} {what}" if count == 1 else f"{count} {several or what + 's'}"
