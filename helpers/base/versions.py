"""Versions of servers and programs: read tolerantly, compared by their numbers."""

from __future__ import annotations

import re

from helpers.base.errors import UsageError

DOTTED, SINGLE = re.compile(r"[0-9]+(?:\.[0-9]+)+"), re.compile(r"[0-9]+")

RECORDED_UP_TO = "26.9"
"""The newest ClickHouse that the deviations were recorded on. What a newer one does is not known."""


def numbers(text: str) -> tuple[int, ...]:
    """The numbers of a version; `25.8.9.20496.altinityantalya` is (25, 8, 9, 20496).

    Text around the numbers is ignored.
    """
    found = DOTTED.search(text) or SINGLE.search(text)
    if found is None:
        raise UsageError(f"{text!r} has no version in it; a version is like 26.9 or 26.9.2.1-lts.")
    return tuple(map(int, found[0].split(".")))


def short(text: str) -> str:
    """The first two numbers of a version: `26.9.2.1` is `26.9`."""
    return ".".join(map(str, numbers(text)[:2]))


def is_newer_than_recorded(version: str) -> bool:
    """Whether a server is newer than every one that deviations were recorded on."""
    recorded = numbers(RECORDED_UP_TO)
    return numbers(version)[: len(recorded)] > recorded
