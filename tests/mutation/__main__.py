"""Run the mutants of our own modules: which ones does no test notice?

    python -m tests.mutation                       all mutants of all modules, for a nightly run
    python -m tests.mutation --seconds 60          a sample of what needs no server; what ./test does
    python -m tests.mutation helpers/report/states.py

Exit code 0: every module reaches its bar, 1: one does not, 2: no such module, or its tests fail as it is.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator, Sequence

from helpers.sensitivity.systematic import Score
from tests.mutation.execution import ROOT, fail, load_libraries
from tests.mutation.modules import MODULES
from tests.mutation.mutants import Mutant, mutants_of

# A mutant may loop for ever: it has this long, or so many times what the tests take as it is.
LEAST_SECONDS, TIMES_LONGER, MOST_SECONDS = 20.0, 4.0, 600.0


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.mutation")
    parser.add_argument("modules", nargs="*", help="only these modules")
    parser.add_argument("--seconds", type=float, help="only as many mutants as fit into this time")
    given = parser.parse_args()
    unknown = set(given.modules) - MODULES.keys()
    if unknown:
        print(f"error: no such module: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    names = given.modules or [
        name for name, judged in MODULES.items() if judged.fast or not given.seconds
    ]
    deadline = time.monotonic() + given.seconds if given.seconds else None
    load_libraries()
    scores, allowed = dict.fromkeys(names, Score()), dict[str, float]()
    for mutant in _chosen(names, is_sample=deadline is not None):
        if deadline is not None and time.monotonic() > deadline:
            break
        if mutant.module not in allowed:
            started = time.monotonic()
            text = (ROOT / mutant.module).read_text(encoding="utf-8")
            if _is_noticed(mutant.module, text, MOST_SECONDS):
                print(f"error: the tests of {mutant.module} fail as it is", file=sys.stderr)
                return 2
            seconds = TIMES_LONGER * (time.monotonic() - started)
            allowed[mutant.module] = max(LEAST_SECONDS, seconds)
        noticed = _is_noticed(mutant.module, mutant.source, allowed[mutant.module])
        scores[mutant.module] += Score(noticed, 1)
        if not noticed:
            print(f"survived  {mutant}", flush=True)
    return _report(scores, is_sample=deadline is not None)


def _chosen(names: Sequence[str], *, is_sample: bool) -> Iterator[Mutant]:
    """All mutants of each module; in a sample one of each in turn, by chance that the text decides."""
    pending = []
    for name in names:
        text = (ROOT / name).read_text(encoding="utf-8")
        mutants = list(mutants_of(name, text))
        if is_sample:
            random.Random(text).shuffle(mutants)
        pending.append(mutants)
    if not is_sample:
        yield from (mutant for mutants in pending for mutant in mutants)
    while is_sample and any(pending):
        # The modules in another order in every change, so that a short time reaches all of them.
        random.Random("".join(str(mutants[:1]) for mutants in pending)).shuffle(pending)
        yield from (mutants.pop() for mutants in pending if mutants)


def _is_noticed(module: str, source: str, seconds: float) -> bool:
    return fail(module, source, MODULES[module].tests, seconds)


def _report(scores: dict[str, Score], *, is_sample: bool) -> int:
    """One line a module; the exit code says whether each reaches its bar."""
    bad = False
    for module, score in scores.items():
        bar = MODULES[module].bar
        below = score.misses(bar, is_sample)
        bad = bad or below
        says = f"below {bar:.0%}" if below else ("" if score.effective else "not tried")
        print(f"{module:<45} {score} {says}".rstrip())
    return int(bad)


if __name__ == "__main__":
    sys.exit(main())
