"""Writing hive-partitioned Parquet to S3: all of a data set or nothing."""

from __future__ import annotations

import itertools
import json
import threading
from types import SimpleNamespace
from typing import Any

import minio
import pyarrow as pa
import pytest
from pyspark.sql.types import LongType, StructField, StructType, YearMonthIntervalType

from helpers.cluster.object_store import READ_ONLY, ObjectStore
from pipelines.errors import PipelineError
from pipelines.hive.layout import NULL
from pipelines.s3.store import Place, Store
from pipelines.s3.upload import Upload
from tests.pipelines.hive.source import BUCKET, ROWS, keys, nothing_is_left, read_schema, source
from tests.pipelines.without_spark import abort_during_write, read, write


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
    messages = [writer.write(iter(task.to_batches())) for task in tasks]
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
    assert [name for name in keys(object_store, path) if name != key] == []
    assert store.uploads(Place.parse(path)) == []


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
    abort_during_write(writer, ROWS)
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
# Before and after the moment from which the new rows are read; the others run at night.
SOME_DEATHS = ("some files, overwriting", "some old files")


@pytest.mark.parametrize(
    ("method", "after", "overwrite", "seen"),
    [
        pytest.param(*death, id=name, marks=() if name in SOME_DEATHS else pytest.mark.nightly)
        for name, death in DEATHS.items()
    ],
)
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
    messages = [writer.write(iter(task.to_batches())) for task in tasks]
    done = itertools.count()
    execute, one_by_one = minio.Minio._execute, threading.Lock()

    def until_it_dies(self: minio.Minio, asked: str, *rest: Any, **more: Any) -> Any:
        with one_by_one:
            if asked == method and next(done) == after:
                object_store.kill()
            return execute(self, asked, *rest, **more)

    with monkeypatch.context() as patch:
        patch.setattr(minio.Minio, "_execute", until_it_dies)
        patch.setattr("pipelines.s3.store.RETRIES", 0)
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
    monkeypatch.setattr("pipelines.s3.store.PAGE", 2)
    place = Place.parse(path)
    made = sorted(f"{place.prefix}k=a%2Fb ü+&/{number}" for number in range(5))
    for key in made:
        Upload(store, BUCKET, key)
    Upload(store, BUCKET, "elsewhere/x")
    left = store.uploads(place)
    assert sorted(upload.key for upload in left) == made
    for upload in left:
        store.abandon(upload)
    assert store.uploads(place) == []
    for upload in store.uploads(Place.parse(f"s3://{BUCKET}/elsewhere")):
        store.abandon(upload)


def test_an_upload_sends_parts_of_one_size_and_may_be_empty(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prefix = Place.parse(path).prefix
    monkeypatch.setattr("pipelines.s3.upload.PART", 5 * 2**20)  # the least that S3 takes
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
