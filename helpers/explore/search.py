"""The search: Hypothesis draws histories and shrinks those that differ; what is known is counted."""

from __future__ import annotations

import contextlib
import itertools
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import DirectoryBasedExampleDatabase
from hypothesis.errors import Flaky, StopTest

from helpers.cluster.node import Node
from helpers.explore.histories import Difference, Differs, History
from helpers.explore.known import Known, explanation
from helpers.explore.play import Counts
from helpers.explore.profiles import Profile
from helpers.timeouts import scaled

BATCH = 25
SHRINKING_SECONDS = 20.0
"""So long Hypothesis may shrink, and then twice as long we leave statements out until none can be."""
SHRINKING_TRIES = 100
LOOKED_AT = 5
"""One of so many differences that a known deviation explains is looked at for another cause."""
SHORTER_TRIES = 12


@dataclass
class Search:
    """Histories of one profile on one server."""

    node: Node
    profile: Profile
    statements: tuple[str, ...]
    tables: tuple[str, ...]
    known: tuple[Known, ...]
    deadline: float
    examples: Path | None = None
    prefix: str = ""
    counts: Counts = field(default_factory=Counts)
    explained: Counter[str] = field(default_factory=Counter)
    repeated: Counter[str] = field(default_factory=Counter)
    reported: set[str] = field(default_factory=set)
    progressed: Callable[[], None] = lambda: None
    _best: Difference | None = None
    _until: float = 0.0
    _tries: int = 0

    def batch(self, number: int, size: int = BATCH) -> Difference | None:
        """Some histories drawn from a seed; the shortest one that differs, if any does."""
        self._best, self._until, self._tries = None, self.deadline, SHRINKING_TRIES

        @seed(number)
        @settings(
            max_examples=size,
            deadline=None,
            database=DirectoryBasedExampleDatabase(self.examples) if self.examples else None,
            suppress_health_check=list(HealthCheck),
            phases=[Phase.reuse, Phase.generate, Phase.shrink],
            report_multiple_bugs=False,
            print_blob=False,
        )
        @given(self.profile.draw(self.statements, self.tables))
        def differs_nowhere(history: History) -> None:
            self._tries -= self._best is not None
            if time.monotonic() < self._until and self._tries > 0:
                self._try(history)

        # The shortest is kept; a race does not always end alike.
        with contextlib.suppress(Differs, Flaky, StopTest):
            differs_nowhere()
        return self._shortest()

    def execute(self, history: History) -> Difference | None:
        """Execute a history once, with what is known of it."""
        return self.profile.execute(self.node, history, self.counts, self.prefix)

    def _try(self, history: History) -> None:
        attempts = self.profile.attempts if self._best else 1
        for attempt in range(attempts):
            if attempt and time.monotonic() > self._until:
                return
            difference = self.execute(history)
            self.progressed()
            if difference is not None and not self._is_new(difference):
                difference = self._other_cause(difference)
            if difference is not None:
                self._keep(difference)
                raise Differs(difference)

    def _other_cause(self, difference: Difference) -> Difference | None:
        """What a shorter history shows that no known deviation explains: more than one cause may be in the
        longer one. Not each is looked at: those that are explained are many."""
        name = explanation(difference, self.known)
        if self._best is not None or name is None or self.explained[name] % LOOKED_AT != 1:
            return None
        for shorter in itertools.islice(difference.history.shorter(), SHORTER_TRIES):
            found = self.execute(shorter)
            self.progressed()
            if (
                found is not None
                and explanation(found, self.known) is None
                and found.signature not in self.reported
            ):
                return found
        return None

    def _is_new(self, difference: Difference) -> bool:
        name = explanation(difference, self.known)
        if self._best is not None:
            # What a known deviation explains is not a shorter form of what none does.
            return name is None and difference.family == self._best.family
        if name is not None:
            self.explained[name] += 1
            return False
        if difference.signature in self.reported:
            self.repeated[difference.signature] += 1
            return False
        return True

    def _keep(self, difference: Difference) -> None:
        if self._best is None:
            self._until = time.monotonic() + scaled(SHRINKING_SECONDS)
        if self._best is None or difference.history.weight <= self._best.history.weight:
            self._best = difference

    def _shortest(self) -> Difference | None:
        """What Hypothesis came to, without any statement that is not needed."""
        again = self._best is not None
        self._until = time.monotonic() + 2 * scaled(SHRINKING_SECONDS)
        while again and self._best is not None and time.monotonic() < self._until:
            again = False
            for shorter in self._best.history.shorter():
                try:
                    self._try(shorter)
                except Differs:
                    again = True
                    break
        if self._best is None:
            return None
        # What was seen before may show only when the history has nothing else in it.
        new = self._best.signature not in self.reported
        self.reported.add(self._best.signature)
        if not new:
            self.repeated[self._best.signature] += 1
            return None
        return self._best
