"""Reading hive-partitioned Parquet on S3: which files count, and what their rows are."""

from __future__ import annotations

import itertools
from dataclasses import replace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql.types import StringType

from helpers.cluster.object_store import ObjectStore
from pipelines.errors import PipelineError
from pipelines.hive.journal import Journal
from pipelines.hive.read import File
from pipelines.hive.where import parse_where
from pipelines.s3.store import Place, Store
from tests.pipelines.hive.source import BUCKET, ROWS, keys, put, read_schema, rows, source
from tests.pipelines.without_spark import read, write


def test_rows_come_back_with_typed_folder_values(store: Store, written: str) -> None:
    held = read(source(store, written))
    assert held.schema.field("year").type == pa.int32()
    assert held.schema.field("day").type == pa.date32()
    assert rows(held.select(ROWS.column_names)) == rows(ROWS)


@pytest.mark.parametrize(
    ("where", "kept"),
    [
        ("year = 2025", [2, 3]),
        ("year != 2025", [0, 1]),
        ("year > 2024", [2, 3]),
        ("year >= 2025", [2, 3]),
        ("year <= 2024", [0, 1]),
        ("city = 'it''s'", []),
        ("day >= '2024-01-03'", []),
        ("year<2025 and day <= 2024-01-02", [0, 1]),
        ("`city` = 'a/b=c%'", [1]),
        ("year IS NULL", [4, 5]),
        ("year is not null AND city = 'Köln'", [0, 2, 3]),
        ("", [0, 1, 2, 3, 4, 5]),
    ],
)
def test_files_of_other_folders_are_not_opened(
    object_store: ObjectStore, store: Store, written: str, where: str, kept: list[int]
) -> None:
    # Whatever the condition leaves out is destroyed: reading it would be an error.
    asked = source(store, written, where=where)
    reader = asked.reader(asked.schema())
    left = {file.key for file in reader.files}
    for key in keys(object_store, written):
        if key.endswith(".parquet") and key not in left:
            store.put(BUCKET, key, b"broken")
    batches = [batch for part in reader.partitions() for batch in reader.read(part)]
    assert sorted(n for batch in batches for n in batch.column("n").to_pylist()) == kept


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("n = 1", "No folders are named after n: folder columns are year, city, day"),
        ("year = 2024 OR year = 2025", "cannot be understood from 'year = 2024 OR year = 2025' on"),
        ("year = 2024 AND", "cannot be understood from '' on"),
        ("year = Rome", "year=Rome is no int"),
    ],
)
def test_a_condition_that_is_none_is_refused(
    store: Store, written: str, where: str, words: str
) -> None:
    with pytest.raises(PipelineError) as caught:
        read(source(store, written, where=where))
    assert words in str(caught.value)


def test_types_of_folders_can_be_given(store: Store, path: str) -> None:
    write(source(store, path, partition_by="k"), pa.table({"k": ["007", "8"], "n": [1, 2]}))
    assert [row["k"] for row in rows(read(source(store, path)))] == ["007", "8"]
    typed = read(source(store, path, partition_types="k bigint"))
    assert [row["k"] for row in rows(typed)] == [7, 8]
    with pytest.raises(PipelineError, match="folder k=007 is no date"):
        read(source(store, path, partition_types="k date"))


