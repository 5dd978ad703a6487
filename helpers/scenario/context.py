"""The scenario that is running: its nodes, database and random numbers. Steps ask for it with `this()`."""

from __future__ import annotations

import json
import math
import random
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

from helpers.cluster import FIRST_NODE
from helpers.cluster.capabilities import Capability, why_not
from helpers.cluster.client.failures import NodeDied, Unavailable
from helpers.cluster.client.interception import CALLS, Call
from helpers.cluster.client.recording import Recorder, Statement, now
from helpers.cluster.cluster import Cluster
from helpers.cluster.node import Node
from helpers.scenario.drawing import DistinctNumbers
from helpers.scenario.result import Subject
from helpers.scenario.waiting import eventually as wait_until

STATEMENTS = "statements.jsonl"
LOG_MARKS = "log-marks.json"
LONGEST_NAME = 60
Value = TypeVar("Value")


class ScenarioContext:
    """The state of one scenario. Its databases have its name in theirs, so that scenarios are isolated."""

    def __init__(
        self, name: str, cluster: Cluster, seed: int, folder: Path, patience: float = math.inf
    ) -> None:
        self.name = name
        self.patience = patience
        self.cluster = cluster
        self.seed = seed
        self.folder = folder
        self.word = word_of(name)
        self.database = cluster.own_name(self.word)
        # The same seed gives the same random numbers to the same scenario, whatever ran before it.
        self.random = random.Random(f"{seed} {name}")
        self.numbers = DistinctNumbers(self.random)
        self.every_variant = False
        """Whether the user wants all variants of what otherwise is a sample."""
        self.recorder = Recorder(folder / STATEMENTS)
        self.covered: list[Mapping[str, str]] = []
        """The obligations that steps say they check (helpers/scenario/obligations.py)."""
        self.current_step: Callable[[], str] = lambda: ""
        self.subjects: set[Subject] = set()
        """What steps say was tested, in a scenario that may test the exporter in place of the server."""
        self._nodes: dict[str, Node] = {}
        self._counter = 0
        cluster.record_to(self.recorder)

    @property
    def nodes(self) -> list[Node]:
        """The nodes that this scenario has used."""
        return list(self._nodes.values())

    def node(self, name: str = FIRST_NODE, **wishes: Any) -> Node:
        """A running node with this scenario's database in it; the options are those of Cluster.node."""
        self._raise_if_dead(name)
        with self._own_actions(name):
            node = self.cluster.node(name, **wishes)
        return self._taken(node)

    def several(self, names: Sequence[str], **wishes: Any) -> tuple[Node, ...]:
        """Nodes of these names, started at the same time where they do not run yet."""
        self._raise_if_dead(*names)
        with self._own_actions(*names):
            nodes = self.cluster.several(names, **wishes)
        return tuple(map(self._taken, nodes))

    def _raise_if_dead(self, *names: str) -> None:
        """A node that died under this scenario is not started again as if nothing had happened."""
        for name in self._nodes.keys() & set(names):
            self._nodes[name].raise_if_dead("the scenario (it was asked for again)")

    def _own_actions(self, *names: str) -> AbstractContextManager[None]:
        """A node that this scenario did not use yet may run with the configuration of an earlier one: to
        stop it for another one is no action of this scenario."""
        return nullcontext() if self._nodes.keys() & set(names) else CALLS.hidden()

    def _taken(self, node: Node) -> Node:
        """A node that this scenario uses from now on, with the scenario's database in it."""
        for other in self._nodes.values():
            if other is not node and other.endpoint == node.endpoint:
                raise Unavailable(f"a server for {node.name!r} beside {other.name!r}: they are one")
        if node.name not in self._nodes:
            self._nodes[node.name] = node
            self._mark_log(node)
            node.database = ""
            with CALLS.hidden():
                node.create_database(self.database)
            node.database = self.database
        return node

    def sample(self, variants: Mapping[str, Value]) -> Mapping[str, Value]:
        """One of these variants, drawn by the seed; all of them with --every-variant.

        For variants of one kind that take long: nightly runs take every one.
        """
        drawn = self.random.choice(sorted(variants))
        return variants if self.every_variant else {drawn: variants[drawn]}

    def unique(self, prefix: str) -> str:
        """A name that nothing else in this scenario has."""
        self._counter += 1
        return f"{prefix}_{self._counter}"

    def eventually(self, ask: Callable[[], Value], **options: Any) -> Value:
        """Ask until the answer is true (or `equals`); the failure shows the last query and the log."""
        return wait_until(
            CALLS.polled(ask),
            at_most=self.patience,
            last_statement=lambda: self.recorder.last,
            log=self._log_tails,
            **options,
        )

    def why_not(self, capabilities: tuple[Capability, ...]) -> str | None:
        """What this environment lacks of these, or None."""
        for capability in capabilities:
            reason = why_not(self.cluster, capability)
            if reason is not None:
                return f"needs {capability.value}: {reason}"
        return None

    def hidden_failure(self) -> str | None:
        """Why a scenario that seems to pass failed: a node died, or nobody read the outcome of a background
        statement."""
        for node in self._nodes.values():
            try:
                node.raise_if_dead("the scenario (nobody asked it after that)")
            except NodeDied as died:
                return str(died)
            for handle in node.backgrounds:
                if not handle.collected:
                    return (
                        f"a statement was left in the background of {node.name}, its outcome never "
                        f"looked at (wait() or outcome()): {handle.sql}"
                    )
        return None

    def clean(self) -> None:
        """Leave the nodes as they were: running, thawed, without our database and statements."""
        for node in self._nodes.values():
            node.thaw()
            node.start()
            for handle in node.backgrounds:
                if not handle.done:
                    handle.kill()
                    handle.outcome()
            node.backgrounds.clear()
            node.database = ""
            node.drop_database(self.database)

    def close(self) -> None:
        self.recorder.close()
        self.cluster.record_to(Recorder())

    def record_action(self, call: Call) -> None:
        """Keep an action among the statements, where it belongs in time."""
        self.recorder.take(
            Statement(
                "",
                call.text,
                now(),
                place=call.place,
                occurrence=call.occurrence,
                is_action=True,
            )
        )

    def _mark_log(self, node: Node) -> None:
        """Write to disk where this scenario's part of the log starts, in case this process is killed."""
        file = self.folder / LOG_MARKS
        marks = json.loads(file.read_text()) if file.exists() else {}
        marks[node.name] = {"file": str(node.log_file), "position": node.log_position()}
        file.write_text(json.dumps(marks))

    def _log_tails(self) -> str:
        return "\n".join(node.log_tail(5) for node in self._nodes.values())


def slug(name: str) -> str:
    """A scenario's name as a name of a folder."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def word_of(name: str) -> str:
    """The last parts of a scenario's name that fit into the name of a database; none is cut in front."""
    parts = [slug(part).replace("-", "_") for part in name.split("/") if part]
    fitting = parts[-1:]
    for part in reversed(parts[:-1]):
        if len("_".join([part, *fitting])) > LONGEST_NAME:
            break
        fitting.insert(0, part)
    return "_".join(fitting)[:LONGEST_NAME].strip("_")


_current: ScenarioContext | None = None


def this() -> ScenarioContext:
    """The scenario that is running in this worker."""
    if _current is None:
        raise RuntimeError("no scenario is running: steps can only be used inside one")
    return _current


def set_current(context: ScenarioContext | None) -> None:
    global _current
    _current = context
