"""Random numbers for fixtures: a scenario never draws the same one twice."""

from __future__ import annotations

from random import Random

BELOW = 1_000_000
ATTEMPTS = 1000


class DistinctNumbers:
    """Random numbers below a limit, each of which is drawn once at most.

    Two parts, partitions or tables of a scenario then never share a number by chance.
    """

    def __init__(self, random: Random, below: int = BELOW) -> None:
        self._random = random
        self._below = below
        self._drawn: set[int] = set()

    def draw(self, count: int) -> list[int]:
        """So many numbers; two or more have even and odd ones among them, so that a condition on `i % 2`
        always chooses some of the rows and never all."""
        self._raise_if_exhausted(count)
        numbers: list[int] = []
        while len(numbers) < count:
            number = self._random.randrange(self._below)
            is_last = len(numbers) == count - 1 > 0
            if number in self._drawn:
                continue
            if is_last and all(other % 2 == number % 2 for other in numbers):
                continue
            self._drawn.add(number)
            numbers.append(number)
        return numbers

    def draw_run(self, count: int) -> list[int]:
        """So many consecutive numbers from a random first one."""
        self._raise_if_exhausted(count)
        for _ in range(ATTEMPTS):
            first = self._random.randrange(self._below - count + 1)
            run = range(first, first + count)
            if self._drawn.isdisjoint(run):
                self._drawn.update(run)
                return list(run)
        raise ValueError(
            f"Cannot draw {count} consecutive numbers below {self._below}: what {len(self._drawn)} drawn "
            "numbers leave free is too narrow."
        )

    def _raise_if_exhausted(self, count: int) -> None:
        if 2 * (len(self._drawn) + count) > self._below:
            raise ValueError(
                f"Cannot draw {count} distinct numbers below {self._below}: {len(self._drawn)} are drawn "
                "already, and at most half of them are given out."
            )
