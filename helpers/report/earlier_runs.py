"""The runs that a newer one is compared with: one run, a merged night, or the newest of many nights."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path

from helpers.base.errors import UsageError
from helpers.report.load import load_results
from helpers.report.run_results import EVERY_RESULTS_FILE, RESULTS_FILE, Results


def load_base(path: Path, runs: Sequence[Results]) -> list[Results]:
    """The results of a file, of the folder of a run or of a night, or of the newest night below a folder.

    The newest is chosen by the times in the results, not by those of files: a download has new ones.
    Empty if there is no night before these runs.
    """
    if not path.is_dir() or (path / RESULTS_FILE).exists():
        return load_night(path)
    nights = [load_night(file.parent) for file in sorted(path.rglob(RESULTS_FILE))]
    started = min(map(_started, runs))
    return max(
        (night for night in nights if _latest_start(night) < started), key=_latest_start, default=[]
    )


def load_runs(folder: Path) -> list[Results]:
    """All runs below a folder of results; one that cannot be read tells nothing."""
    runs = []
    for file in sorted(folder.glob(f"*/{RESULTS_FILE}")):
        with contextlib.suppress(UsageError):
            runs.append(load_results(file))
    return list({run.id: run for run in runs}.values())  # once, not also as `latest`


def load_night(path: Path) -> list[Results]:
    """All columns of a merged night; a run, or a file, is one column."""
    if not path.is_dir():
        return [load_results(path)]
    return [load_results(file) for file in sorted(path.glob(EVERY_RESULTS_FILE))] or [
        load_results(path)
    ]


def _started(run: Results) -> str:
    return str(run.run.get("started") or "")


def _latest_start(night: Sequence[Results]) -> str:
    """When the last of its columns started."""
    return max(map(_started, night))
