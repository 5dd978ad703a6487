"""What can be explored: how histories of a profile are drawn and executed."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from helpers.cluster.node import Node
from helpers.explore import PROFILE_NAMES
from helpers.explore.execution import concurrent, crash, play
from helpers.explore.model.histories import Counts, History, HistoryDifference
from helpers.explore.model.statements import KINDS
from helpers.explore.search import generate

SEQUENTIAL, CONCURRENT, CRASH = PROFILE_NAMES
Draw = Callable[[Random, Sequence[str], Sequence[str]], History]
Execute = Callable[[Node, History, Counts, str], HistoryDifference | None]


@dataclass(frozen=True)
class Profile:
    """`kinds`: the statements that it can send. `attempts`: how often a history that races is executed
    before a difference counts as gone; while it is made shorter somewhat less often, to try more."""

    name: str
    kinds: tuple[str, ...]
    draw: Draw
    execute: Execute
    attempts: int = 1

    @property
    def attempts_to_shrink(self) -> int:
        return math.ceil(self.attempts / 3)


PROFILES = {
    profile.name: profile
    for profile in (
        Profile(SEQUENTIAL, KINDS, generate.sequential, play.play),
        Profile(
            CONCURRENT,
            concurrent.KINDS,
            concurrent.draw,
            concurrent.execute,
            attempts=30,
        ),
        Profile(CRASH, crash.LAST, crash.draw, crash.execute, attempts=30),
    )
}
