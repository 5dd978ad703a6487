"""An S3 store, whatever environment it lives in."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import minio
import urllib3

ADMIN = "admin"
READ_ONLY = "readonly"
NO_ACCESS = "noaccess"


@dataclass(frozen=True)
class Identity:
    """A key that the store knows."""

    name: str
    access_key: str
    secret_key: str


class ObjectStore(ABC):
    """A store with three identities: admin, read-only and one that may do nothing."""

    url: str
    identities: Mapping[str, Identity]
    certificate: Path | None = None

    @abstractmethod
    def start(self) -> None: ...

    @abstractmethod
    def kill(self) -> None:
        """End it with SIGKILL; what was acknowledged is still there after `start`."""

    @abstractmethod
    def freeze(self) -> None:
        """Let requests hang until `thaw`."""

    @abstractmethod
    def thaw(self) -> None: ...

    @property
    @abstractmethod
    def running(self) -> bool: ...

    def client(self, identity: str = ADMIN) -> minio.Minio:
        """A client that acts as this identity and fails fast."""
        who = self.identities[identity]
        secure = self.url.startswith("https://")
        http = urllib3.PoolManager(
            timeout=urllib3.Timeout(connect=2, read=30),
            retries=urllib3.Retry(total=0),
            ca_certs=str(self.certificate) if self.certificate else None,
        )
        return minio.Minio(
            self.url.partition("://")[2],
            access_key=who.access_key,
            secret_key=who.secret_key,
            secure=secure,
            region="us-east-1",
            http_client=http,
        )

    def make_bucket(self, bucket: str) -> None:
        client = self.client()
        if not client.bucket_exists(bucket):
            client.make_bucket(bucket)

    def keys(self, bucket: str, prefix: str = "") -> list[str]:
        """The names of all objects below a prefix, sorted."""
        found = self.client().list_objects(bucket, prefix=prefix, recursive=True)
        return sorted(str(one.object_name) for one in found)

    def deny(self, bucket: str, prefix: str, action: str = "s3:PutObject") -> None:
        """Refuse one action below a prefix to everybody, by a bucket policy."""
        self.set_policy(
            bucket,
            {
                "Version": "2012-10-17",
                "Statement": [
                    {
                        "Effect": "Deny",
                        "Principal": "*",
                        "Action": [action],
                        "Resource": [f"arn:aws:s3:::{bucket}/{prefix}*"],
                    }
                ],
            },
        )

    def set_policy(self, bucket: str, policy: Mapping[str, Any] | None) -> None:
        """The bucket's policy; None takes it away."""
        if policy is None:
            self.client().delete_bucket_policy(bucket)
        else:
            self.client().set_bucket_policy(bucket, json.dumps(policy))
