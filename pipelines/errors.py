"""The errors that this library raises: all are PipelineErrors."""

from __future__ import annotations


class PipelineError(Exception):
    """What went wrong, where, and what to do, in one line."""

    def __init__(self, text: str) -> None:
        super().__init__(" ".join(text.split()))


class Unavailable(PipelineError):
    """A server or a store did not answer, or said that it cannot just now: trying again may help."""
