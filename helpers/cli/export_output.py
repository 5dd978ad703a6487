"""What the command `export` shows: how far it is, what it would do, and what it did."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from helpers.base.errors import ALL_AS_EXPECTED, ENVIRONMENT, FAILURES, USAGE
from helpers.base.escaping import printable
from pipelines.errors import Unavailable

if TYPE_CHECKING:
    from pipelines.export.exporter import Outcome
    from pipelines.export.plan import Plan


def say(given: argparse.Namespace, text: str) -> None:
    """Tell a user what the command does now; standard output has results only."""
    if not given.json:
        print(printable(text), file=sys.stderr, flush=True)


@contextmanager
def progress(given: argparse.Namespace, plans: Sequence[Plan]) -> Iterator[Any]:
    """A bar with rows, bytes, rate and time left on a terminal; nothing in a pipe."""
    if given.json or not sys.stderr.isatty():
        yield lambda progress: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )

    with Progress(
        TextColumn("{task.fields[rows]:,} of {task.fields[total_rows]:,} rows"),
        BarColumn(),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        transient=True,
    ) as bar:
        rows, size = (sum(getattr(plan, name) for plan in plans) for name in ("rows", "size"))
        task = bar.add_task("", total=size or 1, rows=0, total_rows=rows)
        yield lambda progress: bar.update(task, completed=progress.bytes, rows=progress.rows)


def show_plan(given: argparse.Namespace, plans: Sequence[Plan]) -> int:
    from pipelines.export.readers import differences, without_fingerprint

    files = [
        {
            "server": plan.server.url,
            "part": planned.part.name,
            "file": f"s3://{plan.destination.place.bucket}/{planned.key}",
            "rows": planned.part.rows,
            "bytes_in_part": planned.part.compressed,
        }
        for plan in plans
        for planned in plan.parts
    ]
    columns = {name: kind for plan in plans for name, kind in plan.columns.items()}
    differ, counted = differences(columns), without_fingerprint(columns)
    if given.json:
        print(json.dumps(files, indent=1))
        return ALL_AS_EXPECTED
    for name, text in differ.items():
        print(printable(f"Column {name} {columns[name]} is not read exactly: {text}."))
    for name in counted:
        print(
            printable(f"Column {name} {columns[name]} has no fingerprint: rows are counted only.")
        )
    for file in files:
        print(printable("{part}: {rows} rows, {bytes_in_part} bytes → {file}".format(**file)))
    rows, size = (sum(getattr(plan, name) for plan in plans) for name in ("rows", "size"))
    print(f"{len(files)} parts, {rows} rows, {size} bytes as ClickHouse keeps them.")
    return ALL_AS_EXPECTED


def show_outcomes(given: argparse.Namespace, outcomes: list[Outcome]) -> int:
    if given.json:
        names = ("export_id", "part", "status", "key", "rows", "size", "error")
        shown = [{name: getattr(outcome, name) for name in names} for outcome in outcomes]
        print(json.dumps(shown, indent=1))
    else:
        for outcome in outcomes:
            print(printable(_line(outcome)), file=sys.stderr if outcome.error else sys.stdout)
        rows, size = (sum(getattr(o, name) for o in outcomes) for name in ("rows", "size"))
        done = sum(not outcome.error for outcome in outcomes)
        print(f"{done} of {len(outcomes)} parts, {rows} rows and {size} bytes exported now.")
    return max((_exit_code(outcome) for outcome in outcomes), default=ALL_AS_EXPECTED)


def _line(outcome: Outcome) -> str:
    if outcome.error:
        return f"{outcome.part}: {outcome.error}"
    if outcome.status == "skipped":
        return f"{outcome.part}: is there already"
    return f"{outcome.part}: {outcome.rows} rows, {outcome.size} bytes → {outcome.key}"


def _exit_code(outcome: Outcome) -> int:
    if outcome.exception is None:
        return ALL_AS_EXPECTED
    if issubclass(outcome.exception, Unavailable):
        return ENVIRONMENT
    return USAGE if outcome.code else FAILURES
