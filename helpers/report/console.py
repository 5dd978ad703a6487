"""What a person at a terminal sees while a run goes on, and plain lines for everybody else."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from types import TracebackType
from typing import Any, Self

from helpers.runner import sensitivity
from helpers.runner.discover import AT, Scenario

ORDER = ("OK", "XFail", "Skip", "XPass", "Fail", "Error", "NotRun")
STYLES = {
    "OK": "green",
    "XFail": "yellow",
    "Skip": "cyan",
    "XPass": "bold red",
    "Fail": "bold red",
    "Error": "bold red",
    "NotRun": "dim",
}
LOUD = ("Fail", "Error", "XPass")
MESSAGE_LINES = 25


class PlainProgress:
    """A line for each scenario that ended."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._done = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        return None

    def added(self, count: int) -> None:
        self._total += count

    def started(self, worker: int, scenario: Scenario) -> None: ...

    def step(self, worker: int, step: str) -> None: ...

    def finished(self, worker: int, scenario: Scenario, record: dict[str, Any]) -> None:
        self._done += 1
        print(f"[{self._done}/{self._total}] {line(record)}", flush=True)
        for told in failure(record):
            print(told, flush=True)


class RichProgress(PlainProgress):
    """A bar, and what every worker is at; ended scenarios scroll away above it."""

    def __init__(self, total: int) -> None:
        super().__init__(total)
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        self._console = Console(highlight=False)
        self._progress = Progress(
            TextColumn("[bold]scenarios"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            Elapsed(),
            TextColumn("[dim]{task.fields[now]}"),
            console=self._console,
            transient=True,
        )
        self._task = self._progress.add_task("run", total=total, now="starting servers …")
        self._now: dict[int, str] = {}
        self._drawn = 0.0

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def added(self, count: int) -> None:
        super().added(count)
        self._progress.update(self._task, total=self._total)

    def started(self, worker: int, scenario: Scenario) -> None:
        self._now[worker] = scenario.title
        self._show(force=True)

    def step(self, worker: int, step: str) -> None:
        title = self._now.get(worker, "").partition(": ")[0]
        self._now[worker] = f"{title}: {step}"
        self._show()

    def finished(self, worker: int, scenario: Scenario, record: dict[str, Any]) -> None:
        from rich.text import Text

        self._now.pop(worker, None)
        result = str(record["result"])
        self._console.print(Text(line(record), style=STYLES[result] if failure(record) else ""))
        for told in failure(record):
            self._console.print(Text(told))
        self._progress.update(self._task, advance=1)
        self._show(force=True)

    def _show(self, force: bool = False) -> None:
        # Steps come by the hundred a second; the eye takes ten.
        if force or time.monotonic() - self._drawn > 0.1:
            self._drawn = time.monotonic()
            width = max(20, (self._console.width - 60) // max(1, len(self._now)))
            now = " | ".join(text[:width] for text in self._now.values())
            self._progress.update(self._task, now=now.replace("[", "\\["))


def progress(total: int, plain: bool) -> PlainProgress:
    return PlainProgress(total) if plain else RichProgress(total)


def line(record: dict[str, Any]) -> str:
    """One scenario in a line."""
    if AT in record["name"]:
        return f"{sensitivity.fate(record):<15} {record['seconds']:>7.2f} s  {record['name']}"
    reason = record.get("reason")
    told = f"  ({reason})" if reason and record["result"] not in LOUD else ""
    return f"{record['result']:<6} {record['seconds']:>7.2f} s  {record['name']}{told}"


def failure(record: dict[str, Any]) -> list[str]:
    """What has to be known of a failure at once; the rest is in its folder."""
    if record["result"] not in LOUD or AT in record["name"]:
        return []
    told = (record.get("message") or record.get("reason") or "").splitlines()
    shown = [f"    {text}" for text in told[:MESSAGE_LINES]]
    if len(told) > MESSAGE_LINES:
        shown.append(f"    … {len(told) - MESSAGE_LINES} more lines in its folder")
    step = [f"  in the step: {record['step']}"] if record.get("step") else []
    return [*step, *shown]


def summary(results: dict[str, Any], folder: str) -> str:
    """How the run ended, what to look at, and where."""
    run, scenarios = results["run"], results["scenarios"]
    counts = Counter(one["result"] for one in scenarios)
    told = ", ".join(f"{counts[name]} {name}" for name in ORDER if counts[name])
    lines = ["", f"{len(scenarios)} scenarios in {run['seconds']:.1f} s: {told}"]
    states = Counter(one["state"] for one in results["requirements"])
    if states:
        told = ", ".join(f"{count} {state}" for state, count in states.most_common())
        lines.append(f"{sum(states.values())} requirements: {told}")
    lines += _failures(scenarios)
    if run["interrupted"]:
        lines.append(
            f"Not finished: {run['interrupted']}; {counts['NotRun']} scenarios did not run."
        )
    lines.append(f"Seed {run['seed']}, ClickHouse {run['clickhouse'] or 'unknown'}.")
    lines.append(f"Report: {folder}/coverage.html")
    return "\n".join(lines)


def _failures(scenarios: Sequence[dict[str, Any]]) -> list[str]:
    bad = [one for one in scenarios if one["result"] in LOUD]
    lines = ["", "Not as expected:"] if bad else []
    for one in bad:
        lines.append(f"  {one['result']}  {one['name']}  ({one['file']}:{one['line']})")
        lines.append(f"        {one['reason']}")
        if one.get("folder"):
            lines.append(
                f"        see {one['folder']}/repro.sql, failure.txt and the servers' logs"
            )
        lines.append(f"        again: {one['rerun']}")
    return [*lines, ""] if bad else []
