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

from bench.explorer_node import explorer_node
from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.node import Node
from helpers.explore.findings.known import KNOWN
from helpers.explore.model.histories import HistoryDifference
from helpers.explore.model.statements import DEFAULT_TABLES, KILL, KINDS, READ
from helpers.explore.search.profiles import PROFILES
from helpers.explore.search.search import Search
from helpers.sensitivity.mutant import Mutant
from helpers.sensitivity.registry import load

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
        *("parts-of-two-partitions", "strings-are-cut"),
    ),
    "concurrent": ("reader-misses-a-row", "statement-is-refused-meanwhile"),
    "crash": ("restart-brings-the-clones-again",),
}
LEFT_OUT = {
    "users and policies: histories have one user": (
        *("everybody-may-replace", "nobody-may-replace", "row-policy-filters-the-copy"),
        "row-policy-goes-with-the-rows",
    ),
    "replicas and shards: a history has one server": (
        *("other-replicas-keep-the-old-rows", "a-replica-loses-a-row", "one-shard-is-forgotten"),
        "shards-follow-each-other",
    ),
    "merges and mutations in the background: histories have none, or wait for them": (
        *(
            "merge-comes-to-its-natural-end",
            "merge-goes-on-behind-replace",
            "replace-does-not-wait",
        ),
        *("merges-of-other-partitions-are-stopped", "merge-is-accepted-meanwhile"),
        *("merge-is-refused-otherwise", "only-deletes-are-refused", "parts-are-left-alone"),
        "parts-of-any-size-are-merged",
    ),
    "tables of histories have no such constraint, TTL, setting, or clause": (
        *("parts-without-constraints", "parts-keep-expired-rows", "parts-without-rows-stay"),
        *("parts-without-rows-always-go", "parts-have-no-lifetime", "parts-live-for-ever"),
        "clause-is-refused",
    ),
    "the rows are the same, in another order within their part": ("parts-in-another-order",),
    "INSERT of blocks, partitions or rows as no history has them": (
        *("parts-insert-of-nothing", "parts-of-any-number-of-partitions", "parts-of-large-blocks"),
    ),
    "a row that tables of histories refuse: theirs have no text": (
        "interruption-leaves-a-strange-row",
    ),
    "CHECK TABLE: histories read the rows instead": (
        *("check-table-finds-nothing", "parts-always-pass", "parts-never-pass"),
    ),
    "numbers, levels and formats of parts, and parts that are not active: no rows": (
        *("parts-count-a-row-too-many", "parts-are-a-level-higher", "parts-rise-by-mutations"),
        *("parts-have-the-first-block", "parts-stay-active", "parts-vanish-when-superseded"),
        *("parts-are-all-wide", "parts-are-all-compact", "parts-are-detached-for-another-reason"),
    ),
    "files and objects, which a comparison of rows does not look at": (
        *("parts-share-files", "parts-have-a-column-elsewhere", "parts-count-wrongly-on-disk"),
        *("parts-have-a-wrong-range", "parts-are-touched", "store-loses-an-object"),
        "clone-has-objects-of-the-source",
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
    for profile, names in SEEN_BY.items():
        for name in names:
            if sys.argv[1:] and name not in sys.argv[1:]:
                continue
            with explorer_node() as node:
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
