"""Ends of a server, each proved by the server's log: shut down in order, or killed."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from helpers.cluster.node import Node
from helpers.scenario.step import step

# What a server logs when it is shut down in order, and never when it is killed: of today, of 2018.
ORDERLY = re.compile("Shutting down (database catalog|storages)")
# One of the first things that it logs at every start: of today, of 2018.
STARTED = re.compile("StatusFile: Writing pid|Starting daemon with revision")


@step("I shut {node} down")
def shut_down(node: Node) -> None:
    """Shut the server down in order; it stays down."""
    position = node.log_position()
    node.stop()
    assert not node.running, f"{node.name} was not shut down: it is running"
    assert ORDERLY.search(node.log_since(position)), f"{node.name} was not shut down in order"


@step("I kill {node}")
def crash(node: Node) -> None:
    """Kill the server; it stays down."""
    position = node.log_position()
    node.kill()
    assert not node.running, f"{node.name} was not killed: it is running"
    assert not ORDERLY.search(node.log_since(position)), f"{node.name} was shut down, not killed"


@step("I restart {node}")
def restart(node: Node) -> None:
    """Shut the server down and start it again."""
    shut_down(node)
    node.start()


@step("I kill {node} and start it again")
def crash_and_start(node: Node) -> None:
    """Kill the server and start it again."""
    crash(node)
    node.start()


RESTARTS: Mapping[str, Callable[[Node], None]] = {
    "a restart": restart,
    "a crash": crash_and_start,
}  # 2 variants


def restarts_since(node: Node, position: int) -> list[str]:
    """How the server has ended since a position in its log, each time that it was started again."""
    *ended, _ = STARTED.split(node.log_since(position))
    return ["a restart" if ORDERLY.search(section) else "a crash" for section in ended]
