"""An S3 store, whatever environment it lives in."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from helpers.cluster.client.interception import action
from helpers.cluster.service import Service

if TYPE_CHECKING:
    from minio import Minio

    from pipelines.s3.store import Store

ADMIN = "admin"
READ_ONLY = "readonly"
NO_ACCESS = "noaccess"


@dataclass(frozen=True)
class Identity:
    """A key that the store knows."""

    name: str
    access_key: str
    secret_key: str


def no_answer() -> tuple[type[Exception], ...]:
    """The exceptions of a client whose store does not answer as it should."""
    from minio.error import MinioException  # takes long to import
    from urllib3.exceptions import HTTPError

    return (MinioException, HTTPError, OSError)


class ObjectStore(Service):
    """A store with three identities: admin, read-only and one that may do nothing."""

    url: str
    identities: Mapping[str, Identity]
    certificate: Path | None = None
    bucket_prefix: str = ""
    """What names of our buckets start with, where the store is shared with others."""

    def bucket(self, name: str) -> str:
        """The name in the store of a bucket that scenarios know by this name."""
        return f"{self.bucket_prefix}{name}"

    def client(self, identity: str = ADMIN) -> Minio:
        """A client that acts as this identity and fails fast."""
        return self.store(identity).client(connect=2, read=30, retries=0)

    def store(self, identity: str = ADMIN) -> Store:
        """The store as the pipelines see it when they act as this identity."""
        # Its client takes long to import, and few scenarios have a store.
        from pipelines.s3.store import Store

        who = self.identities[identity]
        certificate = str(self.certificate or "")
        return Store(self.url, who.access_key, who.secret_key, certificate=certificate)

    def keys_to_show(self) -> Identity:
        """The keys of the administrator, for statements, which are in the results for everybody to read."""
        return self.identities[ADMIN]

    def make_bucket(self, bucket: str) -> None:
        client = self.client()
        if not client.bucket_exists(bucket):
            client.make_bucket(bucket)

    def keys(self, bucket: str, prefix: str = "") -> list[str]:
        """The names of all objects below a prefix, sorted."""
        listed = self.client().list_objects(bucket, prefix=prefix, recursive=True)
        return sorted(str(entry.object_name) for entry in listed)

    @action
    def deny(self, bucket: str, prefix: str) -> None:
        """Refuse writing below a prefix to everybody, by a bucket policy."""
        self.set_policy(bucket, policy("Deny", "s3:PutObject", bucket, prefix))

    @action
    def set_policy(self, bucket: str, policy: Mapping[str, Any] | None) -> None:
        """The bucket's policy; None takes it away."""
        if policy is None:
            self.client().delete_bucket_policy(bucket)
        else:
            self.client().set_bucket_policy(bucket, json.dumps(policy))


def policy(effect: str, action: str, bucket: str, prefix: str) -> dict[str, Any]:
    """A policy of a bucket: everybody is allowed or denied an action below a prefix."""
    resource = f"arn:aws:s3:::{bucket}/{prefix}*"
    rule = {"Effect": effect, "Principal": "*", "Action": [action], "Resource": [resource]}
    return {"Version": "2012-10-17", "Statement": [rule]}