def test_places_and_options_are_taken_as_they_are_meant() -> None:
    assert (
        str(Place.parse("s3a://lake/a/b/")) == str(Place.parse("s3://lake/a/b")) == "s3://lake/a/b/"
    )
    assert str(Place.parse("s3://lake")) == "s3://lake/"
    store = Store("http://x:1", "who", "secret", "eu-1", "/ca.pem")
    assert Store(**store.options()) == store == source(store, "s3://lake").store
    assert "secret" not in repr(store)


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (pa.array([1.5], pa.float32()), pa.array([0.1]), "is double, and float in the data set"),
        (pa.array([5]), pa.array(["007"]), "is string, and bigint in the data set"),
        (pa.array([5], pa.int32()), pa.array([6]), "is bigint, and int in the data set"),
        (pa.array([5]), pa.array([6], pa.int32()), ""),
    ],
    ids=str,
)
def test_files_of_several_types_are_refused_unless_all_is_kept(
    store: Store, path: str, first: pa.Array, second: pa.Array, words: str
) -> None:
    put(store, path, "a.parquet", v=first)
    put(store, path, "b.parquet", v=second)
    if not words:
        assert read(source(store, path)).column("v").to_pylist() == [5, 6]
        return
    with pytest.raises(PipelineError, match=rf"^Column v of s3://.*b\.parquet {words}"):
        read(source(store, path))


def test_a_column_that_only_some_files_have_is_not_lost(store: Store, path: str) -> None:
    put(store, path, "a.parquet", v=pa.array([1]))
    put(store, path, "b.parquet", v=pa.array([2]), w=pa.array([3]))
    asked = source(store, path)
    with pytest.raises(PipelineError, match=r"b\.parquet has a column w that the first file lacks"):
        read(asked)
    chosen = source(store, path)  # a schema of the caller's own says what to read
    reader = chosen.reader(read_schema(pa.table({"v": [1]})))
    batches = [batch for partition in reader.partitions() for batch in reader.read(partition)]
    assert [n for batch in batches for n in batch.column("v").to_pylist()] == [1, 2]
    put(store, path, "b.parquet", w=pa.array([3]))
    with pytest.raises(PipelineError, match=r"b\.parquet has no column v"):
        read(source(store, path))


@pytest.mark.parametrize(
    ("folder", "types", "value"),
    [
        ("k=1٣", "", "1٣"),
        ("k=1_000", "k bigint", "k=1_000 is no bigint"),
        ("k=1٣", "k bigint", "k=1٣ is no bigint"),
        ("k=300", "k tinyint", "k=300 is no tinyint"),
        ("k=-128", "k tinyint", -128),
        ("k=-129", "k tinyint", "k=-129 is no tinyint"),
        ("k=9223372036854775807", "", "9223372036854775807"),
        ("k=9223372036854775807", "k bigint", 2**63 - 1),
        ("k=%FF", "", "a folder whose name is not UTF-8: '%FF'"),
        ("k=2024-02-30", "", "2024-02-30"),
        ("k=20240203", "", 20240203),
        ("k=-5", "", -5),
        ("k=-0", "", "-0"),
        ("k=TRUE", "k boolean", True),
        ("k=1", "k boolean", "k=1 is no boolean"),
        ("_k=1", "", 1),
        (".k=1", "", 1),
        ("k=_1", "", "_1"),
    ],
)
def test_folder_values_are_what_they_say(
    store: Store, path: str, folder: str, types: str, value: object
) -> None:
    put(store, path, f"{folder}/a.parquet", v=pa.array([1]))
    asked = source(store, path, partition_types=types)
    if isinstance(value, str) and " " in value:
        with pytest.raises(PipelineError) as caught:
            read(asked)
        assert value in str(caught.value)
    else:
        assert read(asked).to_pylist() == [{"v": 1, folder.partition("=")[0]: value}]


def test_what_a_condition_compares_with_may_have_quotes_in_it() -> None:
    wanted = parse_where(
        "city = 'it''s' AND `a b` != ''", {"city": StringType(), "a b": StringType()}
    )
    assert wanted({"city": "it's", "a b": "x"}) and not wanted({"city": "it''s", "a b": "x"})
    assert not wanted({"city": "it's", "a b": None})


