"""What is in an object of the store: hashes of its stretches, its size and its end."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import closing

from pipelines.s3.store import CHUNK, Store

# Enough of the end of a file to have its footer in it.
KEPT = 16 * 1024 * 1024


def read_hashes(
    store: Store, bucket: str, key: str, sizes: Sequence[int]
) -> tuple[list[str], int, bytes]:
    """The hashes of stretches of an object, its size and its last bytes."""
    digests = [hashlib.sha256() for _ in sizes]
    left, at, size, end = list(sizes), 0, 0, bytearray()
    with store.errors(f"Reading s3://{bucket}/{key}"):
        response = store.client().get_object(bucket, key)
        with closing(response):
            for chunk in response.stream(CHUNK):
                size += len(chunk)
                end += chunk
                if len(end) > 2 * KEPT:
                    del end[:-KEPT]
                while chunk and at < len(left):
                    taken = chunk[: left[at]]
                    digests[at].update(taken)
                    left[at] -= len(taken)
                    chunk = chunk[len(taken) :]
                    at += left[at] == 0
    return [digest.hexdigest() for digest in digests], size, bytes(end)
