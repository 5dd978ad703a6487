"""The data source hive_parquet: layout, pruning, and writes that appear whole or not at all."""

from __future__ import annotations

import datetime
import itertools
import json
import threading
from contextlib import suppress
from dataclasses import replace
from threading import Timer
from types import SimpleNamespace
from typing import Any

import minio
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql.types import LongType, StringType, StructField, StructType, YearMonthIntervalType

from helpers.cluster.object_store import READ_ONLY, ObjectStore
from pipelines.errors import PipelineError
from pipelines.hive_journal import Journal
from pipelines.hive_layout import NULL
from pipelines.hive_parquet import HiveParquetSource
from pipelines.hive_parquet_read import File
from pipelines.hive_where import parse_where
from pipelines.s3 import Place, Store, Upload

from .conftest import BUCKET
from .without_spark import read, write

DAY = datetime.date
ROWS = pa.table(
    {
        "n": pa.array(range(6), pa.int64()),
        "year": pa.array([2024, 2024, 2025, 2025, None, None], pa.int32()),
        "city": ["Köln", "a/b=c%", "Köln", "Köln", "Rom", "Rom"],
        "day": pa.array([DAY(2024, 1, 2)] * 6),
        "text": ["x", None, "", "ü", "y", "z"],
    }
)
BY = "year,city,day"


def source(store: Store, path: str, **options: str) -> HiveParquetSource:
    return HiveParquetSource({**store.options(), "path": path, **options})


def keys(object_store: ObjectStore, path: str) -> list[str]:
    return object_store.keys(BUCKET, Place.parse(path).prefix)


def rows(table: pa.Table) -> list[dict[str, Any]]:
    return sorted(table.to_pylist(), key=lambda row: row["n"])


@pytest.fixture
def written(store: Store, path: str) -> str:
    write(source(store, path, partition_by=BY), ROWS.slice(0, 3), ROWS.slice(3))
    return path


def test_rows_come_back_with_typed_folder_values(store: Store, written: str) -> None:
    held = read(source(store, written))
    assert held.schema.field("year").type == pa.int32()
    assert held.schema.field("day").type == pa.date32()
    assert rows(held.select(ROWS.column_names)) == rows(ROWS)


def test_folders_are_named_as_hive_names_them(
    object_store: ObjectStore, store: Store, written: str
) -> None:
    prefix = Place.parse(written).prefix
    folders = {key[len(prefix) :].rpartition("/")[0] for key in keys(object_store, written)}
    assert folders == {
        "",
        "year=2024/city=Köln/day=2024-01-02",
        "year=2024/city=a%2Fb%3Dc%25/day=2024-01-02",
        "year=2025/city=Köln/day=2024-01-02",
        f"year={NULL}/city=Rom/day=2024-01-02",
    }
    marker = object_store.client().get_object(BUCKET, f"{prefix}_SUCCESS").read()
    listed = json.loads(marker)["files"]
    assert sorted([*listed, f"{prefix}_SUCCESS"]) == keys(object_store, written)


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


def test_overwriting_removes_what_was_there(
    object_store: ObjectStore, store: Store, written: str
) -> None:
    write(source(store, written, partition_by="year"), ROWS.slice(0, 1), overwrite=True)
    assert read(source(store, written)).column("n").to_pylist() == [0]
    assert len(keys(object_store, written)) == 2


def test_large_files_go_up_in_several_parts(store: Store, path: str) -> None:
    count = 2_500_000
    numbers = pa.array(range(0, count * 7919, 7919), pa.int64())
    write(source(store, path, compression="none"), pa.table({"n": numbers}))
    assert (
        read(source(store, path))
        .column("n")
        .combine_chunks()
        .equals(pa.chunked_array([numbers]).combine_chunks())
    )


def nothing_is_left(object_store: ObjectStore, store: Store, path: str) -> None:
    assert keys(object_store, path) == []
    assert store.uploads(Place.parse(path)) == []


