"""An S3 store that somebody else runs (`--s3-url`): buckets of our own there, removed in the end."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from helpers.base.errors import EnvironmentFailed, UsageError
from helpers.cluster.client.failures import Unavailable
from helpers.cluster.object_store import ADMIN, Identity, ObjectStore, no_answer

OPTION = "--s3-url"
KEYS = ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY")
NO_SHOWN_KEYS = "keys that may be shown in statements: these are somebody else's"
NO_CONTROL = "a store that can be killed or frozen: this one runs elsewhere"


def _no_answer() -> tuple[type[Exception], ...]:
    """The exceptions of a client whose store does not answer, or is not a store at all."""
    return (*no_answer(), ValueError)


class _OneIdentity(dict[str, Identity]):
    """The identity whose keys we were given; there are no others."""

    def __missing__(self, name: str) -> Identity:
        raise Unavailable(
            f"keys of the identity {name!r}: the store runs elsewhere, and none are known"
        )


class RemoteStore(ObjectStore):
    """A store at an address, with the keys of one identity."""

    def __init__(
        self, url: str, variables: Mapping[str, str] = os.environ, bucket_prefix: str = ""
    ) -> None:
        refusal = f"{OPTION} {url!r} is not http://HOST:PORT or https://HOST:PORT."
        try:
            parts = urlsplit(url)
            beyond = parts.path.strip("/") or parts.query or parts.fragment or parts.port == 0
        except ValueError:  # brackets, or a port that is none
            raise UsageError(refusal) from None
        if parts.scheme not in ("http", "https") or not parts.hostname or beyond:
            raise UsageError(refusal)
        if parts.username or parts.password:
            raise UsageError(f"{OPTION}: keys are not part of it; set {' and '.join(KEYS)}.")
        missing = [key for key in KEYS if not variables.get(key)]
        if missing:
            raise UsageError(f"{OPTION} needs keys: set {' and '.join(missing)}.")
        self.url = url.rstrip("/")
        self.bucket_prefix = bucket_prefix
        self.identities = _OneIdentity({ADMIN: Identity(ADMIN, *(variables[key] for key in KEYS))})
        self._made: list[str] = []

    def check(self) -> None:
        """Raises EnvironmentFailed if the store does not answer, or does not let us create buckets."""
        bucket = f"regression-probe-{secrets.token_hex(4)}"
        try:
            client = self.client()
            client.make_bucket(bucket)
            client.remove_bucket(bucket)
        except _no_answer() as error:
            raise EnvironmentFailed(
                f"{OPTION} {self.url} cannot be used: {str(error).splitlines()[0]}"
            ) from None

    def keys_to_show(self) -> Identity:
        raise Unavailable(NO_SHOWN_KEYS)

    def make_bucket(self, bucket: str) -> None:
        if not self.client().bucket_exists(bucket):
            self._made.append(bucket)
        super().make_bucket(bucket)

    def remove_buckets(self) -> None:
        """Remove the buckets that we made, with all that is in them."""
        for bucket in self._made:
            self._remove(bucket)
        self._made.clear()

    def remove_all(self, is_left: Callable[[str], bool]) -> list[str]:
        """Remove the buckets with such names, with all that is in them; which they were."""
        try:
            left = [b.name for b in self.client().list_buckets() if is_left(b.name)]
            for bucket in left:
                self._remove(bucket)
        except _no_answer() as error:
            raise EnvironmentFailed(
                f"{OPTION} {self.url}: buckets may be left: {str(error).splitlines()[0]}"
            ) from None
        return left

    def _remove(self, bucket: str) -> None:
        client = self.client()
        for key in self.keys(bucket):
            client.remove_object(bucket, key)
        client.remove_bucket(bucket)

    @property
    def running(self) -> bool:
        return True

    def start(self) -> None:
        """It runs."""

    def thaw(self) -> None:
        """It was never frozen."""

    def kill(self) -> None:
        raise Unavailable(NO_CONTROL)

    def freeze(self) -> None:
        raise Unavailable(NO_CONTROL)
