"""What generated mutants do to a statement and to an answer."""

from __future__ import annotations

import datetime
import random
import uuid
from typing import Any

import pytest

from helpers.sensitivity.answers import PERTURBATIONS, applicable, changed
from helpers.sensitivity.clauses import clauses, is_read

CREATE = (
    "CREATE TABLE t (a UInt8 CODEC(ZSTD(1), Delta) TTL d + INTERVAL 1 DAY, d Date) "
    "ENGINE = MergeTree PARTITION BY (a, toYYYYMM(d)) ORDER BY a TTL d + INTERVAL 2 DAY "
    "SETTINGS storage_policy = 'a, b', index_granularity = 4"
)


def test_clauses_of_a_table() -> None:
    assert list(clauses(CREATE)) == [
        "CODEC",
        "TTL",
        "PARTITION BY",
        "TTL 2",
        "SETTINGS storage_policy",
        "SETTINGS index_granularity",
    ]
    without = list(clauses(CREATE).values())
    assert "a UInt8 TTL d + INTERVAL 1 DAY, d Date" in without[0]
    assert "CODEC(ZSTD(1), Delta) , d Date)" in without[1]
    assert "MergeTree ORDER BY a TTL" in without[2]
    assert "ORDER BY a SETTINGS" in without[3]
    assert without[4].endswith("SETTINGS index_granularity = 4")
    assert without[5].endswith("SETTINGS storage_policy = 'a, b'")


@pytest.mark.parametrize(
    ("sql", "name", "without"),
    [
        ("SELECT * FROM t FINAL WHERE a", "FINAL", "SELECT * FROM t WHERE a"),
        ("SELECT 1 SETTINGS x = 1 FORMAT Null", "SETTINGS x", "SELECT 1 FORMAT Null"),
        (
            "INSERT INTO t SETTINGS x = 1 VALUES (1), (2)",
            "SETTINGS x",
            "INSERT INTO t VALUES (1), (2)",
        ),
        (
            "SELECT * FROM (SELECT 1 SETTINGS x = (1)) WHERE 1",
            "SETTINGS x",
            "SELECT * FROM (SELECT 1 ) WHERE 1",
        ),
        ("OPTIMIZE TABLE t PARTITION 1 FINAL", "PARTITION", "OPTIMIZE TABLE t FINAL"),
        ("OPTIMIZE TABLE t PARTITION ID 'a b'", "PARTITION", "OPTIMIZE TABLE t"),
        (
            "ALTER TABLE t UPDATE a = 1 IN PARTITION (1, 2) WHERE 1",
            "IN PARTITION",
            "ALTER TABLE t UPDATE a = 1 WHERE 1",
        ),
    ],
)
def test_a_statement_without_a_clause(sql: str, name: str, without: str) -> None:
    assert clauses(sql)[name] == without


def test_text_in_quotes_and_comments_is_no_clause() -> None:
    assert clauses("SELECT 'SETTINGS a = 1', `FINAL` /* TTL x */ -- CODEC(NONE)") == {}


def test_a_codec_that_is_all_of_a_change_is_no_clause_of_it() -> None:
    assert clauses("ALTER TABLE t MODIFY COLUMN v CODEC(ZSTD(3))") == {}
    assert list(clauses("ALTER TABLE t MODIFY COLUMN v UInt64 CODEC(ZSTD(3))")) == ["CODEC"]
    assert clauses("ALTER TABLE t DROP PARTITION 1") == {}


@pytest.mark.parametrize(
    ("sql", "reads"),
    [
        ("SELECT 1", True),
        ("  (SELECT 1)", True),
        ("WITH 1 AS x SELECT x", True),
        ("WITH 1 AS x INSERT INTO t SELECT x", False),
        ("/* hello */ CHECK TABLE t", True),
        ("KILL QUERY WHERE 1", False),
        ("SYSTEM STOP MERGES", False),
        ("INSERT INTO t SELECT 1", False),
    ],
)
def test_reads_are_told_from_changes(sql: str, reads: bool) -> None:
    assert is_read(sql) is reads


@pytest.mark.parametrize("name", PERTURBATIONS)
def test_every_perturbation_changes_an_answer(name: str) -> None:
    rows: list[tuple[Any, ...]] = [(1, "a"), (2, "b"), (3, "c")]
    for seed in range(20):
        assert PERTURBATIONS[name](rows, random.Random(seed)) != rows
    assert rows == [(1, "a"), (2, "b"), (3, "c")]


def test_shapes() -> None:
    assert applicable(0, 3) == []
    assert "swap-values" not in applicable(1, 3)
    assert "swap-values" not in applicable(3, 1)
    assert applicable(2, 2) == list(PERTURBATIONS)
    assert PERTURBATIONS["swap-values"]([(1, 1), (1, 1)], random.Random(0)) == [(1, 1), (1, 1)]


@pytest.mark.parametrize("seed", range(5))
def test_values_are_exchanged_only_where_that_makes_other_rows(seed: int) -> None:
    places_only = [(1, "a"), (1, "b"), (1, "c")]
    assert PERTURBATIONS["swap-values"](places_only, random.Random(seed)) == places_only
    rows = [*places_only, (2, "d")]
    assert sorted(PERTURBATIONS["swap-values"](rows, random.Random(seed))) != rows


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 0, 1.5, "", "a", b"", b"a", [], [1], (1, "a"), {}, {"a": 1}),
        datetime.date(2024, 2, 29),
        datetime.datetime(2024, 2, 29, 23, 59),
        uuid.UUID(int=0),
    ],
)
def test_a_changed_value_is_another_one(value: Any) -> None:
    assert changed(value) != value
