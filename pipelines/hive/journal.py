"""Which files of a data set do not count while it is being written, told by one object beside them.

S3 has no step that shows or removes several objects at once, but it replaces one at once: a write that
ends in its middle, for whatever reason, leaves an object that says which files are to be passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from pipelines.errors import PipelineError
from pipelines.s3.store import Place, Store

PREFIX = "_writing-"


class Journal:
    """The object of one write."""

    def __init__(self, store: Store, place: Place, job: str) -> None:
        self._store, self._bucket = store, place.bucket
        self._key = f"{place.prefix}{PREFIX}{job}"

    def hide(self, keys: Iterable[str]) -> None:
        """From now on exactly these do not count."""
        content = json.dumps({"hidden": sorted(keys)})
        self._store.put(self._bucket, self._key, content.encode())

    def hides(self, keys: Iterable[str]) -> bool:
        """Whether exactly these do not count."""
        return hidden_by(self._store, self._bucket, self._key) == set(keys)

    def remove(self) -> None:
        """From now on all files count."""
        self._store.remove(self._bucket, [self._key])


def counting(store: Store, place: Place) -> list[tuple[str, int]]:
    """Key and size of the objects below a place that count, sorted by key."""
    objects = store.objects(place)
    hidden: set[str] = set()
    for key, _ in objects:
        if key.rpartition("/")[2].startswith(PREFIX):
            held = hidden_by(store, place.bucket, key)
            if held is None:  # its write has ended meanwhile: look again
                return counting(store, place)
            hidden |= held
    return [(key, size) for key, size in objects if key not in hidden]


def hidden_by(store: Store, bucket: str, key: str) -> set[str] | None:
    """What one such object hides; None if it is not there."""
    content = store.get(bucket, key)
    if content is None:
        return None
    try:
        return set(json.loads(content)["hidden"])
    except (ValueError, KeyError, TypeError):
        raise PipelineError(
            f"s3://{bucket}/{key} should name the files of an unfinished write, and does not."
        ) from None
