"""Progress and summary of a run on the console: live on a terminal, plain lines elsewhere."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from helpers.base.errors import UsageError
from helpers.base.escaping import counted, printable
from helpers.base.paths import ROOT, from_here
from helpers.base.versions import RECORDED_UP_TO, is_newer_than_recorded
from helpers.report.columns import columns_of
from helpers.report.deviations import headline, seen_deviations
from helpers.report.run_results import Results
from helpers.scenario.result import Result, ScenarioResult, Subject
from helpers.sensitivity.verdicts import end_of

CHARACTERS = {
    Result.OK: ".",
    Result.XFAIL: "x",
    Result.SKIP: "s",
    Result.XPASS: "X",
    Result.FIXED: "f",
    Result.FAIL: "F",
    Result.ERROR: "E",
    Result.FLAKY: "~",
    Result.NOT_RUN: "-",
}
"""The character of each result, in the order of the summary."""
MESSAGE_LINES = 25
DOTS = 80


class PlainProgress:
    """A line for each scenario that ended; with `debug` each step and statement as well."""

    def __init__(self, total: int, debug: bool = False) -> None:
        self._total = total
        self._done = 0
        self._debug = debug

    def added(self, count: int) -> None:
        self._total += count

    def started(self, worker: int, title: str) -> None: ...

    def step(self, worker: int, step: str) -> None:
        if self._debug:
            self.detail(worker, step)

    def detail(self, worker: int, text: str) -> None:
        """Print a step or statement of a worker at once."""
        for line_ in printable(text).split("\n"):
            print(f"  {worker}| {line_}", flush=True)

    def note(self, text: str) -> None:
        """Print a line about the run itself."""
        print(printable(text), flush=True)

    def finished(self, worker: int, result: ScenarioResult) -> None:
        self._done += 1
        print(f"[{self._done}/{self._total}] {line(result)}", flush=True)
        for text in failure(result):
            print(text, flush=True)


class ShortProgress(PlainProgress):
    """Failures only."""

    def finished(self, worker: int, result: ScenarioResult) -> None:
        if result.unexpected:
            super().finished(worker, result)
        else:
            self._done += 1


class DotsProgress(PlainProgress):
    """A character for each scenario that ended; failures are in the summary."""

    def finished(self, worker: int, result: ScenarioResult) -> None:
        self._done += 1
        end = "\n" if self._done % DOTS == 0 or self._done == self._total else ""
        print(CHARACTERS[result.result], end=end, flush=True)


class RichProgress(PlainProgress):
    """A bar with the current step of every worker; scenarios that have ended scroll above it."""

    def __init__(self, total: int) -> None:
        super().__init__(total)
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
        from rich.progress import TimeElapsedColumn as Elapsed

        self._console = Console(highlight=False)
        self.bar = Progress(
            TextColumn("[bold]scenarios"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            Elapsed(),
            TextColumn("[dim]{task.fields[now]}"),
            console=self._console,
            transient=True,
        )
        self._task = self.bar.add_task("run", total=total, now="starting servers …")
        self._now: dict[int, str] = {}
        self._drawn = 0.0

    def added(self, count: int) -> None:
        super().added(count)
        self.bar.update(self._task, total=self._total)

    def started(self, worker: int, title: str) -> None:
        self._now[worker] = title
        self._show(force=True)

    def step(self, worker: int, step: str) -> None:
        title = self._now.get(worker, "").partition(": ")[0]
        self._now[worker] = f"{title}: {step}"
        self._show()

    def note(self, text: str) -> None:
        self._now[0] = text
        self._show(force=True)

    def finished(self, worker: int, result: ScenarioResult) -> None:
        from rich.text import Text

        self._now.pop(worker, None)
        details = failure(result)
        self._console.print(Text(line(result), style="bold red" if details else ""))
        for text in details:
            self._console.print(Text(text))
        self.bar.update(self._task, advance=1)
        self._show(force=True)

    def _show(self, force: bool = False) -> None:
        # There are hundreds of steps a second; ten updates a second are enough.
        if force or time.monotonic() - self._drawn > 0.1:
            self._drawn = time.monotonic()
            width = max(20, (self._console.width - 60) // max(1, len(self._now)))
            now = " | ".join(one_line(text)[:width] for text in self._now.values())
            self.bar.update(self._task, now=now.replace("[", "\\["))


STYLES = {"classic": PlainProgress, "short": ShortProgress, "dots": DotsProgress}


@contextmanager
def progress(total: int, output: str, debug: bool = False) -> Iterator[PlainProgress]:
    """Progress on the console in this style, as long as the block runs."""
    if output in STYLES:
        yield STYLES[output](total, debug)
        return
    shown = RichProgress(total)
    with shown.bar:
        yield shown


def one_line(text: object) -> str:
    """A text of a server or a scenario on one line."""
    return printable(str(text).replace("\n", " "))


def line(result: ScenarioResult) -> str:
    """One scenario in a line."""
    if result.mutant:
        return printable(f"{end_of(result):<15} {result.seconds:>7.2f} s  {result.label}")
    reason = f"  ({one_line(result.reason)})" if result.reason and not result.unexpected else ""
    counts = Counter(result.attempts)
    attempts = ", ".join(f"{count} {name}" for name, count in counts.items())
    attempts = f"  [{counts.total()} attempts: {attempts}]" if counts else ""
    return f"{result.result:<6} {result.seconds:>7.2f} s  {result.name}{reason}{attempts}"


def failure(result: ScenarioResult) -> list[str]:
    """The lines about a failure that are printed at once; the rest is in its folder."""
    if not result.unexpected or (result.mutant and not result.folder):
        return []
    lines = printable(result.message or result.reason or "").split("\n")
    shown = [f"    {text}" for text in lines[:MESSAGE_LINES]]
    if len(lines) > MESSAGE_LINES:
        shown.append(f"    … {len(lines) - MESSAGE_LINES} more lines in its folder")
    step = [f"  in the step: {one_line(result.step)}"] if result.step else []
    return [*step, *shown]


def summary(results: Results, folder: Path) -> str:
    """How the run ended, which scenarios need attention, and where the results are."""
    run, scenarios = results.run, results.scenarios
    counts = Counter(scenario.result for scenario in scenarios)
    shown = ", ".join(f"{counts[result]} {result}" for result in CHARACTERS if counts[result])
    lines = ["", f"{counted(len(scenarios), 'scenario')} in {run['seconds']:.1f} s: {shown}"]
    for subject in Subject:
        states = Counter(of.state for of in results.requirements if of.subject is subject)
        if states:
            shown = ", ".join(f"{count} {state}" for state, count in states.most_common())
            lines.append(f"{subject}, {sum(states.values())} requirements: {shown}")
    deviations = headline(seen_deviations(columns_of([results])))
    lines += [f"Known deviations: {deviations}"] if deviations else []
    lines += _fixed(scenarios)
    lines += _failures(scenarios, folder)
    if run["interrupted"]:
        count = counts[Result.NOT_RUN]
        lines.append(
            f"Not finished: {run['interrupted']}; {counted(count, 'scenario')} did not run."
        )
    engine = f" (out of {run['engine']})" if run.get("engine") else ""
    lines.append(f"Seed {run['seed']}, ClickHouse {run['clickhouse'] or 'unknown'}{engine}.")
    with contextlib.suppress(UsageError):  # a server that reports no version
        if is_newer_than_recorded(run["clickhouse"] or ""):
            lines.append(
                f"This server is newer than the deviations, recorded up to {RECORDED_UP_TO}."
            )
    lines.append(f"Report: {from_here(folder / 'coverage.html')}")
    return "\n".join(lines)


def _fixed(scenarios: Sequence[ScenarioResult]) -> list[str]:
    """What a server lacks of the known deviations, if it is newer than the recorded ones."""
    fixed = [scenario for scenario in scenarios if scenario.result == Result.FIXED]
    lines = ["", f"Fixed? Deviations that this server lacks, recorded up to {RECORDED_UP_TO}:"]
    for scenario in fixed:
        lines.append(f"  {scenario.name}  ({from_here(ROOT / scenario.file)}:{scenario.line})")
        lines.append(f"        {one_line(scenario.reason)}")
    return [*lines, ""] if fixed else []


def _failures(scenarios: Sequence[ScenarioResult], folder: Path) -> list[str]:
    bad = [scenario for scenario in scenarios if scenario.unexpected]
    lines = ["", "Not as expected:"] if bad else []
    for scenario in bad:
        place = f"{from_here(ROOT / scenario.file)}:{scenario.line}"
        lines.append(f"  {scenario.result}  {scenario.name}  ({place})")
        lines.append(f"        {one_line(scenario.reason)}")
        if scenario.triage:
            lines.append(f"        whose fault: {one_line(scenario.triage)}")
        if scenario.folder:
            files = from_here(folder / scenario.folder)
            lines.append(f"        see {files}/repro.sql, failure.txt and the servers' logs")
        lines.append(f"        again: {scenario.rerun}")
    return [*lines, ""] if bad else []
