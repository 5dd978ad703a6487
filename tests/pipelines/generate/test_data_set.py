"""A data set is the same whoever makes it, all of it or nothing, and what its settings say."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession

from helpers.cluster.embedded.node import EmbeddedNode
from pipelines.clickhouse.rows import query
from pipelines.clickhouse.server import Server
from pipelines.compare import oracle
from pipelines.errors import PipelineError
from pipelines.generate import data_set as generator
from pipelines.generate.data_set import DataSet, generated, write_to_folder

WITH_SPARK = pytest.mark.xdist_group("spark")


def rows_of(data_set: DataSet) -> pa.Table:
    batches = [batch for file in data_set.files() for batch in data_set.whole_rows(file)]
    return pa.Table.from_batches(batches)


def contents(folder: Path) -> dict[str, str]:
    """Every file and what is in it."""
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in folder.rglob("*")
        if file.is_file()
    }


@pytest.mark.parametrize("wide", [False, True])
def test_rows_depend_on_the_seed_alone(wide: bool) -> None:
    small = DataSet(3000, seed=7, wide=wide)
    rows = rows_of(small)
    rows.validate(full=True)
    assert rows.num_rows == 3000
    assert rows.equals(rows_of(DataSet(3000, seed=7, wide=wide)))
    in_pieces = rows_of(DataSet(3000, seed=7, wide=wide, rows_per_file=17))
    assert rows.equals(in_pieces)
    other = rows_of(DataSet(3000, seed=8, wide=wide))
    same = {"id", "year", "month"}
    for name in rows.column_names:
        assert rows.column(name).equals(other.column(name)) == (name in same), name


def test_these_rows_are_the_same_in_every_version() -> None:
    """Whoever kept a seed finds the same rows again."""
    rows = rows_of(DataSet(100, seed=1, wide=True))
    plain = rows.set_column(5, "at", rows.column("at").cast(pa.int64())).to_pylist()
    assert hashlib.sha256(str(plain).encode()).hexdigest()[:16] == "4bc909caf3aa4c94"


def test_settings_are_kept() -> None:
    rows = rows_of(DataSet(20_000, nulls=0.25, wide=True))
    for name in ("amount", "name", "long_number", "text"):
        assert 0.22 < rows.column(name).null_count / rows.num_rows < 0.28, name
    assert rows.column("key").null_count == 0
    assert rows_of(DataSet(500, nulls=1)).column("name").null_count == 500
    assert rows_of(DataSet(500, nulls=0)).column("name").null_count == 0
    assert pc.count_distinct(rows.column("text")).as_py() > 10_000
    assert max(map(len, rows.column("items").to_pylist())) == 4


def test_skew_makes_large_partitions_and_frequent_keys() -> None:
    even = DataSet(10_000, partitions=10)
    skewed = DataSet(10_000, partitions=10, skew=1.5)
    for data_set, largest in ((even, 1000), (skewed, 5000)):
        sizes = Counter[int]()
        for file in data_set.files():
            sizes[file.partition] += file.end - file.start
        assert sum(sizes.values()) == 10_000
        assert abs(max(sizes.values()) - largest) < largest / 10
        assert sizes[0] == max(sizes.values()) and min(sizes.values()) > 0
    frequent = Counter(rows_of(skewed).column("key").to_pylist()).most_common(1)[0][1]
    assert frequent > 5 * Counter(rows_of(even).column("key").to_pylist()).most_common(1)[0][1]


def test_small_files_are_many() -> None:
    files = DataSet(1000, partitions=14, rows_per_file=10).files()
    assert len(files) > 100
    assert len({file.path for file in files}) == len(files)
    assert {file.values for file in files} == {(2020, month) for month in range(1, 13)} | {
        (2021, 1),
        (2021, 2),
    }


@pytest.mark.parametrize(
    ("settings", "named"),
    [
        ({"rows": 0}, "rows"),
        ({"rows": 1, "seed": -1}, "seed"),
        ({"rows": 1, "partitions": 0}, "partitions"),
        ({"rows": 1, "rows_per_file": 0}, "rows_per_file"),
        ({"rows": 1, "nulls": 1.5}, "1.5"),
        ({"rows": 1, "skew": -1}, "-1"),
    ],
)
def test_settings_that_cannot_be_are_refused(settings: dict[str, Any], named: str) -> None:
    with pytest.raises(PipelineError, match=named):
        DataSet(**settings)


def test_a_folder_that_was_begun_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_session: object, data_set: DataSet, write: Callable[[Any], None]) -> None:
        write(data_set.files()[0])
        raise PipelineError("A task failed.")

    monkeypatch.setattr(generator, "_for_each_file", fail)
    with pytest.raises(PipelineError, match="A task failed"):
        write_to_folder(None, DataSet(100), tmp_path / "data")
    assert list(tmp_path.iterdir()) == []


@WITH_SPARK
def test_files_are_identical_whatever_the_parallelism(spark: SparkSession, tmp_path: Path) -> None:
    data_set = DataSet(5000, seed=3, skew=1, wide=True, rows_per_file=400)
    write_to_folder(spark, data_set, tmp_path / "by spark")
    for file in data_set.files():  # one after the other
        target = tmp_path / "alone" / file.path
        target.parent.mkdir(parents=True, exist_ok=True)
        pq.write_table(pa.Table.from_batches(data_set.batches(file)), target)
    made, alone = tmp_path / "by spark", tmp_path / "alone"
    names = {name for name in contents(made) if name != "_SUCCESS"}
    assert names == set(contents(alone)) == {file.path for file in data_set.files()}
    for name in names:
        assert pq.read_table(made / name).equals(pq.read_table(alone / name))
    write_to_folder(spark, data_set, tmp_path / "again")
    assert contents(tmp_path / "again") == contents(made)
    with pytest.raises(PipelineError, match="not empty"):
        write_to_folder(spark, data_set, made)
    assert sorted(folder.name for folder in tmp_path.iterdir()) == ["again", "alone", "by spark"]


@WITH_SPARK
def test_clickhouse_reads_what_was_made(
    spark: SparkSession, node: EmbeddedNode, server: Server
) -> None:
    data_set = DataSet(4000, seed=5, skew=0.5, wide=True, rows_per_file=700)
    folder = node.folder / "user_files" / node.database
    write_to_folder(spark, data_set, folder)
    read = query(
        server,
        "SELECT id, key, amount, price, name, at, day, flag, long_number, bytes, text, items, "
        "toInt32(year) AS year, toInt32(month) AS month FROM "
        f"file('{folder}/**/*.parquet', Parquet)",
    )
    expected = generated(spark, data_set)
    difference = oracle.compare(expected, read, key=["id"])
    assert difference is None, str(difference)
    other = oracle.compare(generated(spark, DataSet(4000, seed=6, wide=True)), read, key=["id"])
    assert other is not None and other.differing >= 20


@WITH_SPARK
def test_nothing_is_left_of_a_data_set_that_cannot_be_written(
    spark: SparkSession, tmp_path: Path
) -> None:
    data_set = DataSet(1000, rows_per_file=100)
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(PipelineError, match="cannot be written"):
        write_to_folder(spark, data_set, blocked / "below")
    assert list(tmp_path.iterdir()) == [blocked]
