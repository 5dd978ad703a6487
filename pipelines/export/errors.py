"""Why an export is refused, by the names that ClickHouse gives such errors."""

from __future__ import annotations

from typing import Any

from pipelines.errors import PipelineError

CODES = {
    "BAD_ARGUMENTS": 36,
    "NOT_IMPLEMENTED": 48,
    "UNKNOWN_TABLE": 60,
    "SYNTAX_ERROR": 62,
    "UNKNOWN_DATABASE": 81,
    "INCOMPATIBLE_COLUMNS": 122,
    "NO_SUCH_DATA_PART": 232,
    "ABORTED": 236,
    "SUPPORT_IS_DISABLED": 344,
    "PART_IS_TEMPORARILY_LOCKED": 384,
    "ACCESS_DENIED": 497,
    "S3_ERROR": 499,
    "FILE_ALREADY_EXISTS": 504,
}


class ExportRefused(PipelineError):
    """An export that will not succeed by being tried again: `name` and `code` are ClickHouse's."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__(f"{name} ({CODES[name]}): {text}")
        self.name, self.code, self.text = name, CODES[name], text

    def __reduce__(self) -> tuple[Any, ...]:
        return ExportRefused, (self.name, self.text)


class SourceChanged(PipelineError):
    """A merge, a mutation or an ALTER came between the beginning of an export and its end."""


class Duplicated(ExportRefused):
    """The file is there already, and the policy is to fail then."""

    def __init__(self, text: str) -> None:
        super().__init__("FILE_ALREADY_EXISTS", text)

    def __reduce__(self) -> tuple[Any, ...]:
        return Duplicated, (self.text,)
