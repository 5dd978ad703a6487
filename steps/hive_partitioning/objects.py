"""Hive-partitioned objects: a folder of the store for the running scenario, and a node that knows the store
by named collections, so that no key appears in a statement."""

from __future__ import annotations

import io
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from helpers.cluster.client.failures import Unavailable
from helpers.cluster.client.interception import action
from helpers.cluster.object_store import ADMIN, NO_ACCESS, READ_ONLY, ObjectStore, policy
from helpers.scenario.context import this
from steps.store_folder import StoreFolder, unused_name

BUCKET = "hive"
NODE = "lake"
AT_ONCE = 4
COLLECTION, READ_ONLY_COLLECTION, NO_ACCESS_COLLECTION = "lake", "lake_read_only", "lake_no_access"
IDENTITIES = {  # 3 variants
    COLLECTION: ADMIN,
    READ_ONLY_COLLECTION: READ_ONLY,
    NO_ACCESS_COLLECTION: NO_ACCESS,
}


class Lake(StoreFolder):
    """A folder of hive-partitioned objects. Statements call a path by its `filename`: the named collections
    have the address of the bucket."""

    bucket_name = BUCKET

    def collection(self, name: str = COLLECTION) -> str:
        """What statements call a named collection; one of an identity that the store does not know blocks
        the scenario."""
        self.store.identities[IDENTITIES[name]]
        return this().cluster.own_name(name)

    @action
    def put(self, path: str, content: str | bytes) -> None:
        """An object, made without ClickHouse."""
        data = content.encode() if isinstance(content, str) else content
        self.store.client().put_object(
            self.bucket, self.filename(path), io.BytesIO(data), len(data)
        )

    def put_all(self, contents: Mapping[str, str]) -> None:
        """Objects by their paths; the store has to have all of them."""
        for path, content in contents.items():
            self.put(path, content)
        missing = set(contents) - set(self.paths())
        assert not missing, f"the fixture is wrong: the store has no {sorted(missing)}"

    @action
    def put_folder(self, path: str, folder: Path, pattern: str) -> None:
        """The files of a folder whose names match, as objects below a path, several at a time."""
        client = self.store.client()

        def put(file: Path) -> None:
            key = self.filename(f"{path}/{file.relative_to(folder)}")
            client.put_object(self.bucket, key, io.BytesIO(file.read_bytes()), file.stat().st_size)

        with ThreadPoolExecutor(AT_ONCE) as threads:
            list(threads.map(put, folder.rglob(pattern)))

    def copy_to(self, folder: Path, path: str) -> None:
        """The objects below a path as files of a folder, several at a time."""
        client = self.store.client()

        def copy(key: str) -> None:
            file = folder / key.removeprefix(f"{path}/")
            file.parent.mkdir(parents=True, exist_ok=True)
            with client.get_object(self.bucket, self.filename(key)) as answer:
                file.write_bytes(answer.read())

        with ThreadPoolExecutor(AT_ONCE) as threads:
            list(threads.map(copy, self.paths(f"{path}/")))

    def publish(self) -> None:
        """Everybody may get the objects of this folder, without a key: the engine URL has none."""
        self.store.set_policy(
            self.bucket, policy("Allow", "s3:GetObject", self.bucket, f"{self.folder}/")
        )

    def content(self, path: str) -> bytes:
        """What an object holds, read without ClickHouse."""
        with self.store.client().get_object(self.bucket, self.filename(path)) as answer:
            return bytes(answer.read())


def new_lake(
    name: str = NODE,
    users: Mapping[str, str] | None = None,
    objects: Mapping[str, str] | None = None,
) -> Lake:
    """A folder with these objects, and a node that has named collections for it."""
    store = this().cluster.object_store()
    store.make_bucket(store.bucket(BUCKET))
    node = this().node(name, collections=collections(store), users=users)
    lake = Lake(node, store, unused_name())
    lake.put_all(objects or {})
    return lake


def collections(store: ObjectStore, address: str = "") -> dict[str, dict[str, str]]:
    """The bucket as each identity of the store sees it, as named collections; by another address where
    something stands before the store."""
    known = {}
    for name, identity in IDENTITIES.items():
        with suppress(Unavailable):  # a store of somebody else does not know all of them
            who = store.identities[identity]
            known[this().cluster.own_name(name)] = {
                "url": f"{address or store.url}/{store.bucket(BUCKET)}/",
                "access_key_id": who.access_key,
                "secret_access_key": who.secret_key,
            }
    return known
