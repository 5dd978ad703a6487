"""A worker: a TestFlows program with a cluster of its own, which runs what the parent hands it.

One scenario after the other; several workers run side by side and share nothing but the results
folder. Whatever kills a worker takes its servers with it (helpers/cluster/process.py).
"""

from __future__ import annotations

import faulthandler
import itertools
import json
import math
import shutil
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from helpers import mutants
from helpers.cluster.cluster import Cluster
from helpers.cluster.environments import open_cluster
from helpers.context import ScenarioContext, set_current, slug
from helpers.errors import RegressionError
from helpers.runner import evidence
from helpers.runner.discover import AT, load
from helpers.runner.outcome import ERROR, SKIP, UNEXPECTED, XFAIL, Outcome, judge
from helpers.runner.protocol import Job, Teller

STACK_SIGNAL = signal.SIGUSR1


class Worker:
    """Runs scenarios on a cluster that is made anew after every scenario that did not end well."""

    def __init__(self, job: Job, teller: Teller) -> None:
        self.job = job
        self.teller = teller
        self.folder = Path(job.folder)
        self._generations = itertools.count(1)
        self._data = Path()
        self._cluster: Cluster | None = None
        self._version = ""

    def open(self) -> Cluster:
        if self._cluster is None:
            number = next(self._generations)
            self._data = self.folder / "data" / f"worker-{self.job.number}-{number}"
            self._data.mkdir(parents=True)
            self._cluster = open_cluster(self.job.environment, self._data, self.job.version)
            self._version = self._cluster.node().version
        return self._cluster

    def close(self, keep_data: bool) -> None:
        if self._cluster is not None:
            self._cluster.close()
            self._cluster = None
            if not (keep_data or self.job.keep):
                shutil.rmtree(self._data, ignore_errors=True)

    def run(self, scenario: Any) -> None:
        """One scenario, from a clean node to a told outcome."""
        from testflows.core import TE, Scenario

        from helpers.runner import trace

        if scenario.mutant:
            mutants.ACTIVE.start(mutants.named(scenario.mutant, Path(self.job.scenarios)))
        steps = trace.Trace(entered=lambda label: self.teller.tell("step", step=label))
        trace.follow(steps)
        self.teller.tell("started", name=scenario.name)
        started = time.perf_counter()
        folder = self.folder / "scenarios" / slug(scenario.name)
        context: ScenarioContext | None = None
        try:
            # Under a mutant too a scenario has its own name, and with it its own dice.
            name = scenario.name.partition(AT)[0]
            # Waiting in vain is how many a mutant is noticed: half of the time is for that.
            patience = scenario.marks.seconds / 2 if scenario.mutant else math.inf
            context = ScenarioContext(name, self.open(), self.job.seed, folder, patience)
            set_current(context)
            missing = context.why_not(scenario.marks.needs)
            if missing is not None:
                outcome = Outcome(SKIP, missing)
            else:
                result = Scenario(run=scenario.test, flags=TE)
                outcome = judge(
                    type(result).__name__,
                    result.message,
                    steps,
                    context.loose_ends(),
                    scenario.marks.deviations,
                    self._version,
                )
            outcome = self._cleaned(context, outcome, scenario.mutant)
        except Exception as error:
            outcome = Outcome(ERROR, f"{type(error).__name__}: {error}".splitlines()[0], str(error))
        finally:
            set_current(None)
            if context is not None:
                context.close()
            sabotage = {"lies": mutants.ACTIVE.lies, "broken": mutants.ACTIVE.broken}
            mutants.ACTIVE.start(None)
        self._settle(scenario, outcome, context, folder, time.perf_counter() - started, sabotage)

    def _cleaned(self, context: ScenarioContext, outcome: Outcome, mutant: str | None) -> Outcome:
        """A scenario that left something behind which cannot be cleaned up did not end well."""
        if outcome.result in UNEXPECTED and mutant is None:
            return outcome  # its servers are evidence
        mutants.ACTIVE.mutant = None  # nobody lies while we clean up
        try:
            context.clean()
        except Exception as error:
            if outcome.result == XFAIL or mutant is not None:
                self.close(keep_data=False)  # it got stuck in what it found: new servers
                return outcome
            text = f"cannot be cleaned up after: {error}"
            return Outcome(ERROR, text.splitlines()[0], text)
        context.cluster.rest(awake=context.nodes)
        return outcome

    def _settle(
        self,
        scenario: Any,
        outcome: Outcome,
        context: ScenarioContext | None,
        folder: Path,
        seconds: float,
        sabotage: dict[str, Any],
    ) -> None:
        bad = outcome.result in UNEXPECTED and scenario.mutant is None
        rerun = rerun_line(scenario.name, self.job.seed, self.job.rerun_options)
        data = None
        if bad:
            data = str(self._data.relative_to(self.folder))
            folder.mkdir(parents=True, exist_ok=True)
            evidence.collect(folder, name=scenario.name, rerun=rerun, message=outcome.message)
            # What it did to the servers is unknown: the next one gets new ones.
            self.close(keep_data=True)
        else:
            shutil.rmtree(folder, ignore_errors=True)
        self.teller.tell(
            "finished",
            name=scenario.name,
            result=outcome.result,
            reason=outcome.reason,
            message=outcome.message,
            step=outcome.step,
            deviation=outcome.deviation and vars(outcome.deviation),
            seconds=round(seconds, 3),
            statements=evidence.shown(context.recorder.statements) if context else [],
            folder=str(folder.relative_to(self.folder)) if bad else None,
            data=data,
            clickhouse=self._version,
            **sabotage,
        )


def rerun_line(name: str, seed: int, options: str) -> str:
    """The command that runs this scenario again as it was."""
    return f'./regression.py --only "{name}" --seed {seed}{options}'


def handed(stream: Any, known: dict[str, Any]) -> Iterator[Any]:
    """The scenarios that the parent sends, until it closes the pipe."""
    for line in stream:
        scenario, seconds = json.loads(line)
        name, _, mutant = scenario.partition(AT)
        yield known[name].under(mutant, seconds) if mutant else known[name]


def main() -> None:
    teller = Teller()
    job = Job.read(sys.stdin.readline())
    folder = Path(job.folder)
    # Kept open: this is where a stack is written when the parent asks for it.
    stacks = (folder / f"worker-{job.number}.stack").open("w")
    faulthandler.register(STACK_SIGNAL, file=stacks, all_threads=True)
    worker = Worker(job, teller)
    try:
        worker.open()
    except RegressionError as error:
        teller.tell("environment failed", reason=str(error))
        worker.close(keep_data=False)
        return
    sys.argv = [
        sys.argv[0],
        "--no-colors",
        "--output",
        "quiet",
        "--log",
        str(folder / f"testflows-{job.number}.log"),
    ]
    try:
        _run_all(job, teller, worker)
    finally:
        worker.close(keep_data=False)
        teller.tell("end")


def _run_all(job: Job, teller: Teller, worker: Worker) -> None:
    from testflows.core import TE, Feature, Module, Suite

    from helpers.runner import trace

    trace.install()
    known = {scenario.name: scenario for scenario in load(Path(job.scenarios))}
    teller.tell("ready", clickhouse=worker.open().node().version)
    with Module("regression", flags=TE):
        by_feature = itertools.groupby(handed(sys.stdin, known), key=lambda one: one.feature)
        for feature, scenarios in by_feature:
            with Feature(feature, flags=TE):
                for topic, same_topic in itertools.groupby(scenarios, key=lambda one: one.topic):
                    with Suite(topic, flags=TE):
                        for scenario in same_topic:
                            worker.run(scenario)


if __name__ == "__main__":
    main()
