"""How soon the explorer finds the mutants that a comparison of states can see, and how short it makes them.

Run it with the environment's Python: .venv/bin/python bench/explore_mutants.py [MUTANT…]
Each is active on a server of its own until a history shows it and is shrunk. Ends with exit code 1 if one is
not found in time, or only by a history that is too long.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from helpers.cluster.embedded import EmbeddedCluster
from helpers.cluster.node import Node
from helpers.explore.histories import Difference
from helpers.explore.known import KNOWN
from helpers.explore.memory import data_folder
from helpers.explore.profiles import PROFILES
from helpers.explore.search import Search
from helpers.explore.statements import DEFAULT_KINDS, DEFAULT_TABLES, FRAGMENT, KILL, READ
from helpers.explore.worker import QUIET
from helpers.sensitivity.registry import load
from helpers.tampering import INTERCEPTOR

SECONDS = 60.0
MOST_STATEMENTS = 6
SEEN_BY = {
    "sequential": (
        *("replace-does-nothing", "replace-appends", "partition-ends-empty", "source-is-emptied"),
        *("another-partition-is-dropped", "wrong-partition-is-replaced", "rows-are-doubled"),
        *("rows-go-with-their-source", "statement-does-nothing-behind-replace"),
        *("refusal-is-swallowed", "refused-and-emptied", "refusal-has-another-code"),
        *("restart-loses-the-partition", "replaced-partition-does-not-move", "duplicates-stay"),
        *("inserted-block-is-taken-for-a-known-one", "blocks-of-all-partitions-are-forgotten"),
        *("parts-insert-twice", "parts-are-not-merged"),
        *("parts-lose-a-row-in-a-merge", "parts-are-not-mutated", "parts-are-not-detached"),
        *("parts-are-not-attached", "parts-are-detached-unseen", "parts-hide-a-row"),
    ),
    "concurrent": ("reader-misses-a-row",),
}
"""The others change what no history has: users, replicas, shards, constraints, TTL, files, log tables,
blocks of INSERT SELECT and their numbers, parts that are not active any more, what waits for what, and rows
that only the tables of scenarios take."""


def found(node: Node, profile: str) -> tuple[Difference | None, float]:
    """What a search comes to, and how many seconds it took to find it first."""
    began = time.monotonic()
    kinds = (*DEFAULT_KINDS, KILL, READ)
    search = Search(node, PROFILES[profile], kinds, DEFAULT_TABLES, KNOWN, began + SECONDS)
    number = 0
    while time.monotonic() < search.deadline:
        number += 1
        if (difference := search.batch(number)) is not None:
            return difference, search.first_seen - began
    return None, time.monotonic() - began


def main() -> int:
    missed = 0
    mutants = load()
    print("| mutant | profile | found after | statements | difference |")
    print("|---|---|---:|---:|---|")
    for profile, names in SEEN_BY.items():
        for name in names:
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            with (
                tempfile.TemporaryDirectory() as folder,
                data_folder(Path(folder)) as data,
                EmbeddedCluster(data) as cluster,
            ):
                node = cluster.node(config={"explore": QUIET}, fragments=(FRAGMENT,))
                INTERCEPTOR.activate(mutants[name].tamper)
                difference, seconds = found(node, profile)
                changes, broken = INTERCEPTOR.changes, INTERCEPTOR.broken
                INTERCEPTOR.activate(None)
            length = difference.history.length if difference else 0
            shown = difference.signature if difference else f"not found; {changes} changes {broken}"
            missed += difference is None or seconds > SECONDS or length > MOST_STATEMENTS
            print(f"| {name} | {profile} | {seconds:.1f} s | {length} | {shown} |", flush=True)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
