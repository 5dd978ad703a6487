"""How soon the explorer finds the mutants that a comparison of states can see, and how short it makes them.

Run it with the environment's Python: .venv/bin/python bench/explore_mutants.py [MUTANT…]
Each is active on a server of its own until a history shows it and is shrunk. Ends with exit code 1 if one is
not found in time, or only by a history that is too long.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from bench.explorer.node import explorer_node
from bench.explorer.statement_mutants import STATEMENT_MUTANTS
from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.node import Node
from helpers.explore.execution.servers import wait_for_mutations
from helpers.explore.findings.known import KNOWN
from helpers.explore.model.histories import HistoryDifference
from helpers.explore.model.schema import DEFAULT_TABLES
from helpers.explore.model.statements import KILL, KINDS, READ
from helpers.explore.search.profiles import PROFILES
from helpers.explore.search.search import Search
from helpers.sensitivity.mutant import Mutant
from helpers.sensitivity.registry import load

SECONDS = 60.0
MOST_STATEMENTS = 6
SEEN_BY = {
    "sequential": (
        "replace-does-nothing",
        "replace-appends",
        "partition-ends-empty",
        "source-is-emptied",
        "another-partition-is-dropped",
        "rows-are-doubled",
        "rows-go-with-their-source",
        "statement-does-nothing-behind-replace",
        "refusal-is-swallowed",
        "refused-and-emptied",
        "restart-loses-the-partition",
        "inserted-block-is-taken-for-a-known-one",
        "parts-insert-twice",
        "parts-are-not-merged",
        "parts-lose-a-row-in-a-merge",
        "parts-are-not-mutated",
        "parts-are-not-detached",
        "parts-are-not-attached",
    ),
    "crash": ("restart-brings-the-clones-again",),
}
LEFT_OUT = {
    "users and policies: histories have one user": (
        "everybody-may-replace",
        "nobody-may-replace",
        "row-policy-filters-the-copy",
    ),
    "replicas and shards: a history has one server": ("one-shard-is-forgotten",),
    "merges and mutations in the background: histories have none, or wait for them": (
        "replace-does-not-wait",
    ),
}
"""All others of these features, by why no comparison of states can see them."""
FEATURES = ("scenarios.replace_partition.", "scenarios.table_parts.")


def without_a_place(mutants: Mapping[str, Mutant]) -> list[str]:
    """Mutants of these features that are on neither list, and names on a list that no mutant has."""
    written = {
        name for name, mutant in mutants.items() if mutant.tamper.__module__.startswith(FEATURES)
    }
    listed = {name for names in (*SEEN_BY.values(), *LEFT_OUT.values()) for name in names}
    return sorted(written ^ listed)


def found(node: Node, profile: str) -> tuple[HistoryDifference | None, float]:
    """What a search comes to, and how many seconds it took to find it first."""
    began = time.monotonic()
    kinds = (*KINDS, KILL, READ)
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
    if unplaced := without_a_place(mutants):
        print(f"on no list, or no mutant any more: {', '.join(unplaced)}")
        return 1
    print("| mutant | profile | found after | statements | difference |")
    print("|---|---|---:|---:|---|")
    tampers = {**{name: mutant.tamper for name, mutant in mutants.items()}, **STATEMENT_MUTANTS}
    seen_by = {**SEEN_BY, "sequential": (*SEEN_BY["sequential"], *STATEMENT_MUTANTS)}
    for profile, names in seen_by.items():
        for name in names:
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            with explorer_node() as node:
                wait_for_mutations(node)
                INTERCEPTOR.activate(tampers[name])
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
