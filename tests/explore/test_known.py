"""Known deviations explain exactly the differences that they are about."""

from __future__ import annotations

from dataclasses import replace

from helpers.deviations.known import known_deviations
from helpers.explore.execution.player import OTHER_ANSWER
from helpers.explore.findings.known import KNOWN, explanations
from helpers.explore.model.histories import History, HistoryDifference
from helpers.explore.model.schema import EXPIRED_KEY, IMPLICIT_INDEXES
from helpers.explore.model.statements import HistoryStatement
from helpers.explore.model.weaknesses import EARLY, RANGE, cancelled, half_done

SWALLOWED = "deduplication.replaced-block-is-inserted-again"
BLOCK = HistoryStatement("insert", "a", rows=((1, 1),))
REPLACE = HistoryStatement("replace", "a", "b")


def differs(*statements: HistoryStatement, kind: str = "rows are missing") -> HistoryDifference:
    history = History({"a": "window", "b": "plain"}, statements)
    return HistoryDifference(statements[-1], kind, "rows", "none", history)


def test_ids_are_those_of_the_suite() -> None:
    assert {one.id for one in KNOWN} <= {deviation.id for deviation in known_deviations()}


def test_a_block_that_was_replaced_is_swallowed() -> None:
    assert explanations(differs(BLOCK, REPLACE, BLOCK), KNOWN) == (SWALLOWED,)


def test_other_losses_are_not_explained() -> None:
    for difference in (
        differs(BLOCK, BLOCK),
        differs(REPLACE, BLOCK),
        differs(BLOCK, HistoryStatement("replace", "a", "b", partition=2), BLOCK),
        differs(BLOCK, REPLACE, BLOCK, kind="rows too many"),
        differs(BLOCK, REPLACE),
    ):
        assert explanations(difference, KNOWN) == (), difference.history.statements


def test_without_a_window_nothing_is_swallowed() -> None:
    difference = differs(BLOCK, REPLACE, BLOCK)
    plain = replace(difference, history=replace(difference.history, kinds={"a": "plain"}))
    assert explanations(plain, KNOWN) == ()


def caused_by(*causes: str) -> tuple[str, ...]:
    return explanations(replace(differs(REPLACE, kind="mixture"), causes=causes), KNOWN)


def test_a_cause_has_the_id_of_its_deviation() -> None:
    assert caused_by(cancelled("replace")) == ("kill-query.cancelled-means-unchanged",)
    assert caused_by(cancelled("move")) == ("kill-query.cancelled-means-unchanged",)
    assert caused_by(RANGE) == ("concurrent-replaces.each-client-with-its-own-source",)
    assert caused_by(half_done("truncate")) == ("crash-drops.killed-during-truncate",)


def with_schema(difference: HistoryDifference, **changes: object) -> HistoryDifference:
    history = difference.history
    schema = replace(history.schema, **changes)  # type: ignore[arg-type]
    return replace(difference, history=replace(history, schema=schema))


def test_rows_with_the_key_that_expires_are_those_of_another_ttl() -> None:
    modified = differs(BLOCK, HistoryStatement("modify-ttl"))
    ids = ("ttl.ttl-of-the-destination-decides",)
    assert explanations(replace(modified, keys=frozenset({EXPIRED_KEY})), KNOWN) == ids
    assert explanations(replace(modified, keys=frozenset({1, EXPIRED_KEY})), KNOWN) == ()
    untouched = differs(BLOCK, HistoryStatement("optimize"))
    assert explanations(replace(untouched, keys=frozenset({EXPIRED_KEY})), KNOWN) == ()


def test_pending_columns_backups_indexes_and_floats() -> None:
    stop, rename, freeze, restore, patch, clear, select = map(
        HistoryStatement,
        ("stop-merges", "rename-column", "freeze", "restore", "patch", "clear-column", "select"),
    )
    pending = differs(BLOCK, stop, rename, REPLACE, kind="other rows")
    assert explanations(pending, KNOWN) == ("pending-alters.in-the-source",)
    assert explanations(differs(BLOCK, rename, REPLACE, kind="other rows"), KNOWN) == ()
    backup = differs(BLOCK, patch, freeze, restore, kind="other rows")
    assert explanations(backup, KNOWN) == ("updates-snapshots.snapshots-hold-updates",)
    assert explanations(differs(BLOCK, freeze, restore, kind="other rows"), KNOWN) == ()
    refused = differs(clear, REPLACE, kind="refused with code 36 instead of accepted")
    indexed = with_schema(refused, settings=(IMPLICIT_INDEXES,))
    assert explanations(refused, KNOWN) == ()
    assert explanations(indexed, KNOWN) == ("conditions-implicit-indexes.column-that-was-cleared",)
    answer = differs(BLOCK, select, kind=OTHER_ANSWER)
    assert explanations(answer, KNOWN) == ()
    floats = ("indexes-floats.conditions-find-their-rows",)
    assert explanations(with_schema(answer, key="Float64"), KNOWN) == floats


def test_every_cause_has_to_be_known() -> None:
    assert len(caused_by(EARLY["move"], cancelled("insert"))) == 2
    assert caused_by(EARLY["move"], "another cause") == ()
    without = tuple(one for one in KNOWN if one.cause != RANGE)
    difference = replace(differs(REPLACE), causes=(EARLY["move"], RANGE))
    assert explanations(difference, without) == ()


def test_statements_that_meet_are_no_explanation() -> None:
    """Only what a known weakness leads to is explained, not whatever happens beside it."""
    difference = replace(differs(REPLACE, kind="mixture"), meeting=("replace", "replace"))
    assert explanations(difference, KNOWN) == ()
