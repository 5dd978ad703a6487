"""Reads a document from disk and says plainly why it could not be read."""

from __future__ import annotations

from pathlib import Path

# Fifty times the largest specification; beyond it somebody named the wrong file.
SIZE_LIMIT = 2 * 1024 * 1024
# Lines written by hand are shorter; a Markdown parser can take hours for generated ones.
LINE_LIMIT = 20_000


class UnreadableError(Exception):
    """A file that is no document: which rule says so, why, and where."""

    def __init__(self, rule: str, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.rule = rule
        self.message = message
        self.line = line
        self.column = column


def read_source(path: Path) -> str:
    """The text of a Markdown file with `\\n` line ends, or `UnreadableError`."""
    try:
        if not path.is_file():
            reason = "is not a regular file" if path.exists() else "does not exist"
            raise UnreadableError("file-missing", f"{path.name} {reason}")
        size = path.stat().st_size
        if size > SIZE_LIMIT:
            raise UnreadableError(
                "file-too-large",
                f"{size / 1048576:.1f} MB, a specification has at most {SIZE_LIMIT >> 20} MB",
            )
        data = path.read_bytes()
    except OSError as error:
        raise UnreadableError("file-missing", f"cannot be read: {error.strerror}") from None
    return decode(data)


def decode(data: bytes) -> str:
    """UTF-8 bytes as text, or `UnreadableError` with the place of the first byte that is none."""
    try:
        text = data.decode("utf-8-sig")
        at = text.find("\0")
        if at >= 0:
            raise UnreadableError(
                "file-binary", "holds a NUL byte, so it is not text", *_place(text, at)
            )
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        raise UnreadableError(
            "file-binary",
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            *_place(before, len(before)),
        ) from None
    if not text.strip():
        raise UnreadableError("file-empty", "holds no text")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    for number, line in enumerate(text.split("\n"), 1):
        if len(line) > LINE_LIMIT:
            raise UnreadableError(
                "file-too-large", f"a line of {len(line)} characters is not prose", number
            )
    return text


def _place(text: str, at: int) -> tuple[int, int]:
    line_start = text.rfind("\n", 0, at) + 1
    return text.count("\n", 0, at) + 1, at - line_start + 1
