"""How to export: options with their defaults, checked when they are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pipelines.export.errors import ExportRefused
from pipelines.export.lock import LEASE_SECONDS

SKIP, ERROR, OVERWRITE = POLICIES = ("skip", "error", "overwrite")
ROWS_PER_TASK = 20_000_000


@dataclass(frozen=True)
class Options:
    """How to export.

    `if_exists` is what to do where a part was exported already, `bandwidth` is in bytes a second for
    all tasks together, `settings` are ClickHouse's for reading and encoding. `adopt` takes files whose
    commit files do not name the server to be of the server that is exported from. `since_last` skips
    parts that were merged from exported ones and have exactly their rows. `unproved` overwrites also
    files whose rows the part is not proved to have. A part with more rows, or of more encoded bytes, than
    a file may have becomes several files; 0 is no limit.
    """

    if_exists: str = SKIP
    bandwidth: float = 0.0
    rows_per_task: int = ROWS_PER_TASK
    fingerprint: bool = True
    settings: Mapping[str, str | int] = field(default_factory=dict)
    lease: float = LEASE_SECONDS
    adopt: bool = False
    since_last: bool = False
    unproved: bool = False
    rows_per_file: int = 0
    bytes_per_file: int = 0

    def __post_init__(self) -> None:
        if self.if_exists not in POLICIES:
            raise ExportRefused(
                "BAD_ARGUMENTS", f"'{self.if_exists}' is none of {', '.join(POLICIES)}."
            )
        if self.bandwidth < 0:
            raise ExportRefused(
                "BAD_ARGUMENTS", f"A bandwidth is 0 (no limit) or more, not {self.bandwidth:g}."
            )
        if self.rows_per_task < 1:
            raise ExportRefused("BAD_ARGUMENTS", "A task has at least one row.")
        if min(self.rows_per_file, self.bytes_per_file) < 0:
            raise ExportRefused("BAD_ARGUMENTS", "A file has at least one row and one byte.")
