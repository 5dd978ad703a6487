"""The key-exact store: names come back as they are, parts of objects, and what is not there."""

from __future__ import annotations

import http.client
import urllib.parse
from collections.abc import Iterator

import pytest

from helpers.faults.exact_store import ExactStore
from helpers.faults.s3_proxy import RequestKind

NAMES = ("k=a\\b/x", "k={a,b}/x", "k=é?*&<", "other/x")


def ask(store: ExactStore, path: str, headers: dict[str, str] | None = None) -> tuple[int, bytes]:
    address = urllib.parse.urlsplit(store.url).netloc
    connection = http.client.HTTPConnection(address, timeout=10)
    try:
        connection.request("GET", path, headers=headers or {})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


@pytest.fixture
def store() -> Iterator[ExactStore]:
    with ExactStore(near="http://127.0.0.1:1") as store:
        store.objects.update({f"bucket/{name}": name.encode() for name in NAMES})
        yield store


def test_names_are_listed_and_read_as_they_are(store: ExactStore) -> None:
    status, listed = ask(store, "/bucket?list-type=2&prefix=k%3D")
    assert status == 200
    assert "<Key>k=a\\b/x</Key>" in listed.decode() and "k=é?*&amp;&lt;" in listed.decode()
    assert b"other" not in listed and b"<KeyCount>3<" in listed
    for name in NAMES:
        path = f"/bucket/{urllib.parse.quote(name)}"
        assert ask(store, path) == (200, name.encode())
        assert (
            store.requests[-1].kind == RequestKind.GET
            and store.requests[-1].key == f"bucket/{name}"
        )


def test_a_backslash_is_no_slash(store: ExactStore) -> None:
    assert ask(store, "/bucket/k%3Da/b/x")[0] == 404


def test_a_part_of_an_object(store: ExactStore) -> None:
    assert ask(store, "/bucket/other/x", {"Range": "bytes=1-2"}) == (206, b"th")
    assert ask(store, "/bucket/other/x", {"Range": "bytes=5-"}) == (206, b"/x")
