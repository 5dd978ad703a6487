"""What each version of ClickHouse was seen to do instead of a requirement: docs/deviations.json.

`reproduce --all --record` writes it (helpers/deviations/seen_on.py).
"""

from __future__ import annotations

import json
from collections.abc import Mapping

from helpers.base.errors import UsageError
from helpers.base.paths import DEVIATIONS

FILE = DEVIATIONS.with_suffix(".json")
Seen = Mapping[str, Mapping[str, str]]
"""For each deviation what each version was seen to do."""


def read_seen() -> Seen:
    """What was recorded; empty if nothing was."""
    try:
        return dict(json.loads(FILE.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return {}
    except (ValueError, OSError) as error:
        raise UsageError(f"{FILE}: cannot be read ({error}); restore it from git.") from None


def seen_on(id: str, seen: Seen) -> str:
    """`24.8 as required, 25.8 to 26.9 deviates`; empty where nothing is recorded."""
    told: list[tuple[str, str, str]] = []
    for version, word in seen.get(id, {}).items():
        if told and told[-1][2] == word:
            told[-1] = told[-1][0], version, word
        else:
            told.append((version, version, word))
    return ", ".join(
        f"{first if first == last else f'{first} to {last}'} {word}" for first, last, word in told
    )