def test_a_failed_task_leaves_nothing(object_store: ObjectStore, store: Store, path: str) -> None:
    bad = pa.table({"n": [9], "k": [""]})
    good = pa.table({"n": [1], "k": ["a"]})
    with pytest.raises(
        PipelineError, match="Column k holds '', which as a folder's name means NULL"
    ):
        write(source(store, path, partition_by="k"), good, bad)
    nothing_is_left(object_store, store, path)


def test_a_text_that_would_be_read_as_null_is_not_written(
    object_store: ObjectStore, store: Store, path: str
) -> None:
    with pytest.raises(PipelineError, match=f"Column k holds '{NULL}', which .* means NULL"):
        write(source(store, path, partition_by="k"), pa.table({"n": [9], "k": [NULL]}))
    nothing_is_left(object_store, store, path)


def test_a_failed_commit_leaves_nothing(object_store: ObjectStore, store: Store, path: str) -> None:
    asked = source(store, path, partition_by="k")
    tasks = [pa.table({"n": [1], "k": [name]}) for name in "ab"]
    writer = asked.writer(read_schema(tasks[0]), False)
    messages = [writer.write(iter(one.to_batches())) for one in tasks]
    assert keys(object_store, path) == []
    assert len(store.uploads(Place.parse(path))) == 2
    # Somebody takes the name of one file: the other one must not stay.
    key = messages[1].files[0].key
    store.put(BUCKET, key, b"mine")
    with pytest.raises(PipelineError, match="PreconditionFailed"):
        writer.commit(messages)
    with pytest.raises(PipelineError, match="no Parquet files"):
        read(source(store, path))
    writer.abort(messages)
    assert [one for one in keys(object_store, path) if one != key] == []
    assert store.uploads(Place.parse(path)) == []


def read_schema(table: pa.Table) -> Any:
    from pipelines.arrow import spark_schema

    return spark_schema(table.schema, "rows")


def test_uploads_of_attempts_that_died_are_swept(
    object_store: ObjectStore, store: Store, path: str
) -> None:
    writer = source(store, path).writer(read_schema(ROWS), False)
    prefix = Place.parse(path).prefix
    Upload(store, BUCKET, f"{prefix}part-00000-0-{writer.job}.parquet")
    message = writer.write(iter(ROWS.to_batches()))
    assert len(store.uploads(Place.parse(path))) == 2
    writer.commit([message])
    assert store.uploads(Place.parse(path)) == []
    assert read(source(store, path)).num_rows == ROWS.num_rows


def test_the_uploads_of_another_write_are_left_alone(store: Store, path: str) -> None:
    first, second = (source(store, path).writer(read_schema(ROWS), False) for _ in "ab")
    done = first.write(iter(ROWS.to_batches()))
    second.commit([second.write(iter(ROWS.to_batches()))])
    second.abort([])  # which leaves alone what counts, and what is not its own
    first.commit([done])
    assert read(source(store, path)).num_rows == 2 * ROWS.num_rows


