"""Whether a difference is there again: on a bare server that is started for it, three times."""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from helpers.base.errors import RegressionError
from helpers.cluster import environments
from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.node import Node
from helpers.cluster.target import Target
from helpers.deviations.reproduction import Check, execute, read_reproduction
from helpers.explore.execution.player import DIED
from helpers.explore.execution.servers import node_with_store, wait_for_mutations
from helpers.explore.findings import repro
from helpers.explore.model.histories import History, HistoryDifference
from helpers.explore.model.round_trips import kinds_in
from helpers.explore.model.schema import FRAGMENT
from helpers.explore.model.statements import STARTED_AGAIN

TIMES = 3
Play = Callable[[Node, History], HistoryDifference | None]
_databases = itertools.count(1)


@dataclass(frozen=True)
class Verification:
    """How often it was there again, and the script that shows it, if there is one in SQL."""

    reproduced: bool
    times: int
    version: str
    script: str = ""


@contextmanager
def bare_node(target: Target, history: History) -> Iterator[Node]:
    """A server without anything that the explorer has configured, but for the disks of its tables."""
    with (
        tempfile.TemporaryDirectory(prefix="regression-explore-") as folder,
        environments.open_cluster(target, Path(folder)) as cluster,
    ):
        if history.needs_store:
            with node_with_store(cluster, {}) as node:
                wait_for_mutations(node)
                yield node
        else:
            node = cluster.node(fragments=(FRAGMENT,)) if history.tiered else cluster.node()
            wait_for_mutations(node)
            yield node


def verify(
    difference: HistoryDifference, target: Target, play: Play, attempts: int = 1
) -> Verification:
    """Execute its history again, and the SQL made of it; each of three times has to show it.

    `attempts`: how often a history is tried where it depends on a race.
    """
    with bare_node(target, difference.history) as node:
        version, times = node.version, 0
        for _ in range(TIMES):
            again = _again(difference, node, play, attempts)
            times += again
            if not again:
                return Verification(False, times, version)
        if not _in_sql(difference):
            return Verification(True, times, version)
        observed = _observed(difference, node)
        if observed is None:
            return Verification(False, times, version)
        return Verification(True, times, version, repro.script(difference, observed))


def _again(difference: HistoryDifference, node: Node, play: Play, attempts: int) -> bool:
    for _ in range(attempts):
        again = play(node, difference.history)
        if again is not None and again.signature == difference.signature:
            return True
    return False


def _in_sql(difference: HistoryDifference) -> bool:
    """Whether a script can show it: not if the server ends or is killed, or if statements race."""
    history = difference.history
    restarted = any(statement.kind in STARTED_AGAIN for statement in history.statements)
    copied = "restore" in kinds_in(history)  # files, by hand
    beside = restarted or copied or history.needs_store or history.interruption is not None
    alone = not history.clients and not beside
    # A mutant changes what goes through the node, which a script does not.
    return alone and difference.kind != DIED and INTERCEPTOR.tamper is None


def _observed(difference: HistoryDifference, node: Node) -> str | None:
    """What the script's last statement answers on a bare server; None if that is not always the same, or
    what is expected."""
    answers = set()
    for _ in range(TIMES):
        check = _executed(repro.script(difference, "?"), node)
        if check is None or check.holds:
            return None
        answers.add(check.actual)
    return answers.pop() if len(answers) == 1 else None


def _executed(text: str, node: Node) -> Check | None:
    with tempfile.TemporaryDirectory(prefix="regression-explore-") as folder:
        file = Path(folder) / "repro.sql"
        file.write_text(text, encoding="utf-8")
        database = f"explore_repro{next(_databases)}"
        try:
            return list(execute(read_reproduction(file), node, database))[-1]
        except RegressionError:
            return None
        finally:
            node.drop_database(database)
