"""The model: what statements do to tables, without a server."""

from __future__ import annotations

import pytest

from helpers.explore.model import tables as model
from helpers.explore.model.histories import History
from helpers.explore.model.schema import Schema
from helpers.explore.model.statements import (
    KINDS,
    ROUND_TRIP,
    SELECT,
    STARTED_AGAIN,
    HistoryStatement,
    Row,
    sql_of,
)
from helpers.explore.model.tables import ModelState, StatementOutcome
from helpers.explore.model.transitions import TRANSITIONS, apply

ONE, TWO, BOTH = ((1, 1),), ((2, 1),), ((1, 1), (2, 1))
PLAIN = {"a": "plain", "b": "plain", "c": "plain"}


def insert(table: str, rows: tuple[tuple[int, int], ...], partition: int = 1) -> HistoryStatement:
    return HistoryStatement("insert", table, partition=partition, rows=rows)


def after(*statements: HistoryStatement, kinds: dict[str, str] | None = None) -> ModelState:
    state = model.initial(kinds or PLAIN)
    for statement in statements:
        outcome = apply(state, statement)
        assert outcome.refusal is None and not outcome.unspecified, statement
        state = outcome.state
    return state


def last(*statements: HistoryStatement, kinds: dict[str, str] | None = None) -> StatementOutcome:
    return apply(after(*statements[:-1], kinds=kinds), statements[-1])


def rows(state: ModelState, table: str) -> list[tuple[int, tuple[Row, ...]]]:
    return sorted(model.contents(state.tables[table]).elements())


def test_every_kind_has_a_transition_and_sql() -> None:
    assert {*TRANSITIONS, ROUND_TRIP} == set(KINDS)
    for kind in {*KINDS} - {SELECT, ROUND_TRIP}:
        assert all(sql_of(HistoryStatement(kind, rows=ONE), "db", part="1_1_1_0"))


def test_replace_takes_the_sources_place_and_leaves_it_alone() -> None:
    state = after(
        insert("a", ONE), insert("a", TWO, 2), insert("b", BOTH), HistoryStatement("replace")
    )
    assert rows(state, "a") == [(1, BOTH), (2, TWO)]
    assert rows(state, "b") == [(1, BOTH)]


def test_replace_from_nothing_is_refused() -> None:
    assert last(insert("a", ONE), HistoryStatement("replace")).refusal == 36


def test_attach_from_adds_and_move_takes_away() -> None:
    state = after(insert("a", ONE), insert("b", ONE), HistoryStatement("attach-from"))
    assert rows(state, "a") == [(1, ONE), (1, ONE)]
    moved = after(insert("a", ONE), HistoryStatement("move"))
    assert (rows(moved, "a"), rows(moved, "b")) == ([], [(1, ONE)])


def test_other_columns_are_refused() -> None:
    outcome = last(insert("b", ONE), HistoryStatement("add-column"), HistoryStatement("replace"))
    assert outcome.refusal == 122
    assert last(HistoryStatement("add-column"), HistoryStatement("add-column")).refusal == 15
    assert last(HistoryStatement("drop-column")).refusal == 10


def test_detached_parts_come_back() -> None:
    detached = after(insert("a", ONE), insert("a", TWO), HistoryStatement("detach"))
    assert rows(detached, "a") == []
    assert model.detached(detached.tables["a"]) == {1: 2}
    assert rows(apply(detached, HistoryStatement("attach")).state, "a") == [(1, ONE), (1, TWO)]
    assert (
        model.detached(apply(detached, HistoryStatement("drop-detached")).state.tables["a"]) == {}
    )


def test_a_replacing_table_keeps_the_highest_value_when_merged() -> None:
    kinds = {**PLAIN, "a": "replacing"}
    state = after(insert("a", ONE), insert("a", ((1, 2),)), kinds=kinds)
    assert len(rows(state, "a")) == 2
    assert rows(apply(state, HistoryStatement("optimize")).state, "a") == [(1, ((1, 2),))]


@pytest.mark.parametrize("removal", ["drop", "detach", "truncate", "replace"])
def test_a_window_recognises_a_block_until_it_is_removed(removal: str) -> None:
    kinds = {**PLAIN, "a": "window"}
    twice = after(insert("a", ONE), insert("a", ONE), kinds=kinds)
    assert rows(twice, "a") == [(1, ONE)]
    again = after(
        insert("b", TWO), insert("a", ONE), HistoryStatement(removal), insert("a", ONE), kinds=kinds
    )
    assert (1, ONE) in rows(again, "a")


def test_mutations_change_rows_and_may_leave_parts_without_any() -> None:
    state = after(insert("a", BOTH), insert("a", ONE), HistoryStatement("update", number=1))
    assert rows(state, "a") == [(1, ((1, 11),)), (1, ((1, 11), (2, 1)))]
    deleted = apply(state, HistoryStatement("delete", number=1)).state
    assert rows(deleted, "a") == [(1, TWO)]
    assert apply(deleted, HistoryStatement("detach")).unspecified
    assert not apply(deleted, HistoryStatement("drop")).unspecified


def test_names_move_with_their_tables() -> None:
    state = after(insert("a", ONE), insert("b", TWO), HistoryStatement("exchange"))
    assert (rows(state, "a"), rows(state, "b")) == ([(1, TWO)], [(1, ONE)])
    renamed = apply(state, HistoryStatement("rename")).state
    assert rows(renamed, "d") == [(1, TWO)]
    assert apply(renamed, insert("a", ONE)).refusal == 60
    assert apply(renamed, HistoryStatement("rename", "b")).refusal == 57


