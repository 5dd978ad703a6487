"""Executing a history on a server, statement by statement, each compared with the model."""

from __future__ import annotations

from collections.abc import Callable

from helpers.cluster.client.failures import NodeDied, QueryTimedOut
from helpers.cluster.node import Node
from helpers.explore.execution.player import DIED, NO_ANSWER, Player
from helpers.explore.model.histories import Counts, Differs, History, HistoryDifference


def play(
    node: Node,
    history: History,
    counts: Counts,
    prefix: str = "",
    player: Callable[[Node, History, Counts, str], Player] = Player,
) -> HistoryDifference | None:
    """Execute a history in a database of its own; what differs first, if anything does."""
    counts.histories += 1
    playing = player(node, history, counts, prefix)
    first = _played(playing)
    if first is None or playing.unseen < 2 or first.kind in (DIED, NO_ANSWER):
        return first
    # Noticed late: which statement it was shows when everything is read after each.
    again = player(node, first.history, counts, prefix)
    again.thorough = True
    return _played(again) or first


def _played(playing: Player) -> HistoryDifference | None:
    try:
        # One that has died since the last history is not just started again.
        playing.node.raise_if_dead("between two histories")
        playing.node.start()
        playing.open()
        playing.play()
    except Differs as differs:
        return differs.difference
    except (NodeDied, QueryTimedOut) as gone:
        # Wherever it happens, also where nothing but a look at the tables was asked for.
        return playing.gone(gone)
    finally:
        playing.close()
    return None
