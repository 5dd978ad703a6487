"""A default run against a bare Spark session with one job, in one measurement.

    .venv/bin/python bench/whole_run.py [OPTIONS OF A RUN…]

Bars: the run takes at most 30 times as long as the session, no scenario longer than 30 times the median, and
no worker idles for more than a tenth of the run once it has ended its last scenario.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.times import seconds
from helpers.base.paths import ROOT
from helpers.cli.options.run import parser
from helpers.cli.run import run_scenarios
from helpers.report import console_progress
from helpers.report.console_progress import ShortProgress
from helpers.scenario.result import ScenarioResult

RUN_BAR = SCENARIO_BAR = 30.0
IDLE_BAR = 0.1
SESSION = """
from pyspark.sql import SparkSession
from pipelines.spark.java import find_java
import os
os.environ["JAVA_HOME"] = str(find_java().path)
spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
assert spark.range(1000).selectExpr("sum(id)").first()[0] == 499500
spark.stop()
"""


class Watched(ShortProgress):
    """Keeps when each worker ended its last scenario, and how long scenarios took."""

    started_at = 0.0
    last: dict[int, float] = {}  # noqa: RUF012 - of the one run that is measured
    took: dict[str, float] = {}  # noqa: RUF012

    def finished(self, worker: int, result: ScenarioResult) -> None:
        super().finished(worker, result)
        Watched.last[worker] = time.monotonic()
        if result.seconds:
            Watched.took[result.name] = result.seconds


def bare_session() -> None:
    subprocess.run([sys.executable, "-c", SESSION], cwd=ROOT, check=True, capture_output=True)


def whole_run(options: list[str]) -> tuple[int, float]:
    """The exit code of a run and how long it took."""
    console_progress.STYLES["short"] = Watched
    with tempfile.TemporaryDirectory(prefix="whole-run-") as folder:
        given = parser().parse_args(["-o", "short", "--results", folder, *options])
        started = time.monotonic()
        code = run_scenarios(given)
        return code, time.monotonic() - started


def main() -> int:
    before = seconds(bare_session)
    code, run = whole_run(sys.argv[1:])
    bare = statistics.mean([before, seconds(bare_session)])
    median, (slowest, longest) = (
        statistics.median(Watched.took.values()),
        max(Watched.took.items(), key=lambda item: item[1]),
    )
    ends = sorted(Watched.last.values())
    idle = (ends[-1] - ends[0]) / run
    measured = {
        f"run / bare Spark session with one job ({run:.0f} s / {bare:.1f} s)": (
            run / bare,
            RUN_BAR,
        ),
        f"longest / median scenario ({longest:.1f} s / {median:.2f} s, {slowest})": (
            longest / median,
            SCENARIO_BAR,
        ),
        "share of the run that a worker idles at its end": (idle, IDLE_BAR),
    }
    print("\n| what | measured | bar |\n|---|---:|---:|")
    for what, (value, bar) in measured.items():
        print(f"| {what} | {value:.2f} | ≤ {bar:g} |")
    return code or int(any(value > bar for value, bar in measured.values()))


if __name__ == "__main__":
    sys.exit(main())
