"""Folder names as Hive and Spark write them: `year=2026/city=K%C3%B6ln/`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from pipelines.errors import PipelineError

NULL = "__HIVE_DEFAULT_PARTITION__"
# Hive and Spark write these as %XX; everything else stays as it is.
ESCAPED = re.compile(r"""[\x00-\x1f\x7f"#%'*/:=?\\{\[\]^]""")


def folder(names: Iterable[str], values: Iterable[str | int]) -> str:
    """The folders of one combination of values, each with a / at its end."""
    pairs = zip(names, values, strict=True)
    return "".join(f"{escape(name)}={_text(name, value)}/" for name, value in pairs)


def escape(text: str) -> str:
    """A text as a part of an object's name."""
    return ESCAPED.sub(lambda match: f"%{ord(match[0]):02X}", text)


def _text(name: str, value: str | int) -> str:
    if value in ("", NULL):
        raise PipelineError(f"Column {name} holds '{value}', which as a folder's name means NULL.")
    return escape(str(value))
