"""The log file of a server: its last entries, and what was written since a position."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from helpers.cluster.processes.process import tail
from pipelines.system.waiting import poll

LONGEST_LINE = 400
ENTRY = re.compile(r"\d{4}\.\d\d\.\d\d ")
LAG_SECONDS = 0.025
SETTLES_SECONDS = 0.25


@dataclass(frozen=True)
class ServerLog:
    """A log that the server may still be writing."""

    file: Path

    def tail(self, lines: int, about: str = "") -> str:
        """The last entries, without stack traces and traces of sessions and plans; those that contain
        `about`, if there are any."""
        self.position()
        entries = [
            line
            for line in tail(self.file, 400).splitlines()
            if ENTRY.match(line) and "<Trace>" not in line
        ]
        entries = [entry for entry in entries if about in entry] or entries
        return "\n".join(
            entry.partition(", Stack trace (")[0][:LONGEST_LINE] for entry in entries[-lines:]
        )

    def position(self) -> int:
        """The size of the log once it has stopped growing: the server writes it from a thread of its
        own, a few milliseconds after the fact, and knows no statement that would flush it."""
        size = -1

        def settled() -> bool:
            nonlocal size
            before, size = size, self.file.stat().st_size if self.file.exists() else 0
            return size == before

        poll(settled, SETTLES_SECONDS, pause=LAG_SECONDS)
        return size

    def since(self, position: int) -> str:
        """What was written after a position."""
        if self.position() == 0:
            return ""
        with self.file.open("rb") as stream:
            stream.seek(position)
            return stream.read().decode("utf-8", "replace")
