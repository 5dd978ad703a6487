"""A worker of the explorer: one server, history after history, until its time is over.

Started by the command with its plan as the argument; writes a line of JSON for every event.
"""

from __future__ import annotations

import itertools
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from helpers.base.errors import EnvironmentFailed, RegressionError
from helpers.cluster import environments
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.client.interception import CALLS
from helpers.cluster.cluster import Cluster
from helpers.cluster.node import Node
from helpers.explore.execution.servers import node_with_store, wait_for_mutations
from helpers.explore.findings.evidence import Finding
from helpers.explore.findings.known import KNOWN
from helpers.explore.findings.verify import verify
from helpers.explore.model.histories import Counts, History, HistoryDifference
from helpers.explore.model.schema import FRAGMENT
from helpers.explore.model.statements import S3_FAULT, STARTED_AGAIN
from helpers.explore.protocol import WorkerPlan, encode_history
from helpers.explore.search.profiles import PROFILES
from helpers.explore.search.search import Search
from helpers.runner.protocol import EventWriter

EVERY_SECONDS = 0.5
NUMBERS = ("histories", "statements", "undecided")
"""What of Counts is summed over all workers."""
QUIET = (
    "<clickhouse><logger><level>error</level></logger><log-level>error</log-level>"
    '<query_log remove="1"/><part_log remove="1"/>'
    "<background_processing_pool_thread_sleep_seconds_if_nothing_to_do>0.05"
    "</background_processing_pool_thread_sleep_seconds_if_nothing_to_do>"
    "<background_processing_pool_task_sleep_seconds_when_no_work_random_part>0"
    "</background_processing_pool_task_sleep_seconds_when_no_work_random_part></clickhouse>"
)
"""A server that writes no logs of what it does has time for more statements, and memory for more hours.
The level is named twice: the embedded server, a clickhouse-local, looks at the second one only. Warnings
are many, and none of them says why a server has died. A mutation that finds a part busy is tried again
after fifty milliseconds, and not after up to a second."""
UNUSED = ("send_profile_events", "log_queries")
"""What a server does for each statement and is not used here; older ones do not know all of it."""


class Reporter:
    """Sends the progress since the last event, at a limited rate."""

    def __init__(self, events: EventWriter) -> None:
        self.events = events
        self._sums = {name: Counter[str]() for name in ("numbers", "known", "repeated")}
        self._states: set[int] = set()
        self._transitions: set[str] = set()
        self._at = 0.0

    def noticed(self, difference: HistoryDifference, profile: str) -> None:
        """Something differs, and is about to be shrunk and verified."""
        history = encode_history(difference, profile)
        self.events.send("noticed", signature=difference.signature, history=history)

    def progress(self, search: Search, *, now: bool = False) -> None:
        if not now and time.monotonic() - self._at < EVERY_SECONDS:
            return
        self._at = time.monotonic()
        counts = search.counts
        numbers = Counter({name: getattr(counts, name) for name in NUMBERS})
        sums = {"numbers": numbers, "known": search.explained, "repeated": search.repeated}
        self.events.send(
            "progress",
            states=sorted(counts.states - self._states),
            transitions=sorted(counts.transitions - self._transitions),
            **{name: sums[name] - sent for name, sent in self._sums.items()},
        )
        self._sums = {name: sums[name].copy() for name in sums}
        self._states |= counts.states
        self._transitions |= counts.transitions


def explore(plan: WorkerPlan, reporter: Reporter) -> None:
    """Search until the time is over, and report every difference that is there again."""
    profile = PROFILES[plan.profile]
    with (
        environments.open_cluster(plan.target, Path(plan.folder)) as cluster,
        _node(plan, cluster) as node,
        CALLS.hidden(),  # no scenario calls: there are no places to look for
    ):
        _check(node, cluster.database_prefix)
        quicken(node)
        wait_for_mutations(node)
        left_out = () if _is_ours(plan) else (*STARTED_AGAIN, S3_FAULT, "restore", "tiered", "s3")
        search = Search(
            node,
            profile,
            tuple(kind for kind in plan.statements if kind not in left_out),
            tuple(kind for kind in plan.tables if kind not in left_out),
            tuple(known for known in KNOWN if known.id in plan.known),
            time.monotonic() + plan.seconds,
            cluster.database_prefix,
        )
        search.progressed = lambda: reporter.progress(search)
        search.noticed = lambda difference: reporter.noticed(difference, profile.name)
        batches = itertools.count(plan.seed)
        while time.monotonic() < search.deadline:
            difference = search.batch(next(batches))
            if difference is not None:
                finding = _verified(difference, plan, cluster.database_prefix)
                if not finding.certain:
                    search.look_again(difference)
                reporter.events.send("finding", **finding.as_dict())
        reporter.progress(search, now=True)


def _verified(difference: HistoryDifference, plan: WorkerPlan, prefix: str) -> Finding:
    """What is left of a difference on a bare server."""
    profile = PROFILES[plan.profile]

    def play_again(node: Node, history: History) -> HistoryDifference | None:
        return profile.execute(node, history, Counts(), prefix)

    verdict = verify(difference, plan.target, play_again, profile.attempts)
    return Finding.of(difference, verdict, profile.name)


def quicken(node: Node) -> None:
    """Turn off what the server does for each statement and is not used here, as far as it can."""
    names = ", ".join(f"'{name}'" for name in UNUSED)
    known = node.column(f"SELECT name FROM system.settings WHERE name IN ({names})")
    node.settings = {**node.settings, **dict.fromkeys(known, 0)}
    node.drop_connections()  # settings are those of a connection


def _check(node: Node, prefix: str) -> None:
    """Whether histories can be executed there at all: servers of before 2020 have no such databases."""
    try:
        node.query(f"CREATE DATABASE IF NOT EXISTS {prefix}explore0 ENGINE = Atomic")
        node.query(f"DROP DATABASE {prefix}explore0 SYNC")
    except QueryFailed as failed:
        raise EnvironmentFailed(
            f"The explorer needs databases of the engine Atomic; ClickHouse {node.version} says: "
            f"{failed.message}"
        ) from None


@contextmanager
def _node(plan: WorkerPlan, cluster: Cluster) -> Iterator[Node]:
    if not _is_ours(plan):
        yield cluster.node()
    elif "s3" in plan.tables:
        with node_with_store(cluster, {"explore": QUIET}) as node:
            yield node
    else:
        yield cluster.node(config={"explore": QUIET}, fragments=(FRAGMENT,))


def _is_ours(plan: WorkerPlan) -> bool:
    """Whether the server may be configured: not where others use it, too."""
    return plan.target.env in ("embedded", "binary")


def main() -> int:
    plan = WorkerPlan.decode(sys.argv[1])
    reporter = Reporter(EventWriter())
    try:
        explore(plan, reporter)
    except RegressionError as error:
        reporter.events.send("failed", text=str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
