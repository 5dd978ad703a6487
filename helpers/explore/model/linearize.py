"""Whether a concurrent history can be explained by its statements one after the other. Pure.

After Wing and Gong: of the operations that no other one precedes, any may have been the first. Each is tried,
and those that were tried in the same state with the same operations left are not tried again (Lowe). One
partition at a time: operations on different partitions do not see each other.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

StateType = TypeVar("StateType", bound=Hashable)
OperationType = TypeVar("OperationType")


class Verdict(Enum):
    """What is known of a history."""

    LINEARIZABLE = "linearizable"
    NOT_LINEARIZABLE = "not linearizable"
    UNDECIDED = "undecided"


@dataclass(frozen=True)
class Call(Generic[OperationType]):
    """An operation from its invocation to its response; `ended` is infinite where there was none."""

    operation: OperationType
    began: float
    ended: float


Step = Callable[[StateType, OperationType], Sequence[StateType]]
"""The states that an operation, with the response it had, can lead to; none if it cannot have happened."""


def check(
    state: StateType,
    calls: Sequence[Call[OperationType]],
    step: Step[StateType, OperationType],
    seconds: float = 5.0,
    clock: Callable[[], float] = time.monotonic,
) -> Verdict:
    """Whether there is an order of the calls that respects their times and that `step` agrees to."""
    deadline = clock() + seconds
    everything = (1 << len(calls)) - 1
    seen: set[tuple[StateType, int]] = set()
    stack: list[tuple[StateType, int]] = [(state, everything)]
    while stack:
        if clock() > deadline:
            return Verdict.UNDECIDED
        current, left = stack.pop()
        if not left:
            return Verdict.LINEARIZABLE
        if (current, left) in seen:
            continue
        seen.add((current, left))
        remaining = [index for index in range(len(calls)) if left >> index & 1]
        first_response = min(calls[index].ended for index in remaining)
        for index in remaining:
            # A call that was invoked after the response of another one comes after it.
            if calls[index].began <= first_response:
                for following in step(current, calls[index].operation):
                    stack.append((following, left & ~(1 << index)))
    return Verdict.NOT_LINEARIZABLE
