"""The model of further columns, patch parts, TTL and indexes, without a server."""

from __future__ import annotations

import pytest

from helpers.explore.model import tables as model
from helpers.explore.model.schema import DEFAULT_VALUE, Schema
from helpers.explore.model.statements import HistoryStatement, further_value, updated_value
from helpers.explore.model.tables import ModelState, StatementOutcome
from helpers.explore.model.transitions import apply

ONE, EXPIRED = (
    HistoryStatement("insert", rows=((1, 1),)),
    HistoryStatement("insert", rows=((2, 1),)),
)
COLUMNS, PATCHED = Schema(further="String"), Schema(further="String", patches=True)


def last(
    *statements: HistoryStatement, schema: Schema = COLUMNS, kind: str = "plain"
) -> StatementOutcome:
    """The outcome of the last one; all others are accepted."""
    state: ModelState = model.initial(dict.fromkeys("abc", kind), schema)
    for statement in statements[:-1]:
        outcome = apply(state, statement)
        assert outcome.refusal is None and not outcome.unspecified, (statement, outcome)
        state = outcome.state
    return apply(state, statements[-1])


def rows(outcome: StatementOutcome, table: str = "a") -> list[tuple[int, ...]]:
    assert outcome.refusal is None and not outcome.unspecified
    return [row for part in outcome.state.tables[table].parts for row in part.rows]


def sent(*kinds: str) -> list[HistoryStatement]:
    return [HistoryStatement(kind) for kind in kinds]


def test_a_column_that_is_added_again_has_its_default() -> None:
    assert rows(last(ONE)) == [(1, 1, further_value(1))]
    assert rows(last(ONE, *sent("drop-column"))) == [(1, 1)]
    assert rows(last(ONE, *sent("drop-column", "add-column"))) == [(1, 1, DEFAULT_VALUE)]
    assert last(*sent("drop-column", "drop-column")).refusal == 10


def test_a_renamed_column_keeps_its_values_and_stands_next_to_a_new_one() -> None:
    renamed = last(ONE, *sent("rename-column", "add-column"))
    assert rows(renamed) == [(1, 1, DEFAULT_VALUE, further_value(1))]
    assert renamed.state.tables["a"].further == ("w", "x")


def test_tables_with_other_columns_are_refused() -> None:
    assert (
        last(
            HistoryStatement("insert", "b", rows=((1, 1),)), *sent("drop-column", "replace")
        ).refusal
        == 122
    )


def test_what_a_detached_part_lacks_is_its_default_or_unspecified() -> None:
    without = Schema()
    assert rows(last(ONE, *sent("detach", "add-column", "attach"), schema=without)) == [
        (1, 1, DEFAULT_VALUE)
    ]
    assert last(ONE, *sent("detach", "rename-column", "attach")).unspecified


def test_columns_are_cleared_and_updated() -> None:
    assert rows(last(ONE, *sent("clear-column"))) == [(1, 1, DEFAULT_VALUE)]
    assert rows(last(ONE, HistoryStatement("clear-column", partition=2))) == rows(last(ONE))
    assert rows(last(ONE, *sent("update-column"))) == [(1, 1, updated_value(1))]


def test_what_was_updated_by_patches_is_not_moved_until_they_are_applied() -> None:
    assert last(ONE, *sent("patch")).refusal == 48
    assert rows(last(ONE, *sent("patch"), schema=PATCHED)) == [(1, 11, further_value(1))]
    for kind in ("detach", "move"):
        assert last(ONE, *sent("patch", kind), schema=PATCHED).refusal == 344
        assert last(ONE, *sent("patch", "apply-patches", kind), schema=PATCHED).refusal is None


def test_a_backup_holds_what_was_updated() -> None:
    restored = last(ONE, *sent("patch", "freeze", "truncate", "restore"), schema=PATCHED)
    assert rows(restored) == [(1, 11, further_value(1))]


@pytest.mark.parametrize(("kind", "left"), [("short-ttl", 1), ("long-ttl", 2), ("plain", 2)])
def test_a_merge_removes_what_the_ttl_of_the_table_says(kind: str, left: int) -> None:
    assert len(rows(last(ONE, EXPIRED, *sent("optimize"), kind=kind))) == left


def test_a_ttl_is_materialized_when_it_is_modified() -> None:
    short, long = HistoryStatement("modify-ttl", number=1), HistoryStatement("modify-ttl", number=2)
    assert len(rows(last(ONE, EXPIRED, short))) == 1
    assert len(rows(last(ONE, EXPIRED, long))) == 2
    assert last(HistoryStatement("modify-ttl", number=3)).refusal == 36


def test_indexes_of_the_source_have_to_be_those_of_the_destination() -> None:
    of_b = HistoryStatement("insert", "b", rows=((1, 1),))
    assert last(of_b, HistoryStatement("add-index", "b"), *sent("replace")).refusal == 36
    assert last(of_b, *sent("add-index", "replace")).refusal is None


def test_rows_of_equal_keys() -> None:
    floats = Schema(key="Float64", maximum=True)
    zeros = (ONE, HistoryStatement("insert", rows=((3, 2),)), *sent("optimize"))
    assert rows(last(*zeros, schema=floats, kind="replacing")) == [(3, 2)]
    assert last(*zeros, schema=floats, kind="summing").unspecified, "which of both zeros is kept"
    twice = (ONE, ONE, *sent("optimize"))
    assert rows(last(*twice, schema=Schema(), kind="summing")) == [(1, 2)]
    assert rows(last(*twice, schema=floats, kind="aggregating")) == [(1, 1)]
    nan = HistoryStatement("delete", number=2)
    assert rows(last(EXPIRED, nan, schema=floats)) == [(2, 1)], "nothing equals NaN"


def test_what_waits_for_a_change_that_is_pending_is_not_executed() -> None:
    pending = sent("stop-merges", "rename-column")
    assert last(ONE, *pending, *sent("add-column")).unspecified, "it would wait for ever"
    assert not last(ONE, *sent("stop-merges", "drop-column", "add-column")).unspecified
    assert not last(ONE, *pending, *sent("start-merges", "add-column")).unspecified


def test_a_partition_without_rows_is_not_merged() -> None:
    deleted = last(ONE, *sent("patch-delete", "optimize"), schema=PATCHED)
    assert deleted.unspecified


@pytest.mark.parametrize("kind", ["materialize-index", "materialize-projection"])
def test_what_waits_for_stopped_merges_is_not_specified(kind: str) -> None:
    assert last(ONE, *sent("stop-merges", kind)).unspecified
    assert not last(ONE, *sent("stop-merges", "start-merges", kind)).unspecified
