"""Known deviations explain exactly the differences that they are about."""

from __future__ import annotations

from dataclasses import replace

from helpers.deviations import known_deviations
from helpers.explore.histories import CANCELLED_AND_DONE, Difference, History
from helpers.explore.known import KNOWN, explanation
from helpers.explore.statements import Statement

SWALLOWED = "deduplication.replaced-block-is-inserted-again"
BLOCK = Statement("insert", "a", rows=((1, 1),))
REPLACE = Statement("replace", "a", "b")


def differs(*statements: Statement, kind: str = "rows are missing") -> Difference:
    history = History({"a": "window", "b": "plain"}, statements)
    return Difference(statements[-1], kind, "rows", "none", history)


def test_ids_are_those_of_the_suite() -> None:
    assert {one.id for one in KNOWN} <= {deviation.id for deviation in known_deviations()}


def test_a_block_that_was_replaced_is_swallowed() -> None:
    assert explanation(differs(BLOCK, REPLACE, BLOCK), KNOWN) == SWALLOWED


def test_other_losses_are_not_explained() -> None:
    for difference in (
        differs(BLOCK, BLOCK),
        differs(REPLACE, BLOCK),
        differs(BLOCK, Statement("replace", "a", "b", partition=2), BLOCK),
        differs(BLOCK, REPLACE, BLOCK, kind="rows too many"),
        differs(BLOCK, REPLACE),
    ):
        assert explanation(difference, KNOWN) is None, difference.history.statements


def test_a_cancelled_statement_has_the_id_of_its_kind() -> None:
    def cancelled(kind: str) -> str | None:
        return explanation(differs(Statement(kind), kind=CANCELLED_AND_DONE), KNOWN)

    assert cancelled("replace") == "kill-query.cancelled-means-unchanged"
    assert cancelled("attach-from") == "kill-query-others.cancelled-attach"
    assert cancelled("move") == "kill-query-others.cancelled-move"
    assert cancelled("drop") == "kill-query-others.cancelled-drop"
    assert cancelled("insert") is None


def test_statements_that_meet_are_explained_by_their_kinds() -> None:
    def met(*kinds: str) -> str | None:
        difference = replace(differs(REPLACE, kind="mixture"), meeting=kinds)
        return explanation(difference, KNOWN)

    assert met("replace", "replace") == "concurrent-replaces.each-client-with-its-own-source"
    assert met("move", "replace") == "concurrent-partition-operations.move-partition-to-table"
    assert met("insert", "replace") is None
    assert met("move", "drop") is None