def test_backups_are_counted() -> None:
    frozen = last(insert("a", ONE), insert("a", TWO), HistoryStatement("freeze"))
    assert frozen.answer == 2
    thawed = apply(frozen.state, HistoryStatement("unfreeze"))
    assert thawed.answer == 2
    assert apply(thawed.state, HistoryStatement("unfreeze")).answer == 0


def test_the_order_of_parts_does_not_make_a_state() -> None:
    one = after(insert("a", ONE), insert("a", TWO))
    other = after(insert("a", TWO), insert("a", ONE))
    assert one.fingerprint() == other.fingerprint()
    assert one.fingerprint() != after(insert("a", BOTH)).fingerprint()


def test_tables_are_made_without_merges() -> None:
    assert "max_bytes_to_merge_at_max_space_in_pool" in Schema().create_table("db", "a", "window")


@pytest.mark.parametrize("removal", ["drop", "detach", "replace", "move", "truncate", "drop-part"])
def test_a_table_that_is_loaded_again_may_have_empty_parts_where_others_were(removal: str) -> None:
    filled = after(insert("a", ONE), insert("b", TWO))
    untouched = apply(filled, HistoryStatement("reload")).state
    assert not apply(untouched, HistoryStatement("detach")).unspecified
    removed = apply(
        apply(filled, HistoryStatement(removal)).state, HistoryStatement("reload")
    ).state
    assert apply(removed, HistoryStatement("detach")).unspecified


def test_shorter_histories_leave_out_many_statements_first() -> None:
    history = History(PLAIN, tuple(insert("a", ((key, 1),)) for key in range(8)))
    lengths = [shorter.length for shorter in history.shorter()]
    assert lengths == [4, 4, 6, 6, 6, 6, *[7] * 8]
    clients = History(PLAIN, (), ((insert("a", ONE),), (insert("b", ONE), insert("b", TWO))))
    assert sorted(len(shorter.clients) for shorter in clients.shorter()) == [1, 2, 2]


TIERED = {"a": "tiered", "b": "tiered", "c": "plain"}


def test_a_partition_moves_to_a_disk_once() -> None:
    to_two, to_one = (
        HistoryStatement("move-to-disk", number=1),
        HistoryStatement("move-to-volume", number=2),
    )
    moved = after(insert("a", ONE), insert("a", TWO, 2), to_two, kinds=TIERED)
    assert model.disks(moved.tables["a"]) == {(1, "two"): 1, (2, "one"): 1}
    assert apply(moved, to_two).refusal == 479
    assert model.disks(apply(moved, to_one).state.tables["a"]) == {(1, "one"): 1, (2, "one"): 1}
    assert rows(moved, "a") == [(1, ONE), (2, TWO)]
    assert last(HistoryStatement("move-to-disk"), kinds=TIERED).refusal == 479
    assert last(HistoryStatement("move-to-volume"), kinds=TIERED).refusal == 232
    assert last(HistoryStatement("move-to-disk", "c"), kinds=TIERED).refusal == 479
    assert last(HistoryStatement("move-to-volume", "c"), kinds=TIERED).refusal == 548


def test_parts_stay_on_their_disks_between_tables_of_the_same_policy() -> None:
    to_two = HistoryStatement("move-to-disk", "b", number=1)
    cloned = after(insert("b", ONE), to_two, HistoryStatement("replace"), kinds=TIERED)
    assert model.disks(cloned.tables["a"]) == {(1, "two"): 1}
    other = apply(cloned, HistoryStatement("attach-from", "c", "a")).state
    assert model.disks(other.tables["c"]) == {(1, ""): 1}
    assert apply(other, HistoryStatement("replace", "a", "c")).refusal == 36
    assert apply(other, HistoryStatement("move", "a", "c")).refusal == 478
    back = apply(other, HistoryStatement("attach-from", "a", "c")).state
    assert model.disks(back.tables["a"]) == {(1, "two"): 1, (1, "one"): 1}
    assert apply(back, HistoryStatement("optimize", "a")).unspecified


@pytest.mark.parametrize("kind", STARTED_AGAIN)
def test_a_restart_changes_nothing_that_can_be_seen(kind: str) -> None:
    before = after(insert("a", ONE), insert("b", TWO), HistoryStatement("detach", "b"))
    assert apply(before, HistoryStatement(kind)).state.key == before.key


def test_a_fault_of_the_store_lets_the_next_statement_fail() -> None:
    kinds = {"a": "s3", "b": "s3", "c": "plain"}
    fault = HistoryStatement("s3-fault")
    assert last(fault, kinds=PLAIN).unspecified
    met = last(fault, insert("a", ONE), kinds=kinds)
    assert met.may_fail and rows(met.state, "a") == [(1, ONE)] and not met.state.faulty
    assert not last(fault, insert("c", ONE), kinds=kinds).may_fail
    for kind in ("update", "modify-ttl", "materialize-projection", "apply-patches"):
        met = last(insert("a", ONE), fault, HistoryStatement(kind), kinds=kinds)
        assert met.unspecified == "whether a mutation that failed is tried again", kind
    assert last(
        insert("a", ONE), HistoryStatement("attach-from", "c", "a"), kinds=kinds
    ).unspecified
