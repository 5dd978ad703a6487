"""One run: a folder, an environment and jobs; `Run.execute` returns a result for each job."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
import time
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from helpers.base import signals as interrupts
from helpers.base.errors import (
    ALL_AS_EXPECTED,
    ENVIRONMENT,
    FAILURES,
    INTERRUPTED,
    EnvironmentFailed,
)
from helpers.base.paths import ROOT, SCENARIOS, launcher
from helpers.cluster import environments
from helpers.runner.attempts import Attempts
from helpers.runner.folder import RunFolder, ended_runs, prune
from helpers.runner.options import Options
from helpers.runner.protocol import WorkerConfig
from helpers.runner.supervisor.job_queue import Limits, NextJobs
from helpers.runner.supervisor.supervisor import Progress, Supervisor
from helpers.scenario.result import UNEXPECTED, Result, ScenarioResult
from helpers.scenario.scenario import Job, Key


@dataclass(frozen=True)
class RunResult:
    """The results of a run, complete or interrupted. `failure` is why the environment did not start."""

    jobs: tuple[Job, ...]
    results: tuple[ScenarioResult, ...]
    seconds: float
    clickhouse: str
    build: str
    interrupted: str | None
    failure: EnvironmentFailed | None

    @property
    def by_key(self) -> dict[Key, ScenarioResult]:
        """The results by scenario and mutant."""
        return {job.key: result for job, result in zip(self.jobs, self.results, strict=True)}

    def exit_code(self, results: Sequence[ScenarioResult], options: Options) -> int:
        """The exit code of a run in which these results decide."""
        if self.failure is not None:
            return ENVIRONMENT
        if self.interrupted:
            return INTERRUPTED
        bad = UNEXPECTED - {Result.FLAKY} if options.allow_flaky else UNEXPECTED
        bad = bad | {Result.FIXED} if options.strict else bad
        return FAILURES if any(result.result in bad for result in results) else ALL_AS_EXPECTED


class Run:
    """A run with these options in this folder."""

    def __init__(self, options: Options, folder: RunFolder, engine: str) -> None:
        self.options = options
        self.folder = folder
        self.engine = engine

    def execute(
        self,
        jobs: Sequence[Job],
        progress: Progress,
        next_jobs: NextJobs = lambda *_: (),
        *,
        generate: bool = False,
    ) -> RunResult:
        """Execute these jobs, and those that their results make necessary.

        With `generate`, the result of a scenario as it is carries mutants made from what it did.
        """
        options = self.options
        started = time.monotonic()
        attempts = Attempts(options.repeat, options.retry, options.until_fail)
        limits = Limits(options.workers, options.fail_fast, options.timeout, attempts)
        config = replace(self._config(), generate=generate)
        supervisor = Supervisor(jobs, config, limits, progress, next_jobs)
        failure = None
        try:
            supervisor.run()
        except EnvironmentFailed as error:
            failure = error
        return RunResult(
            jobs=tuple(supervisor.queue.jobs),
            results=tuple(supervisor.results()),
            seconds=time.monotonic() - started,
            clickhouse=supervisor.clickhouse,
            build=supervisor.build,
            interrupted=supervisor.interrupted,
            failure=failure,
        )

    def facts(self, executed: RunResult, code: int) -> dict[str, Any]:
        """The section `run` of results.json."""
        options, folder = self.options, self.folder
        return {
            "id": folder.id,
            "started": f"{folder.started:%Y-%m-%dT%H:%M:%SZ}",
            "seconds": round(executed.seconds, 3),
            "seed": options.seed,
            "options": _rerun_options(options).strip(),
            "shard": str(options.shard) if options.shard else None,
            "environment": options.target.env,
            "clickhouse": executed.clickhouse,
            "build": executed.build,
            "engine": self.engine,
            "mutant": options.mutant,
            "exit_code": code,
            "interrupted": executed.interrupted,
            "command": shlex.join([launcher(), *sys.argv[1:]]),
            "workers": options.workers,
            "allow_flaky": options.allow_flaky,
            "strict": options.strict,
            "commit": _commit(),
            "version": _version(),
            "repository": options.repository,
        }

    def _config(self) -> WorkerConfig:
        options = self.options
        return WorkerConfig(
            number=0,
            scenarios=str(options.scenarios.resolve()),
            folder=str(self.folder.path),
            seed=options.seed,
            target=options.target,
            keep=options.keep,
            launcher=shlex.quote(launcher()),
            rerun_options=_rerun_options(options),
            under_mutant=options.mutant is not None,
            debug=options.debug,
            pause_on_fail=options.pause_on_fail,
            every_variant=options.every_variant,
        )


def _rerun_options(options: Options) -> str:
    """The options that decide how a scenario ends, as they were given."""
    scenarios = None if options.scenarios.resolve() == SCENARIOS else options.scenarios
    given = {
        "--timeout": options.timeout and repr(options.timeout).removesuffix(".0"),
        **options.target.arguments,
        "--spark-master": options.spark_master,
        "--scenarios": scenarios,
    }
    flags = " --every-variant" if options.every_variant else ""
    return flags + "".join(
        f" {name} {shlex.quote(str(value))}" for name, value in given.items() if value
    )


def _commit() -> str | None:
    """The commit that is checked out, marked if files differ from it; None outside a repository."""
    try:
        head = _git("rev-parse", "HEAD")
        changed = _git("status", "--porcelain", "--untracked-files=no")
    except (OSError, subprocess.SubprocessError):
        return None
    return f"{head}-changed" if changed else head


def _version() -> str:
    """The version of the project, as pyproject.toml says it."""
    with (ROOT / "pyproject.toml").open("rb") as file:
        return str(tomllib.load(file)["project"]["version"])


def _git(*arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", ROOT, *arguments], capture_output=True, check=True, text=True, timeout=20
    )
    return done.stdout.strip()


@contextmanager
def open_run(options: Options) -> Iterator[Run]:
    """A run in an environment that can come up; its folder is tidied up in the end."""
    engine = environments.check(options.target, print)
    if options.spark_master:
        os.environ["SPARK_MASTER"] = options.spark_master  # for the workers, which start Spark
    # A signal must not interrupt the writing of results or the cleaning up.
    with interrupts.waiting(), _tidied_up(options) as folder:
        yield Run(options, folder, engine)


@contextmanager
def _tidied_up(options: Options) -> Iterator[RunFolder]:
    """A folder for a run; what only the run needed is removed in the end."""
    folder = RunFolder(options.results)
    try:
        environments.remove_leftovers(options.target, ended_runs(options.results))
        yield folder
    except BrokenPipeError:  # the reader of the console's pipe has closed it
        raise
    except OSError as error:
        raise EnvironmentFailed(
            f"The run could not be carried out in {folder.path}: {error.strerror or error}."
        ) from error
    finally:
        environments.remove_leftovers(options.target, [folder.id])
        if not options.keep and not any(folder.path.glob("scenarios/*/failure.txt")):
            shutil.rmtree(folder.data, ignore_errors=True)
        folder.close()
        prune(options.results, options.keep_runs)
