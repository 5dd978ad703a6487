"""A folder of the object store for the running scenario."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import ClassVar

from helpers.cluster.node import Node
from helpers.cluster.object_store import ObjectStore
from helpers.scenario.context import this


@dataclass(frozen=True)
class StoreFolder:
    """A folder of a bucket that nothing else uses, and the node that reads and writes there.

    Paths are below the folder; `filename` is what a path is called below the bucket.
    """

    bucket_name: ClassVar[str]
    node: Node
    store: ObjectStore
    folder: str

    @property
    def bucket(self) -> str:
        return self.store.bucket(self.bucket_name)

    def filename(self, path: str) -> str:
        return f"{self.folder}/{path}"

    def url(self, path: str, address: str = "") -> str:
        """The whole address of a path, in the store or in what stands before it."""
        return f"{address or self.store.url}/{self.bucket}/{self.filename(path)}"

    def paths(self, prefix: str = "") -> list[str]:
        """All objects of the folder whose paths begin like this, sorted."""
        keys = self.store.keys(self.bucket, prefix=self.filename(prefix))
        return [key.removeprefix(f"{self.folder}/") for key in keys]


def unused_name() -> str:
    """The name of a folder that was never used before: what an earlier run left is not in it."""
    return f"{this().word}-{secrets.token_hex(4)}"
