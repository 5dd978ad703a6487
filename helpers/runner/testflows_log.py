"""One TestFlows log for a whole run, out of the logs of its workers; `tfs transform` reads it.

A log is lines of JSON, compressed. Each worker's has a module of its own at the top: the first one's becomes
the module of all, and the tests of the others are numbered after its tests.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from helpers.base.errors import UsageError

OPENING = ("PROTOCOL", "VERSION", "TEST")
CLOSING = ("RESULT", "STOP")
# The worst result of a worker is that of the run.
WORST_FIRST = ("Error", "Fail", "Null", "XError", "XFail", "XNull", "XOK", "OK", "Skip")
Message = dict[str, Any]


def merge(logs: Sequence[Path], file: Path) -> None:
    """Write the messages of these logs to one."""
    opening: list[Message] = []
    closing: list[Message] = []
    first, taken = "", 0
    try:
        with lzma.open(file, "wt", encoding="utf-8") as target:
            for log in logs:
                highest = -1
                for message in _messages(log):
                    root, *rest = str(message["test_id"]).strip("/").split("/")
                    if not rest and message["message_keyword"] in CLOSING:
                        closing.append(message)
                        continue
                    if not rest and message["message_keyword"] in OPENING:
                        if len(opening) < len(OPENING):
                            opening.append(message)
                            first = root
                            _write(target, message)
                        continue
                    if rest:
                        highest = max(highest, int(rest[0]))
                        rest[0] = str(int(rest[0]) + taken)
                    _write(target, {**message, "test_id": "/" + "/".join([first, *rest])})
                taken += highest + 1
            for message in _closing(opening, closing):
                _write(target, {**message, "test_id": f"/{first}"})
    except OSError as error:
        raise UsageError(f"--log {file} cannot be written: {error.strerror}.") from None


def _messages(log: Path) -> Iterator[Message]:
    """The messages of a log, as far as it goes: that of a killed worker ends anywhere."""
    try:
        with lzma.open(log, "rt", encoding="utf-8") as lines:
            for line in lines:
                message = json.loads(line)
                if isinstance(message, dict):
                    yield message
    except (OSError, EOFError, lzma.LZMAError, ValueError):
        return


def _closing(opening: Sequence[Message], closing: Sequence[Message]) -> list[Message]:
    """The worst result of all workers, and the end of the log."""
    results = [message for message in closing if message["message_keyword"] == "RESULT"]
    results.sort(key=lambda message: WORST_FIRST.index(message.get("result_type", "Skip")))
    stops = [message for message in closing if message["message_keyword"] == "STOP"]
    if not stops and opening:  # every worker was killed
        stops = [{**opening[0], "message_keyword": "STOP"}]
    return [*results[:1], *stops[-1:]]


def _write(target: IO[str], message: Message) -> None:
    target.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n")
