"""The store: places, names of folders, uploads, and errors of one line."""

from __future__ import annotations

from dataclasses import replace

import pytest

from helpers.cluster.object_store import READ_ONLY, ObjectStore
from pipelines.errors import PipelineError
from pipelines.s3.hive_folders import NULL, folder
from pipelines.s3.store import Place, Store
from tests.pipelines.conftest import BUCKET


def test_a_place_is_read_however_it_is_written() -> None:
    written = ("s3a://lake/a/b/", "s3://lake/a/b", "lake/a/b")
    assert {str(Place.parse(path)) for path in written} == {"s3://lake/a/b/"}
    assert str(Place.parse("s3://lake")) == "s3://lake/"


def test_folders_are_named_as_hive_names_them() -> None:
    names = ("year", "city", "a=b")
    assert folder(names, (2024, "Köln", "a/b=c%")) == "year=2024/city=Köln/a%3Db=a%2Fb%3Dc%25/"
    for text in ("", NULL):
        with pytest.raises(PipelineError, match=f"Column city holds '{text}'"):
            folder(["city"], [text])


def test_unusable_stores_are_one_line(object_store: ObjectStore, store: Store) -> None:
    def error(asked: Store = store, where: str = f"s3://{BUCKET}/x") -> str:
        with pytest.raises(PipelineError) as caught:
            asked.objects(Place.parse(where))
        assert "\n" not in str(caught.value) and store.secret_key not in str(caught.value)
        return str(caught.value)

    assert "NoSuchBucket" in error(where="s3://nowhere/x")
    assert "invalid bucket name a" in error(where="s3://a/x")
    assert "is s3://bucket/prefix, not 'hdfs://x/y'" in error(where="hdfs://x/y")
    for endpoint in ("http://127.0.0.1:1/path", "http://127.0.0.1:x", "127.0.0.1:1"):
        words = f"An S3 store is http://host:port, not '{endpoint}'"
        assert words in error(replace(store, endpoint=endpoint))
    assert "were refused" in error(replace(store, secret_key="wrong"))
    assert "does not answer" in error(replace(store, endpoint="http://127.0.0.1:1"))
    assert store.secret_key not in repr(store)
    who = object_store.identities[READ_ONLY]
    reader = replace(store, access_key=who.access_key, secret_key=who.secret_key)
    with pytest.raises(PipelineError, match=r"credentials of 'readonly-\w+' were refused"):
        reader.put(BUCKET, "x", b"")


def test_uploads_are_found_page_by_page_under_their_own_names(
    store: Store, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipelines.s3.store.PAGE", 2)
    place = Place.parse(path)
    made = sorted(f"{place.prefix}k=a%2Fb ü+&/{number}" for number in range(5))
    other = store.begin(BUCKET, "elsewhere/x")
    for key in made:
        store.begin(BUCKET, key)
    left = store.uploads(place)
    assert sorted(upload.key for upload in left) == made
    for upload in (*left, other, other):  # one that is gone already is no error
        store.abandon(upload)
    assert store.uploads(place) == store.uploads(Place.parse(f"s3://{BUCKET}/elsewhere")) == []


def test_an_upload_appears_when_it_is_completed(store: Store, path: str) -> None:
    key = f"{Place.parse(path).prefix}x"
    pending = store.begin(BUCKET, key)
    pieces = [bytes(5 * 2**20), b"end"]  # the least that S3 takes, and what is left
    tags = tuple(store.upload_part(pending, at, data) for at, data in enumerate(pieces, 1))
    assert store.get(BUCKET, key) is None
    store.complete(replace(pending, tags=tags))
    assert store.get(BUCKET, key) == b"".join(pieces)
