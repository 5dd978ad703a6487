"""The jobs of a run: which ones wait, how often each was attempted, and its result."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, field, replace

from helpers.cluster.capabilities import Capability
from helpers.runner.attempts import Attempts, combined
from helpers.scenario.result import ScenarioResult
from helpers.scenario.scenario import Job, Key

NextJobs = Callable[[Job, ScenarioResult], Sequence[Job]]


@dataclass(frozen=True)
class Limits:
    """How many workers, when to stop, and a time limit for every job instead of its own."""

    workers: int
    fail_fast: bool = False
    seconds: float | None = None
    attempts: Attempts = field(default_factory=Attempts)


class JobQueue:
    """Jobs and their results.

    `next_jobs` is called with every result and returns the jobs that it makes necessary. These have one
    attempt each, because what fails under a mutant is meant to.
    """

    def __init__(
        self,
        jobs: Sequence[Job],
        limits: Limits,
        next_jobs: NextJobs,
        holds: Callable[[Job], bool] = lambda job: False,
    ) -> None:
        self.jobs = list(jobs)
        # The longest time limits first, so that in the end no worker waits for a long job.
        self._waiting = deque(sorted(jobs, key=lambda job: -job.seconds))
        self._limits = limits
        self._next_jobs = next_jobs
        self._with_attempts = {job.key for job in jobs}
        self._results: dict[Key, ScenarioResult] = {}
        self._attempts: dict[Key, list[ScenarioResult]] = {}
        self._with_spark = 0
        self._holds = holds

    def __len__(self) -> int:
        return len(self._waiting)

    def next_for(self, worker: int, workers: Container[int]) -> Job | None:
        """The next job of a worker. Starting Spark costs more than most scenarios: only one worker does.

        That one takes what needs Spark first, so that the others do not wait for it in the end.
        """
        if self._with_spark not in workers:
            self._with_spark = 0
        job = self._first(with_spark=True) if self._with_spark in (0, worker) else None
        if job is not None:
            self._with_spark = worker
        else:
            job = self._first(with_spark=False)
        if job is not None:
            self._waiting.remove(job)
        return job

    def _first(self, with_spark: bool) -> Job | None:
        """The first waiting job that needs Spark, or that does not, and has its packages."""
        for job in self._waiting:
            needs_it = Capability.SPARK in job.scenario.marks.needs
            if needs_it == with_spark and not self._holds(job):
                return job
        return None

    @property
    def holds_some(self) -> bool:
        """Whether a waiting job has to wait for packages."""
        return any(map(self._holds, self._waiting))

    def record(
        self, job: Job, result: ScenarioResult, stopping: bool
    ) -> tuple[ScenarioResult, int]:
        """Keep the result of an attempt; the result of all attempts, and how many jobs were added."""
        attempts = self._attempts.setdefault(job.key, [])
        attempts.append(result)
        result = self._results[job.key] = combined(attempts)
        repeatable = not stopping and job.key in self._with_attempts
        if repeatable and self._limits.attempts.another(attempts):
            self._waiting.append(replace(job, attempt=len(attempts) + 1))
            return result, 1
        added = self._next_jobs(job, result)
        self.jobs.extend(added)
        self._waiting.extend(added)
        return result, len(added)

    def is_last(self, job: Job, result: ScenarioResult) -> bool:
        """Whether the run ends with this result, because it was asked to."""
        stops = self._limits.fail_fast or self._limits.attempts.until_fail
        another = any(waiting.key == job.key for waiting in self._waiting)
        return bool(stops and result.unexpected and not another)

    def results(self, not_run: Callable[[Job], ScenarioResult]) -> list[ScenarioResult]:
        """One for each job, in the order of the jobs."""
        return [self._results.get(job.key) or not_run(job) for job in self.jobs]