def test_a_failure_that_s3_tells_late_is_a_failure(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may answer 200 before it knows."""
    pending = Upload(store, BUCKET, f"{Place.parse(path).prefix}x").finish()
    late = SimpleNamespace(data=b"<?xml version='1.0'?><Error><Code>InternalError</Code></Error>")
    with monkeypatch.context() as patch:
        patch.setattr(minio.Minio, "_execute", lambda *_, **__: late)
        with pytest.raises(PipelineError, match=r"Completing s3://.*InternalError"):
            store.complete(pending)
    store.abandon(pending)


def test_a_task_that_outlives_a_failed_write_leaves_nothing_either(store: Store, path: str) -> None:
    writer = source(store, path).writer(read_schema(ROWS), False)

    def straggle() -> None:
        with suppress(PipelineError):  # swept away under its hands
            writer.write(iter(ROWS.to_batches()))

    straggler = Timer(0.7, straggle)
    straggler.start()
    writer.abort([None, None])
    straggler.join()
    assert store.uploads(Place.parse(path)) == []


def test_a_store_that_dies_during_a_write_is_one_line(
    object_store: ObjectStore, store: Store, path: str
) -> None:
    writer = source(store, path).writer(read_schema(ROWS), False)
    message = writer.write(iter(ROWS.to_batches()))
    object_store.kill()
    with pytest.raises(PipelineError, match="the store does not answer"):
        writer.commit([message])
    object_store.start()
    writer.abort([message])
    nothing_is_left(object_store, store, path)


OLD = pa.table({"n": [100, 101], "k": ["x", "y"]})
# The request of a commit at which the store dies, whether it overwrites, and what is read then.
DEATHS = {
    "some files": ("POST", 3, False, [100, 101]),
    "marker": ("PUT", 1, False, [100, 101]),
    "last request": ("DELETE", 0, False, [100, 101]),
    "some files, overwriting": ("POST", 3, True, [100, 101]),
    "some old files": ("DELETE", 1, True, [0, 1, 2, 3, 4, 5]),
    "marker, overwriting": ("PUT", 2, True, [0, 1, 2, 3, 4, 5]),
}


@pytest.mark.parametrize(("method", "after", "overwrite", "seen"), DEATHS.values(), ids=DEATHS)
def test_a_store_that_dies_during_a_commit_leaves_all_or_nothing(
    object_store: ObjectStore,
    store: Store,
    path: str,
    monkeypatch: pytest.MonkeyPatch,
    method: str,
    after: int,
    overwrite: bool,
    seen: list[int],
) -> None:
    asked = source(store, path, partition_by="k")
    write(asked, OLD)
    tasks = [pa.table({"n": [number], "k": [str(number)]}) for number in range(6)]
    writer = asked.writer(read_schema(tasks[0]), overwrite)
    messages = [writer.write(iter(one.to_batches())) for one in tasks]
    done = itertools.count()
    execute, one_by_one = minio.Minio._execute, threading.Lock()

    def until_it_dies(self: minio.Minio, asked: str, *rest: Any, **more: Any) -> Any:
        with one_by_one:
            if asked == method and next(done) == after:
                object_store.kill()
            return execute(self, asked, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(minio.Minio, "_execute", until_it_dies)
        patch.setattr("pipelines.s3.RETRIES", 0)
        with pytest.raises(PipelineError, match="the store does not answer") as caught:
            writer.commit(messages)
        with pytest.raises(PipelineError, match="the store does not answer"):
            writer.abort(messages)
    assert "\n" not in str(caught.value) and store.secret_key not in str(caught.value)
    object_store.start()
    assert sorted(read(asked).column("n").to_pylist()) == seen
    # Whoever writes again finds no obstacle, and leaves nothing of all that.
    write(asked, ROWS.select(["n", "city"]).rename_columns(["n", "k"]).slice(0, 1), overwrite=True)
    assert read(asked).column("n").to_pylist() == [0]
    assert len(keys(object_store, path)) == 2


def test_a_commit_that_fails_is_undone_where_it_can_be(
    object_store: ObjectStore, store: Store, path: str
) -> None:
    write(source(store, path, partition_by="k"), OLD)
    before = keys(object_store, path)
    prefix = Place.parse(path).prefix
    object_store.deny(BUCKET, f"{prefix}_SUCCESS")
    try:
        with pytest.raises(PipelineError, match=r"_SUCCESS at .* were refused"):
            write(source(store, path, partition_by="k"), OLD)
    finally:
        object_store.set_policy(BUCKET, None)
    assert keys(object_store, path) == before
    assert store.uploads(Place.parse(path)) == []


def test_uploads_are_found_page_by_page_under_their_own_names(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.s3.PAGE", 2)
    place = Place.parse(path)
    made = sorted(f"{place.prefix}k=a%2Fb ü+&/{number}" for number in range(5))
    for key in made:
        Upload(store, BUCKET, key)
    Upload(store, BUCKET, "elsewhere/x")
    left = store.uploads(place)
    assert sorted(one.key for one in left) == made
    for one in left:
        store.abandon(one)
    assert store.uploads(place) == []
    for one in store.uploads(Place.parse(f"s3://{BUCKET}/elsewhere")):
        store.abandon(one)


def test_an_upload_sends_parts_of_one_size_and_may_be_empty(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = Place.parse(path).prefix
    monkeypatch.setattr("pipelines.s3.PART", 5 * 2**20)  # the least that S3 takes
    content = bytes(range(256)) * (11 * 2**12)
    for name, pieces, parts in (("large", [content[:7], content[7:]], 3), ("empty", [], 1)):
        upload = Upload(store, BUCKET, f"{prefix}{name}")
        for piece in pieces:
            upload.write(piece)
        pending = upload.finish()
        assert len(pending.tags) == parts
        store.complete(pending)
        assert store.get(BUCKET, f"{prefix}{name}") == b"".join(pieces)
    assert store.get(BUCKET, f"{prefix}missing") is None


def test_places_and_options_are_taken_as_they_are_meant() -> None:
    assert (
        str(Place.parse("s3a://lake/a/b/")) == str(Place.parse("s3://lake/a/b")) == "s3://lake/a/b/"
    )
    assert str(Place.parse("s3://lake")) == "s3://lake/"
    store = Store("http://x:1", "who", "secret", "eu-1", "/ca.pem")
    assert Store(**store.options()) == store == source(store, "s3://lake").store
    assert "secret" not in repr(store)


def put(store: Store, path: str, name: str, **columns: pa.Array) -> None:
    sink = pa.BufferOutputStream()
    pq.write_table(pa.table(columns), sink)
    store.put(BUCKET, f"{Place.parse(path).prefix}{name}", sink.getvalue().to_pybytes())


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
    batches = [batch for one in reader.partitions() for batch in reader.read(one)]
    assert [n for batch in batches for n in batch.column("v").to_pylist()] == [1, 2]
    put(store, path, "b.parquet", w=pa.array([3]))
    with pytest.raises(PipelineError, match=r"b\.parquet has no column v"):
        read(source(store, path))


@pytest.mark.parametrize(
    ("folder", "types", "found"),
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
    store: Store, path: str, folder: str, types: str, found: object
) -> None:
    put(store, path, f"{folder}/a.parquet", v=pa.array([1]))
    asked = source(store, path, partition_types=types)
    if isinstance(found, str) and " " in found:
        with pytest.raises(PipelineError) as caught:
            read(asked)
        assert found in str(caught.value)
    else:
        assert read(asked).to_pylist() == [{"v": 1, folder.partition("=")[0]: found}]


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
        shares = [[file.key for file in one.files] for one in reader.partitions()]
        assert list(itertools.chain(*shares)) == [file.key for file in reader.files]
        return [len(one) for one in shares]

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


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"partition_by": "q"}, "There is no column q to name folders after"),
        ({"partition_by": "x"}, "Column x of type double cannot name folders"),
        ({"partition_by": "k,x"}, "Column x of type double"),
        ({"compression": "best"}, "'compression' is one of zstd, snappy"),
    ],
    ids=str,
)
def test_what_cannot_be_written_is_refused_before_it_is(
    object_store: ObjectStore, store: Store, path: str, options: dict[str, str], words: str
) -> None:
    with pytest.raises(PipelineError) as caught:
        write(source(store, path, **options), pa.table({"k": [1], "x": [1.5]}))
    assert words in str(caught.value)
    with pytest.raises(PipelineError, match="All columns name folders"):
        write(source(store, path, partition_by="k"), pa.table({"k": [1]}))
    months = StructType([StructField("n", LongType()), StructField("m", YearMonthIntervalType())])
    with pytest.raises(PipelineError, match=r"^Column m of type interval .* Parquet file: cast it"):
        source(store, path).writer(months, False)
    nothing_is_left(object_store, store, path)


def test_who_may_only_read_cannot_write(object_store: ObjectStore, path: str) -> None:
    identity = object_store.identities[READ_ONLY]
    store = Store(object_store.url, identity.access_key, identity.secret_key)
    with pytest.raises(PipelineError, match=r"credentials of 'readonly-\w+' were refused"):
        write(source(store, path), ROWS)


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
