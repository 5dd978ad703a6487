"""Hive-partitioned objects: a folder of the store for the running scenario, and a node that knows the store
by named collections, so that no key appears in a statement."""

from __future__ import annotations

import io
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from xml.sax.saxutils import escape

from helpers.cluster.node import Node
from helpers.cluster.object_store import ADMIN, NO_ACCESS, READ_ONLY, ObjectStore
from helpers.context import this
from helpers.interception import action

BUCKET = "hive"
NODE = "lake"
COLLECTION, READ_ONLY_COLLECTION, NO_ACCESS_COLLECTION = "lake", "lake_read_only", "lake_no_access"
IDENTITIES = {
    COLLECTION: ADMIN,
    READ_ONLY_COLLECTION: READ_ONLY,
    NO_ACCESS_COLLECTION: NO_ACCESS,
}


@dataclass(frozen=True)
class Lake:
    """A folder of the bucket that nothing else uses, and the node that reads and writes there.

    Paths are below the folder. `filename` is what a statement calls a path: the named collections have
    the address of the bucket.
    """

    node: Node
    store: ObjectStore
    folder: str

    def filename(self, path: str) -> str:
        return f"{self.folder}/{path}"

    def url(self, path: str, address: str = "") -> str:
        """The whole address of a path, in the store or in what stands before it."""
        return f"{address or self.store.url}/{BUCKET}/{self.filename(path)}"

    @action
    def put(self, path: str, content: str | bytes) -> None:
        """An object, made without ClickHouse."""
        data = content.encode() if isinstance(content, str) else content
        self.store.client().put_object(BUCKET, self.filename(path), io.BytesIO(data), len(data))

    def put_all(self, contents: Mapping[str, str]) -> None:
        """Objects by their paths; the store has to have all of them."""
        for path, content in contents.items():
            self.put(path, content)
        missing = set(contents) - set(self.paths())
        assert not missing, f"the fixture is wrong: the store has no {sorted(missing)}"

    def paths(self, prefix: str = "") -> list[str]:
        """All objects of the folder whose paths begin like this, sorted."""
        keys = self.store.keys(BUCKET, prefix=self.filename(prefix))
        return [key.removeprefix(f"{self.folder}/") for key in keys]

    def publish(self) -> None:
        """Everybody may get the objects of this folder, without a key: the engine URL has none."""
        self.store.set_policy(
            BUCKET,
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Allow",
                        "Principal": "*",
                        "Action": ["s3:GetObject"],
                        "Resource": [f"arn:aws:s3:::{BUCKET}/{self.folder}/*"],
                    }
                ],
            },
        )

    def content(self, path: str) -> bytes:
        """What an object holds, read without ClickHouse."""
        with self.store.client().get_object(BUCKET, self.filename(path)) as answer:
            return bytes(answer.read())


def new_lake(name: str = NODE, users: Mapping[str, str] | None = None) -> Lake:
    """An empty folder, whose name was never used before: what an earlier run left is not in it."""
    store = this().cluster.object_store()
    store.make_bucket(BUCKET)
    node = this().node(name, config={"lake": named_collections(store)}, users=users)
    return Lake(node, store, f"{this().database}-{secrets.token_hex(4)}")


def named_collections(store: ObjectStore, address: str = "") -> str:
    """The bucket as each identity of the store sees it, as a node's configuration; by another address
    where something stands before the store."""
    entries = "".join(
        f"<{name}><url>{escape(address or store.url)}/{BUCKET}/</url>"
        f"<access_key_id>{escape(store.identities[identity].access_key)}</access_key_id>"
        f"<secret_access_key>{escape(store.identities[identity].secret_key)}</secret_access_key>"
        f"</{name}>"
        for name, identity in IDENTITIES.items()
    )
    return f"<clickhouse><named_collections>{entries}</named_collections></clickhouse>"
