"""What each statement does to the model, or with which code it is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from helpers.explore.model import columns, partitions, rows
from helpers.explore.model.round_trips import round_trip
from helpers.explore.model.statements import (
    EXTRAS,
    RENAMES,
    ROUND_TRIP,
    S3_FAULT,
    HistoryStatement,
)
from helpers.explore.model.tables import UNKNOWN_TABLE, ModelState, StatementOutcome, Unspecified

NEEDS_TABLE = ("select", "round-trip", "restore", "stop-merges", "start-merges")
CLONING = ("replace", "attach-from", "move")
MUTATIONS = (
    *("update", "delete", "lightweight-delete", "add-column", "drop-column"),
    *("rename-column", "clear-column", "update-column", "materialize-column", "apply-patches"),
    *("modify-ttl", "materialize-ttl", "drop-index", "materialize-index"),
    *("drop-projection", "materialize-projection"),
)
"""What parts are written again for: after a fault the server tries it again, later."""


def apply(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    """The outcome of a statement in a state, in which the store may refuse requests."""
    try:
        if not state.faulty or statement.kind == S3_FAULT:
            return _apply(state, statement)
        outcome = _apply(replace(state, faulty=False), statement)
    except Unspecified as unspecified:
        return StatementOutcome(state, unspecified=str(unspecified))
    if statement.kind in MUTATIONS and outcome.may_fail:
        return replace(outcome, unspecified="whether a mutation that failed is tried again")
    return outcome


def _apply(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    kind = statement.kind
    if kind in ("move", "exchange") and statement.table == statement.other:
        return StatementOutcome(state, unspecified="a table is moved to or exchanged with itself")
    if kind in NEEDS_TABLE and statement.table not in state.tables:
        return StatementOutcome(state, unspecified="there is no such table")
    if kind == ROUND_TRIP:
        return round_trip(state, statement, _apply)
    existing = [state.tables[name] for name in statement.tables if name in state.tables]
    # RENAME looks at its target first.
    if kind not in RENAMES and len(existing) < len(statement.tables):
        return StatementOutcome(state, UNKNOWN_TABLE)
    on_store = {table.kind == "s3" for table in existing}
    if kind in CLONING and len(on_store) > 1:
        return StatementOutcome(state, unspecified="from a disk to a store or back")
    outcome = TRANSITIONS[kind](state, statement)
    return replace(outcome, may_fail=outcome.refusal is None) if True in on_store else outcome


def _nothing(state: ModelState, _statement: HistoryStatement) -> StatementOutcome:
    return StatementOutcome(state)


TRANSITIONS: dict[str, Callable[[ModelState, HistoryStatement], StatementOutcome]] = {
    "insert": rows.insert,
    "insert-parts": rows.insert_parts,
    "update": rows.update,
    "delete": rows.delete,
    "lightweight-delete": rows.delete,
    "optimize": rows.optimize,
    "optimize-table": rows.optimize,
    "deduplicate": rows.optimize,
    "truncate": rows.truncate,
    "exchange": rows.exchange,
    "rename": rows.rename,
    "rename-back": rows.rename,
    "reload": rows.reload,
    "undrop": rows.reload,
    "restart": rows.restart,
    "sigkill": rows.restart,
    "s3-fault": rows.s3_fault,
    "select": _nothing,
    "replace": partitions.replace_partition,
    "attach-from": partitions.attach_from,
    "move": partitions.move_to_table,
    "drop": partitions.drop,
    "detach": partitions.detach,
    "attach": partitions.attach,
    "drop-part": partitions.one_part,
    "detach-part": partitions.one_part,
    "drop-detached": partitions.drop_detached,
    "freeze": partitions.freeze,
    "unfreeze": partitions.unfreeze,
    "restore": partitions.restore,
    "move-to-disk": partitions.move_to_tier,
    "move-to-volume": partitions.move_to_tier,
    "add-column": columns.add_column,
    "drop-column": columns.drop_column,
    "rename-column": columns.rename_column,
    "clear-column": columns.clear_column,
    "update-column": columns.update_column,
    "materialize-column": columns.materialize_column,
    "stop-merges": columns.stop_merges,
    "start-merges": columns.start_merges,
    "patch": columns.patch,
    "patch-column": columns.patch,
    "patch-delete": columns.patch_delete,
    "apply-patches": columns.apply_patches,
    "modify-ttl": columns.modify_ttl,
    "materialize-ttl": columns.materialize_ttl,
    **dict.fromkeys(EXTRAS, columns.extra),
}
