"""The stack of a worker that ran out of time: complete, the scenario's own line first."""

from __future__ import annotations

import linecache
import re
import time
from pathlib import Path

from helpers.base.importing import shown
from helpers.base.time_limits import scaled
from pipelines.system.waiting import poll

WAIT_SECONDS = 5.0
QUIET_SECONDS = 0.5
FRAME = re.compile(r'  File "(?P<file>.+)", line (?P<line>\d+) in (?P<function>.+)')
# faulthandler writes characters beyond ASCII so, in paths as well.
ESCAPED = re.compile(r"\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))")
# The first function of a worker: the main thread comes last, and this is its last line.
LAST_FRAME = "in _run_module_as_main"
# TestFlows and the runner lie below every scenario and say nothing about it.
BELOW = ("/testflows/", "/helpers/runner/", "<frozen runpy>")


def wait_for(file: Path) -> str:
    """The text of a stack that is just being written, once it is complete or no longer grows."""
    text, changed = "", time.monotonic()

    def settled() -> bool:
        nonlocal text, changed
        now = file.read_text(errors="replace") if file.exists() else ""
        if now != text:
            text, changed = now, time.monotonic()
        quiet = time.monotonic() - changed > scaled(QUIET_SECONDS)
        return text.rstrip().endswith(LAST_FRAME) or bool(text and quiet)

    poll(settled, scaled(WAIT_SECONDS))
    return text


def readable(text: str, scenarios: Path) -> str:
    """The innermost line of the scenario, the stack that led on from it, then the other threads."""
    text = ESCAPED.sub(lambda match: chr(int(match[match.lastindex or 0], 16)), text)
    threads = [thread.splitlines() for thread in text.strip().split("\n\n") if thread.strip()]
    main = next((thread for thread in threads if LAST_FRAME in thread[-1]), None)
    if main is None:
        return text
    threads.remove(main)
    frames = [frame for frame in main[1:] if not any(part in frame for part in BELOW)]
    lines = ["Stack of the scenario (most recent call first):", *frames]
    place = next(filter(None, (_of_scenario(frame, scenarios) for frame in frames)), None)
    if place is not None:
        lines = [*place, "", *lines]
    for thread in threads:
        lines += ["", *thread]
    return "\n".join(lines)


def _of_scenario(frame: str, scenarios: Path) -> list[str] | None:
    """Place and source of a frame in a file of scenarios."""
    match = FRAME.fullmatch(frame)
    if match is None or not Path(match["file"]).is_relative_to(scenarios):
        return None
    number = int(match["line"])
    source = linecache.getline(match["file"], number).strip()
    place = f"At {shown(Path(match['file']))}:{number} in {match['function']}:"
    return [place, f"    {source}"] if source else [place.rstrip(":")]