def test_a_journal_that_goes_while_it_is_looked_for_is_looked_for_again(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(store, path, "a.parquet", v=pa.array([1]))
    place = Place.parse(path)
    journal = Journal(store, place, "x")
    journal.hide([f"{place.prefix}a.parquet"])
    with pytest.raises(PipelineError, match="no Parquet files"):
        read(source(store, path))
    get = Store.get

    def too_late(self: Store, bucket: str, key: str) -> bytes | None:
        journal.remove()
        return get(self, bucket, key)

    monkeypatch.setattr(Store, "get", too_late)
    assert read(source(store, path)).column("v").to_pylist() == [1]


def test_small_files_share_a_task_and_large_ones_do_not(store: Store, path: str) -> None:
    put(store, path, "a.parquet", v=pa.array([1]))
    asked = source(store, path)
    reader = asked.reader(asked.schema())

    def tasks(*megabytes: int) -> list[int]:
        reader.files = [File(str(at), size * 2**20, {}) for at, size in enumerate(megabytes)]
        shares = [[file.key for file in partition.files] for partition in reader.partitions()]
        assert list(itertools.chain(*shares)) == [file.key for file in reader.files]
        return [len(share) for share in shares]

    assert tasks() == []
    assert tasks(1) == [1]
    assert tasks(*[1] * 10) == [4, 4, 2]
    assert tasks(5, 5, 1, 1, 5) == [1, 1, 3]
    assert tasks(*[100] * 3) == [1, 1, 1]
    assert tasks(*[32] * 64) == [2] * 32


def test_names_that_start_like_notes_are_no_data(store: Store, path: str) -> None:
    put(store, path, "k=1/a.parquet", v=pa.array([1]))
    for name in ("k=1/_b.parquet", "k=1/.c.parquet", "_temporary/k=1/d.parquet", "k=1/e.txt"):
        store.put(BUCKET, f"{Place.parse(path).prefix}{name}", b"no Parquet")
    assert read(source(store, path)).num_rows == 1


def test_unusable_stores_and_data_sets_are_one_line(
    object_store: ObjectStore, store: Store, path: str
) -> None:
    def error(asked: Store = store, where: str = path, **options: str) -> str:
        with pytest.raises(PipelineError) as caught:
            read(source(asked, where, **options))
        assert "\n" not in str(caught.value)
        return str(caught.value)

    assert "no Parquet files below" in error()
    assert "NoSuchBucket" in error(where="s3://nowhere/x")
    assert "invalid bucket name a" in error(where="s3://a/x")
    for endpoint in ("http://127.0.0.1:1/path", "http://127.0.0.1:x", "127.0.0.1:1"):
        words = f"An S3 store is http://host:port, not '{endpoint}'"
        assert words in error(replace(store, endpoint=endpoint))
    assert "were refused" in error(replace(store, secret_key="wrong"))
    assert "does not answer" in error(replace(store, endpoint="http://127.0.0.1:1"))
    assert "is s3://bucket/prefix, not 'hdfs://x/y'" in error(where="hdfs://x/y")
    assert "Did you mean 'partition_by'?" in error(partitionby="k")
    prefix = Place.parse(path).prefix
    store.put(BUCKET, f"{prefix}k=1/x.parquet", b"no Parquet")
    assert "cannot be read as Parquet" in error()
    store.put(BUCKET, f"{prefix}x.parquet", b"no Parquet")
    assert "mixes folder layouts" in error()
    store.put(BUCKET, f"{prefix}_writing-x", b"{}")
    assert "should name the files of an unfinished write" in error()


def test_files_of_others_are_read_by_their_own_types(store: Store, path: str) -> None:
    table = pa.table(
        {
            "u": pa.array([2**64 - 1], pa.uint64()),
            "t": pa.array([1], pa.timestamp("us")),
            "d": pa.array(["x"]).dictionary_encode(),
        }
    )
    sink = pa.BufferOutputStream()
    pq.write_table(table, sink)
    store.put(BUCKET, f"{Place.parse(path).prefix}a.parquet", sink.getvalue().to_pybytes())
    asked = source(store, path)
    types = [field.dataType.simpleString() for field in asked.schema()]
    assert types == ["decimal(20,0)", "timestamp_ntz", "string"]
    assert int(read(asked).column("u")[0].as_py()) == 2**64 - 1
