"""Executes jobs, one after the other, on a cluster of its own."""

from __future__ import annotations

import itertools
import math
import shutil
import sys
import time
from dataclasses import asdict, replace
from functools import partial
from pathlib import Path
from typing import Any

from helpers.cluster.capabilities import why_broken
from helpers.cluster.client.interception import CALLS, Call
from helpers.cluster.client.recording import Statement
from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.cluster import Cluster
from helpers.cluster.environments import open_cluster
from helpers.runner import evidence
from helpers.runner.protocol import EventWriter, WorkerConfig
from helpers.runner.worker.outcome import broke_by, judge, without_leftovers
from helpers.runner.worker.outcome import error as as_error
from helpers.scenario.context import ScenarioContext, set_current
from helpers.scenario.result import Broke, Result, ScenarioResult, Subject
from helpers.scenario.scenario import Job
from helpers.sensitivity import registry
from helpers.sensitivity.assertions import ASSERTIONS
from helpers.sensitivity.generated import (
    GeneratedMutant,
    forget_wrong_read,
    generate,
    reason_if_equivalent,
)
from helpers.sensitivity.mutant import Mutant, split_name


class Worker:
    """Executes jobs on a cluster that is replaced after every scenario that did not end as expected."""

    def __init__(self, config: WorkerConfig, events: EventWriter) -> None:
        self.config = config
        self.events = events
        self.folder = Path(config.folder)
        self._generations = itertools.count(1)
        self._data = Path()
        self._cluster: Cluster | None = None
        self._version = ""

    def open(self) -> Cluster:
        if self._cluster is None:
            number = next(self._generations)
            self._data = self.folder / "data" / f"worker-{self.config.number}-{number}"
            self._data.mkdir(parents=True)
            self._cluster = open_cluster(self.config.target, self._data)
            self._version = self._cluster.node().version
        return self._cluster

    def close(self, keep_data: bool) -> None:
        if self._cluster is not None:
            self._cluster.close()
            self._cluster = None
            if not (keep_data or self.config.keep):
                shutil.rmtree(self._data, ignore_errors=True)

    def execute(self, job: Job) -> None:
        """Execute one job, from a clean node to the result that is sent."""
        mutant = registry.named(job.mutant, Path(self.config.scenarios)) if job.mutant else None
        ASSERTIONS.start(switched_off=split_name(job.mutant)[1])
        INTERCEPTOR.activate(mutant.tamper if mutant else None)
        started = time.perf_counter()
        folder = evidence.folder_of(self.folder, job)
        result = job.planned(self.config.rerun(job))
        context: ScenarioContext | None = None
        try:
            # Many mutants are noticed by a wait that fails: half of the time limit is for that.
            patience = job.seconds / 2 if job.mutant else math.inf
            context = ScenarioContext(
                job.scenario.name, self.open(), self.config.seed, folder, patience
            )
            context.every_variant = self.config.every_variant
            set_current(context)
            if self.config.debug:
                context.recorder.on_begin = self._report_statement
            package = job.scenario.test.func.__module__.partition(".")[0]
            CALLS.start(package, record=context.record_action, skips=partial(_skips, mutant))
            result = self._clean(context, self._run(job, context, result))
            result = without_leftovers(result)
        except Exception as error:
            result = as_error(
                result, str(error), f"{type(error).__name__}: {error}".splitlines()[0]
            )
            result = replace(result, broke=broke_by(error))
        finally:
            set_current(None)
            if context is not None:
                context.close()
            changes = INTERCEPTOR.effects(noticed=result.unexpected)
            result = replace(result, changes=changes, broken=INTERCEPTOR.broken)
            INTERCEPTOR.activate(None)
            CALLS.start()
        result = replace(result, seconds=round(time.perf_counter() - started, 3))
        if context is not None:
            result = self._complete(job, context, result)
        over = self._cluster.why_over() if result.unexpected and self._cluster else None
        kept = self._keep_evidence(result, folder)
        self.events.send("finished", result=asdict(kept), over=over)

    def _complete(
        self, job: Job, context: ScenarioContext, result: ScenarioResult
    ) -> ScenarioResult:
        """Add the statements of a scenario to its result, and mutants of them if they are asked for."""
        result = replace(result, statements=evidence.shown(context.recorder.statements))
        if context.subjects == {Subject.CLICKHOUSE}:
            result = replace(result, subject=Subject.CLICKHOUSE, instead=None)
        if self.config.generate and job.mutant is None:
            result = replace(result, generated=self._generated(job, context))
        if result.unexpected and self.config.pause_on_fail:
            self._pause(context, result)
        return result

    def _report_statement(self, statement: Statement) -> None:
        """Send a statement that is about to be executed, for --debug."""
        source = "action" if statement.is_action else statement.node
        self.events.send("statement", text=f"{source}: {statement.sql}")

    def _pause(self, context: ScenarioContext, result: ScenarioResult) -> None:
        """Keep the servers of a failed scenario until the supervisor sends another line."""
        lines = [f"{result.name}: {result.result}, {result.reason}", "Its servers are running:"]
        for node in context.nodes:
            lines += [f"{node.name}:", *node.endpoint.commands(context.database)]
        lines.append("Press Enter to end them and go on.")
        self.events.send("paused", result=asdict(result), text="\n".join(lines))
        sys.stdin.readline()

    def _run(self, job: Job, context: ScenarioContext, planned: ScenarioResult) -> ScenarioResult:
        """Run the scenario in TestFlows, unless the environment lacks what it needs."""
        from testflows.core import TE, Scenario

        from helpers.runner.worker import trace

        steps = trace.Trace(entered=lambda label: self.events.send("step", step=label))
        trace.follow(steps)
        needs = job.scenario.marks.needs
        broken = why_broken(context.cluster, self.config.target.env, needs)
        if broken is not None:
            return replace(as_error(planned, broken), broke=Broke.ENVIRONMENT)
        missing = context.why_not(needs)
        if missing is not None:
            return replace(planned, result=Result.SKIP, reason=missing)
        context.current_step = lambda: " / ".join(steps.path)
        raw = Scenario(run=job.scenario.test, flags=TE)
        planned = replace(
            planned,
            checks=tuple(steps.checked),
            obligations=(*planned.obligations, *context.covered),
        )
        ended = ASSERTIONS.ended(steps.errors.get(raw.message))
        result = judge(
            planned,
            raw,
            steps,
            context.hidden_failure(),
            [
                known
                for known in job.scenario.deviations
                if known.where is None or context.why_not((known.where,)) is None
            ],
            self._version,
            is_outdated=context.cluster.node().is_outdated,
        )
        reached = ASSERTIONS.reached() if job.mutant is None else ()
        return replace(result, reached=reached, ended=ended)

    def _generated(self, job: Job, context: ScenarioContext) -> tuple[dict[str, Any], ...]:
        """Mutants made from what the scenario did; equivalent ones with the reason."""
        return tuple(
            {
                "name": mutant.name,
                "text": mutant.short_text,
                "equivalent": reason_if_equivalent(mutant, job.scenario.marks.equivalents),
            }
            for mutant in generate(context.recorder.statements, self.config.seed)
        )

    def _clean(self, context: ScenarioContext, result: ScenarioResult) -> ScenarioResult:
        """Remove what the scenario left; it is an Error if that fails."""
        if result.unexpected and self.config.keeps_evidence(result.mutant):
            return result  # its servers are evidence
        INTERCEPTOR.pause()
        try:
            context.clean()
        except Exception as error:
            if result.result == Result.XFAIL or result.mutant is not None:
                self.close(keep_data=False)  # the server is stuck: the next scenario gets a new one
                return result
            return as_error(result, f"cannot be cleaned up after: {error}")
        context.cluster.stop_idle(needed=context.nodes)
        return result

    def _keep_evidence(self, result: ScenarioResult, folder: Path) -> ScenarioResult:
        if not result.unexpected or not self.config.keeps_evidence(result.mutant):
            shutil.rmtree(folder, ignore_errors=True)
            return result
        folder.mkdir(parents=True, exist_ok=True)
        evidence.collect(folder, result)
        # What the scenario did to the servers is unknown: the next one gets new ones.
        self.close(keep_data=True)
        return replace(
            result,
            folder=str(folder.relative_to(self.folder)),
            data=str(self._data.relative_to(self.folder)),
        )


def _skips(mutant: Mutant | GeneratedMutant | None, call: Call) -> bool:
    """Whether the active mutant leaves out this action."""
    forget_wrong_read(INTERCEPTOR.memory)
    skipped = isinstance(mutant, GeneratedMutant) and mutant.skips(call)
    if skipped:
        INTERCEPTOR.changes += 1
    return skipped
