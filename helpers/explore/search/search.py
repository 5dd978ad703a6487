"""The search: histories are drawn, and those that differ are made shorter; what is known is counted."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from helpers.base.time_limits import scaled
from helpers.cluster.node import Node
from helpers.explore.findings.known import Known, explanations
from helpers.explore.model.histories import Counts, History, HistoryDifference
from helpers.explore.search.profiles import Profile

BATCH = 25
SHRINKING_SECONDS = 40.0
LOOKED_AT = 5
"""Of this many differences that a known deviation explains, one is examined for another cause."""
SHORTER_TRIES = 12
# How often a difference is shrunk and verified that was not there again.
LOOKS = 3


@dataclass
class Search:
    """Histories of one profile on one server."""

    node: Node
    profile: Profile
    statements: tuple[str, ...]
    tables: tuple[str, ...]
    known: tuple[Known, ...]
    deadline: float
    prefix: str = ""
    counts: Counts = field(default_factory=Counts)
    explained: Counter[str] = field(default_factory=Counter)
    repeated: Counter[str] = field(default_factory=Counter)
    reported: list[HistoryDifference] = field(default_factory=list)
    not_reproduced: Counter[str] = field(default_factory=Counter)
    first_seen: float = 0.0
    """When the difference was first seen that was found last."""
    progressed: Callable[[], None] = lambda: None
    noticed: Callable[[HistoryDifference], None] = lambda difference: None
    """Called with what differs before it is shrunk, and with each shorter form."""
    _best: HistoryDifference | None = None
    _until: float = 0.0

    def batch(self, number: int, size: int = BATCH) -> HistoryDifference | None:
        """Some histories drawn from a seed; the shortest one that differs, if any does."""
        self._best, self._until = None, self.deadline
        random = Random(number)
        for _ in range(size):
            history = self.profile.draw(random, self.statements, self.tables)
            if time.monotonic() >= self._until or self._differs(history):
                break
        return self._shortest()

    def execute(self, history: History) -> HistoryDifference | None:
        """Execute a history once, with what is known of it."""
        return self.profile.execute(self.node, history, self.counts, self.prefix)

    def look_again(self, difference: HistoryDifference) -> None:
        """This difference was not there again: the next one of its kind may be, and is looked into, too."""
        self.not_reproduced[difference.signature] += 1
        if self.not_reproduced[difference.signature] < LOOKS:
            self.reported.remove(difference)

    def _differs(self, history: History) -> bool:
        """Whether a history shows what is looked for: anything new, or a shorter form of what was found."""
        attempts = self.profile.attempts_to_shrink if self._best else 1
        for attempt in range(attempts):
            if attempt and time.monotonic() > self._until:
                break
            difference = self.execute(history)
            self.progressed()
            if difference is not None and not self._is_new(difference):
                difference = self._other_cause(difference)
            if difference is not None:
                self._keep(difference)
                return True
        return False

    def _other_cause(self, difference: HistoryDifference) -> HistoryDifference | None:
        """What a shorter history shows that no known deviation explains: more than one cause may be in the
        longer one. Only some are examined: differences that are explained are many."""
        names = explanations(difference, self.known)
        seen = max((self.explained[name] for name in names), default=0)
        if self._best is not None or seen % LOOKED_AT != 1:
            return None
        for shorter in itertools.islice(difference.history.shorter(), SHORTER_TRIES):
            other = self.execute(shorter)
            self.progressed()
            if other is not None and not explanations(other, self.known):
                return None if self._reported_before(other) else other
        return None

    def _reported_before(self, difference: HistoryDifference) -> str | None:
        """The finding that this one is again, maybe with more around it."""
        contained = (known.signature for known in self.reported if difference.contains(known))
        return next(contained, None)

    def _is_new(self, difference: HistoryDifference) -> bool:
        names = explanations(difference, self.known)
        before = self._reported_before(difference)
        if self._best is not None:
            # What was explained or found before is not a shorter form of what was not.
            return not names and before is None and difference.is_form_of(self._best)
        self.explained.update(names)
        if before is not None and not names:
            self.repeated[before] += 1
        return not names and before is None

    def _keep(self, difference: HistoryDifference) -> None:
        if self._best is None:
            self.first_seen = time.monotonic()
            self._until = self.first_seen + scaled(SHRINKING_SECONDS)
        if self._best is None or difference.history.weight <= self._best.history.weight:
            self._best = difference
            self.noticed(difference)

    def _shortest(self) -> HistoryDifference | None:
        """What differs without any statement, type or setting that is not needed for it."""
        again = self._best is not None
        while again and self._best is not None and time.monotonic() < self._until:
            again = any(
                time.monotonic() < self._until and self._differs(history)
                for history in self._best.history.shorter()
            )
        if self._best is not None:
            self.reported.append(self._best)
        return self._best
