"""The options of a run, checked; helpers/cli/options/run.py says what they mean."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from helpers.base.arguments import whole_number
from helpers.base.errors import UsageError, nearest
from helpers.base.time_limits import positive
from helpers.cluster.target import Target
from helpers.runner.selection import Shard
from pipelines.errors import PipelineError
from pipelines.spark.master import check_master

KEEP_RUNS = 20
MOST_WORKERS = 64
OUTPUTS = {
    "live": "a bar, and what every worker is at",
    "classic": "a line for each scenario",
    "short": "failures only",
    "dots": "a character for each scenario",
}


@dataclass(frozen=True)
class Options:
    """The command line of a run, checked."""

    only: list[str]
    skip: list[str]
    requirement: list[str]
    shard: Shard | None
    target: Target
    spark_master: str | None
    mutant: str | None
    workers: int
    seed: int
    timeout: float | None
    fail_fast: bool
    keep: bool
    results: Path
    scenarios: Path
    list: bool
    plan: bool
    output: str
    last_failed: bool
    repeat: int
    retry: int
    until_fail: bool
    allow_flaky: bool
    strict: bool
    pause_on_fail: bool
    every_variant: bool
    debug: bool
    log: Path | None
    keep_runs: int
    repository: str | None


def checked(given: argparse.Namespace) -> Options:
    """The options of a parsed command line; UsageError if one cannot be used."""
    attempts = (bool(given.repeat), bool(given.retry), given.until_fail)
    if sum(attempts) > 1:
        raise UsageError("Of --repeat, --retry and --until-fail only one can be given.")
    workers = given.workers or str(1 if given.pause_on_fail else _default_workers())
    seed = given.seed or str(secrets.randbelow(2**32))
    keep_runs = given.keep_runs or str(KEEP_RUNS)
    read = {
        **vars(given),
        "shard": Shard.parse(given.shard) if given.shard is not None else None,
        "target": Target.of(given),
        "spark_master": _master(given.spark_master),
        "workers": whole_number("--workers", workers, 1, MOST_WORKERS),
        "seed": whole_number("--seed", seed, 0, 2**64),
        "timeout": _seconds("--timeout", given.timeout),
        "results": Path(given.results),
        "scenarios": Path(given.scenarios),
        "output": _output(given),
        "repeat": whole_number("--repeat", given.repeat or "1", 1, 1_000_000),
        "retry": whole_number("--retry", given.retry or "0", 0, 100),
        "log": _log(given.log),
        "keep_runs": whole_number("--keep-runs", keep_runs, 1, 1_000_000),
        "repository": _repository(given.repository),
    }
    return Options(**{name: read[name] for name in Options.__dataclass_fields__})


def _log(given: str | None) -> Path | None:
    """The file of --log; that it can be written is checked before the run."""
    if given is None:
        return None
    file = Path(given).resolve()
    place = file if file.exists() else file.parent
    if file.is_dir() or not file.parent.is_dir() or not os.access(place, os.W_OK):
        raise UsageError(f"--log {given}: a file cannot be written there.")
    return file


def _output(given: argparse.Namespace) -> str:
    """The style of the console: what was asked for, or what fits where the output goes."""
    if given.output is not None and given.output not in OUTPUTS:
        raise UsageError(
            f"--output {given.output!r}: there is {', '.join(OUTPUTS)}."
            + nearest(given.output, OUTPUTS)
        )
    plain = given.plain or given.debug or given.pause_on_fail
    plain = plain or not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR"))
    return given.output or ("classic" if plain else "live")


def _repository(given: str | None) -> str | None:
    """The web address of the repository: given, or from the variables of the environment or of CI."""
    address = given or os.environ.get("REGRESSION_REPOSITORY")
    if not address and os.environ.get("GITHUB_REPOSITORY"):
        server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
        address = f"{server}/{os.environ['GITHUB_REPOSITORY']}"
    if address and not address.startswith(("https://", "http://")):
        raise UsageError(f"--repository {address!r} is not a web address (https://…).")
    return address.rstrip("/") if address else None


def _master(text: str | None) -> str | None:
    if text is not None:
        try:
            check_master(text)
        except PipelineError as error:
            raise UsageError(f"--spark-master: {error}") from None
    return text


def _default_workers() -> int:
    """More than there are cores, because scenarios wait for their servers a third of the time."""
    return min(MOST_WORKERS, max(1, len(os.sched_getaffinity(0)) * 3 // 2))


def _seconds(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    refusal = f"{option} {text!r} is not a number of seconds between 0 and 86400."
    return positive(text, 86400, refusal)
