"""Whether planned histories put every rule of ReplacingMergeTree to the test."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from helpers.cluster.client.session import Row
from steps.replacing_merge_tree.history import (
    CleanUp,
    Insert,
    Merge,
    Operation,
    Planner,
    Replace,
    TableKind,
)
from steps.replacing_merge_tree.survivor_rules import Rows

Plan = tuple[Operation, ...]
ATTEMPTS = 50


def telling_plans(kind: TableKind, histories: int, operations: int) -> list[Plan]:
    """So many histories that, taken together, would not be the same under other rules."""
    for _ in range(ATTEMPTS):
        plans = [tuple(Planner(kind).plan(operations)) for _ in range(histories)]
        problems = _problems(kind, plans)
        if not problems:
            return plans
    raise AssertionError(f"histories of {kind.name} prove too little: {', '.join(problems)}")


def _problems(kind: TableKind, histories: Sequence[Sequence[Operation]]) -> list[str]:
    decided = sum((_decisions(kind, history) for history in histories), Counter[str]())
    return [name for name, present in _present(kind, histories).items() if not present] + [
        f"too few or too many {name} ({dict(decided)})"
        for name, enough in _shares(kind, decided).items()
        if not enough
    ]


def _present(kind: TableKind, histories: Sequence[Sequence[Operation]]) -> dict[str, bool]:
    """What histories have to contain, by what is said where they do not."""
    operations = [operation for history in histories for operation in history]
    kinds = {type(operation) for operation in operations}
    inserts = [operation for operation in operations if isinstance(operation, Insert)]
    notes = {row[6] is None for insert in inserts for row in insert.rows}
    return {
        "no merge": Merge in kinds,
        "no cleanup": not kind.cleanable or CleanUp in kinds,
        "no replaced partition": kind.order_by == "key" or Replace in kinds,
        "values that are not distinct": all(_distinct(history) for history in histories),
        "no NULL, or nothing else": notes == {True, False},
        **{
            f"no duplicates within an insert with optimize_on_insert = {int(optimize)}": any(
                len(kind.rules.survivors(insert.rows)) < len(insert.rows)
                for insert in inserts
                if insert.optimize == optimize
            )
            for optimize in (True, False)
        },
    }


def _shares(kind: TableKind, decided: Counter[str]) -> dict[str, bool]:
    """Which of the keys have to be decided by each rule, and whether that many are."""
    keys = decided["keys"]
    shares = {
        "keys in several inserts": decided["keys in several inserts"] > keys / 4,
        "keys decided by the last insert": decided["last"] > 0,
    }
    if kind.parameters:
        shares["keys decided by a version that is not the last"] = decided["version"] > keys / 10
        shares["keys decided among equal versions"] = 0 < decided["equal versions"] < keys / 3
    if "deleted" in kind.parameters:
        shares["deleted keys"] = 0 < decided["deleted"] < keys / 2
    return shares


def _distinct(history: Sequence[Operation]) -> bool:
    rows = [row for operation in history for row in _rows(operation)]
    notes = [row[6] for row in rows if row[6] is not None]
    return all(len(set(column)) == len(column) for column in ([row[5] for row in rows], notes))


def _rows(operation: Operation) -> Rows:
    if isinstance(operation, Insert):
        return operation.rows
    return (
        [row for rows in operation.inserts for row in rows]
        if isinstance(operation, Replace)
        else []
    )


def _decisions(kind: TableKind, history: Sequence[Operation]) -> Counter[str]:
    """By which rule the rows of each key are decided, if all inserts are compared at once."""
    rules, groups = kind.rules, defaultdict[object, list[tuple[int, Row]]](list)
    inserts = [operation.rows for operation in history if isinstance(operation, Insert)]
    for number, rows in enumerate(inserts):
        for row in rows:
            groups[rules.partition(row), rules.key(row)].append((number, row))
    counted: Counter[str] = Counter()
    for group in groups.values():
        rows = [row for _, row in group]
        (survivor,) = rules.survivors(rows)
        greatest = sum(rules.version(row) == rules.version(survivor) for row in rows)
        counted["keys in several inserts"] += len({number for number, _ in group}) > 1
        counted["deleted"] += rules.deleted(survivor)
        counted["last"] += survivor is rows[-1] and len(rows) > 1
        counted["version"] += survivor is not rows[-1]
        counted["equal versions"] += greatest > 1
        counted["keys"] += 1
    return counted
