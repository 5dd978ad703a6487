"""The calls of a running scenario, statements and actions, identified so that each can be tampered with.

A call is identified by its place (the lines of the scenario and its steps that led to it) and by how often
this place was passed before. That is the same in every run of a scenario, whatever its threads and timing do.

An action is a function that acts on files, processes or the store behind the server's back:

    @action
    def damage(path: Path) -> None: …
"""

from __future__ import annotations

import functools
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, ParamSpec, TypeVar

Parameters = ParamSpec("Parameters")
Value = TypeVar("Value")
STEPS = "steps"
SCENARIOS = "scenarios"


@dataclass(frozen=True)
class Call:
    """One statement or action of a scenario: its text, its place, and its number among the calls there."""

    text: str
    place: str
    occurrence: int


@dataclass
class _Poll:
    """One `eventually`: each of its attempts passes the same places as the first one."""

    base: dict[str, int] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)


class _PerThread(threading.local):
    hidden = False
    place: str | None = None
    poll: _Poll | None = None


class Calls:
    """Counts the calls of the running scenario, and asks before an action is carried out."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._thread = _PerThread()
        self.start()

    def start(
        self,
        package: str = SCENARIOS,
        *,
        record: Callable[[Call], None] = lambda call: None,
        skips: Callable[[Call], bool] = lambda call: False,
    ) -> None:
        """A scenario begins; its modules and those of the steps are what counts as a place.

        `record` is called with every action, `skips` says whether it is left out.
        """
        self._packages = (package, STEPS)
        self._counts: Counter[str] = Counter()
        self._record = record
        self._skips = skips

    def identify(self, text: str) -> Call | None:
        """The call that is about to be made, or None where no scenario asked for it."""
        thread = self._thread
        if thread.hidden:
            return None
        place = thread.place or self.place()
        if not place:
            return None
        with self._lock:
            poll = thread.poll
            if poll is None:
                self._counts[place] += 1
                return Call(text, place, self._counts[place])
            base = poll.base.setdefault(place, self._counts[place])
            poll.seen[place] += 1
            occurrence = base + poll.seen[place]
            self._counts[place] = max(self._counts[place], occurrence)
            return Call(text, place, occurrence)

    def place(self) -> str:
        """The lines of scenario and steps that led here, outermost first.

        For example 'scenarios/replace_partition/storage/s3.py:12 > steps/tables.py:30'.
        """
        lines = []
        frame: FrameType | None = sys._getframe(1)
        while frame is not None:
            module = frame.f_globals.get("__name__", "")
            if module.partition(".")[0] in self._packages:
                lines.append(f"{module.replace('.', '/')}.py:{frame.f_lineno}")
            frame = frame.f_back
        return " > ".join(reversed(lines))

    def act(self, text: str, run: Callable[[], Value]) -> Value | None:
        """Carry out an action, unless it is to be left out; what it does inside is part of it."""
        call = self.identify(text)
        if call is not None:
            self._record(call)
            if self._skips(call):
                return None
        with self.hidden():
            return run()

    @property
    def polling(self) -> bool:
        """Whether this thread asks again and again (`eventually`)."""
        return self._thread.poll is not None

    @contextmanager
    def hidden(self) -> Iterator[None]:
        """Calls in this block are not identified as the scenario's."""
        before, self._thread.hidden = self._thread.hidden, True
        try:
            yield
        finally:
            self._thread.hidden = before

    @contextmanager
    def from_place(self, place: str) -> Iterator[None]:
        """This thread acts for a place that was passed in another thread."""
        before, self._thread.place = self._thread.place, place
        try:
            yield
        finally:
            self._thread.place = before

    def polled(self, ask: Callable[[], Value]) -> Callable[[], Value]:
        """A function that is asked again and again: every attempt counts as the same calls."""
        poll = _Poll()

        def attempt() -> Value:
            before, self._thread.poll = self._thread.poll, poll
            poll.seen.clear()
            try:
                return ask()
            finally:
                self._thread.poll = before

        return attempt


CALLS = Calls()


def action(function: Callable[Parameters, Value]) -> Callable[Parameters, Value]:
    """A function that acts on files, processes or the store: it is recorded and can be left out."""

    @functools.wraps(function)
    def intercepted(*arguments: Parameters.args, **options: Parameters.kwargs) -> Value:
        text = " ".join(
            [function.__name__.strip("_").replace("_", " "), *filter(None, map(_label, arguments))]
        )
        # Left out, it answers None, as most actions do anyway.
        return CALLS.act(text, lambda: function(*arguments, **options))  # type: ignore[return-value]

    return intercepted


def _label(argument: Any) -> str:
    """What an argument is called, if it is short enough to read."""
    name = getattr(argument, "name", argument)
    return str(name) if isinstance(name, str | int) and len(str(name)) <= 60 else ""
