"""What each statement does to the model, or with which code it is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from helpers.explore.model import partition_transitions as partitions
from helpers.explore.model import table_transitions as tables
from helpers.explore.model.statements import S3_FAULT, HistoryStatement
from helpers.explore.model.tables import UNKNOWN_TABLE, ModelState, StatementOutcome

CLONING = ("replace", "attach-from", "move")
MUTATIONS = ("update", "delete", "lightweight-delete", "add-column", "drop-column")


def apply(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    """The outcome of a statement in a state, in which the store may refuse requests."""
    if not state.faulty or statement.kind == S3_FAULT:
        return _apply(state, statement)
    outcome = _apply(replace(state, faulty=False), statement)
    if statement.kind in MUTATIONS and outcome.may_fail:
        return replace(outcome, unspecified="whether a mutation that failed is tried again")
    return outcome


def _apply(state: ModelState, statement: HistoryStatement) -> StatementOutcome:
    kind = statement.kind
    if kind in ("move", "exchange") and statement.table == statement.other:
        return StatementOutcome(state, unspecified="a table is moved to or exchanged with itself")
    existing = [state.tables[name] for name in statement.tables if name in state.tables]
    renames = kind.startswith("rename")  # which looks at its target first
    if not renames and len(existing) < len(statement.tables):
        return StatementOutcome(state, UNKNOWN_TABLE)
    on_store = {table.kind == "s3" for table in existing}
    if kind in CLONING and len(on_store) > 1:
        return StatementOutcome(state, unspecified="from a disk to a store or back")
    outcome = TRANSITIONS[kind](state, statement)
    return replace(outcome, may_fail=outcome.refusal is None) if True in on_store else outcome


TRANSITIONS: dict[str, Callable[[ModelState, HistoryStatement], StatementOutcome]] = {
    "insert": tables.insert,
    "insert-parts": tables.insert_parts,
    "s3-fault": tables.s3_fault,
    "replace": partitions.replace_partition,
    "attach-from": partitions.attach_from,
    "move": partitions.move_to_table,
    "exchange": tables.exchange,
    "drop": partitions.drop,
    "detach": partitions.detach,
    "attach": partitions.attach,
    "update": tables.update,
    "delete": tables.delete,
    "lightweight-delete": tables.delete,
    "optimize": tables.optimize,
    "optimize-table": tables.optimize,
    "freeze": partitions.freeze,
    "unfreeze": partitions.unfreeze,
    "add-column": tables.add_column,
    "drop-column": tables.drop_column,
    "drop-part": partitions.one_part,
    "detach-part": partitions.one_part,
    "drop-detached": partitions.drop_detached,
    "truncate": tables.truncate,
    "rename": tables.rename,
    "rename-back": tables.rename,
    "reload": tables.reload,
    "restart": tables.restart,
    "sigkill": tables.restart,
    "move-to-disk": partitions.move_to_tier,
    "move-to-volume": partitions.move_to_tier,
}
