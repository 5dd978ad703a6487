"""A worker: a TestFlows program with a cluster of its own, which executes the jobs it is sent.

One job after the other; several workers run side by side and share nothing but the results folder.
Whatever kills a worker takes its servers with it (helpers/cluster/processes/process.py).
"""

from __future__ import annotations

import faulthandler
import itertools
import signal
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from helpers.base.errors import NotReadyInTime, RegressionError
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.node import Node
from helpers.runner import leftovers
from helpers.runner.discovery import load
from helpers.runner.protocol import EventWriter, WorkerConfig, decode_job
from helpers.runner.worker.giving_up import give_up
from helpers.runner.worker.worker import Worker
from helpers.scenario.scenario import Job
from helpers.sensitivity.assertions import install, packages_of

STACK_SIGNAL = signal.SIGUSR1


def main() -> None:
    events = EventWriter()
    config = WorkerConfig.decode(sys.stdin.readline())
    folder = Path(config.folder)
    # Kept open: this is where a stack is written when the supervisor asks for it.
    stacks = (folder / f"worker-{config.number}.stack").open("w")
    faulthandler.register(STACK_SIGNAL, file=stacks, all_threads=True)
    leftovers.adopt_orphans()
    worker = Worker(config, events)
    try:
        worker.open()
    except RegressionError as error:
        slow = isinstance(error, NotReadyInTime)
        events.send("environment failed", reason=str(error), slow=slow)
        worker.close(keep_data=False)
        return
    except Exception as error:
        give_up(events, folder, error)
        return
    log = str(folder / f"testflows-{config.number}.log")
    sys.argv = [sys.argv[0], "--no-colors", "--output", "quiet", "--log", log]
    try:
        _execute_all(worker)
    finally:
        worker.close(keep_data=False)
        events.send("end")


def _execute_all(worker: Worker) -> None:
    """Execute the jobs that the supervisor sends, until it closes the pipe."""
    from testflows.core import TE, Feature, Module, Suite

    from helpers.runner.worker import trace

    trace.install()
    if worker.config.generate or worker.config.under_mutant:
        install(packages_of(Path(worker.config.scenarios)))
    scenarios: dict[str, Any] = {
        scenario.name: scenario for scenario in load(Path(worker.config.scenarios))
    }
    node = worker.open().node()
    worker.events.send("ready", clickhouse=node.version, build=_build(node))
    jobs = (decode_job(line, scenarios) for line in sys.stdin)
    with Module("regression", flags=TE):
        for feature, of_feature in itertools.groupby(jobs, key=lambda job: job.scenario.feature):
            with Feature(feature, flags=TE):
                for topic, of_topic in itertools.groupby(
                    of_feature, key=lambda job: job.scenario.topic
                ):
                    with ExitStack() as suites:
                        for name in topic.split("/"):
                            suites.enter_context(Suite(name, flags=TE))
                        for job in of_topic:
                            _execute(worker, job)


def _build(node: Node) -> str:
    """What tells a build of one version from another; servers of 2018 do not say."""
    try:
        return str(node.value("SELECT buildId()"))
    except QueryFailed:
        return ""


def _execute(worker: Worker, job: Job) -> None:
    """Execute a job. What fails outside of its scenario ends this worker: TestFlows would go on."""
    try:
        worker.execute(job)
    except BaseException as error:
        give_up(worker.events, worker.folder, error)


if __name__ == "__main__":
    main()
