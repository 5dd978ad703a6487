"""Looks at tables: what is new is read, what was read is remembered."""

from __future__ import annotations

from pathlib import Path

from helpers.cluster.client.session import Row
from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.node import Node
from helpers.explore.execution.play import Counts, play
from helpers.explore.execution.watch import Watch
from helpers.explore.model.histories import History
from helpers.explore.model.statements import HistoryStatement


class Server:
    """Answers a census and reads of rows, and counts the reads."""

    def __init__(self) -> None:
        self.census: list[Row] = []
        self.rows: list[Row] = []
        self.reads: list[str] = []

    def ask(self, sql: str) -> list[Row]:
        if "system.parts" in sql:
            return self.census
        self.reads.append(sql)
        return [row for row in self.rows if f"'{row[0]}'" in sql]


def test_a_part_with_the_same_files_is_not_read_again() -> None:
    server, watch = Server(), Watch("db", {})
    server.census = [("a", "1_1_1_0", "1", "x", "default")]
    server.rows = [("a", "1_1_1_0", 1, 5, 6)]
    assert watch.changes(server.ask).parts == {"a": {"1_1_1_0": (1, ((5, 6),))}}
    server.census.append(("b", "1_2_2_0", "1", "x", "default"))
    assert watch.changes(server.ask).contents("b") == {(1, ((5, 6),)): 1}
    assert len(server.reads) == 1


def test_files_are_known_to_later_histories_if_all_was_as_the_model_says() -> None:
    server, before = Server(), {}  # type: ignore[var-annotated]
    server.census = [("a", "1_1_1_0", "1", "x", "default")]
    server.rows = [("a", "1_1_1_0", 1, 5, 6)]
    for reads in (1, 2):
        wrong = Watch("db", before)
        wrong.changes(server.ask)
        assert len(server.reads) == reads, "nobody has confirmed what was read"
    wrong.confirm()
    assert Watch("db", before).changes(server.ask).parts == {"a": {"1_1_1_0": (1, ((5, 6),))}}
    assert len(server.reads) == 2


def test_a_part_with_other_files_is_read() -> None:
    server, watch = Server(), Watch("db", {})
    server.census = [("a", "1_1_1_0", "1", "x", "default")]
    server.rows = [("a", "1_1_1_0", 1, 5, 6)]
    watch.changes(server.ask)
    server.census, server.rows = (
        [("a", "1_1_1_0", "1", "y", "default")],
        [("a", "1_1_1_0", 1, 5, 7)],
    )
    assert watch.changes(server.ask).contents("a") == {(1, ((5, 7),)): 1}


def test_a_part_whose_rows_are_all_deleted_has_none() -> None:
    server, watch = Server(), Watch("db", {})
    server.census = [("a", "1_1_1_0_2", "1", "x", "default")]
    for _ in range(2):
        assert watch.changes(server.ask).parts == {}


def test_rows_of_a_part_that_the_census_lacks_are_shown() -> None:
    server, watch = Server(), Watch("db", {})
    server.census = [("a", "1_1_1_0", "1", "x", "default")]
    server.rows = [("a", "1_1_1_0", 1, 5, 6), ("a", "2_2_2_0", 2, 1, 1)]
    assert set(watch.changes(server.ask).parts["a"]) == {"1_1_1_0", "2_2_2_0"}


def test_what_shows_at_the_end_only_is_reported_for_the_statement_that_did_it(node: Node) -> None:
    """A detached part that nobody asked for is not in the census."""

    def copy(statement):  # type: ignore[no-untyped-def]
        answer = statement.execute()
        if "DROP PARTITION" in statement.sql:
            table = statement.sql.split()[2]
            node.query(f"INSERT INTO {table} (p, i, v) VALUES (3, 1, 1)")
            node.query(f"ALTER TABLE {table} DETACH PARTITION 3")
        return answer

    insert = HistoryStatement("insert", rows=((1, 1),))
    history = History({"a": "plain"}, (insert, HistoryStatement("drop"), insert, insert))
    INTERCEPTOR.activate(copy)
    found = play(node, history, Counts())
    assert found is not None
    assert found.family == "drop: other detached parts"
    assert len(found.history.statements) == 2


def test_a_history_leaves_no_backups(node: Node) -> None:
    """They are in a folder of the server's own, which no table takes along when it is dropped."""
    inserted = HistoryStatement("insert", "a", rows=((1, 1),))
    history = History({"a": "plain"}, (inserted, HistoryStatement("freeze", "a")))
    assert play(node, history, Counts()) is None
    disk = Path(node.value("SELECT path FROM system.disks WHERE name = 'default'"))
    assert list((disk / "shadow").rglob("*.bin")) == []
    INTERCEPTOR.activate(
        lambda sent: [] if " UNFREEZE " in sent.sql else sent.execute(),
    )
    assert play(node, history, Counts()) is None
    assert list((disk / "shadow").rglob("*.bin")) != [], "there is nothing to see"
