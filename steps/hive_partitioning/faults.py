"""Inserts that fail half-way: faults between server and store, and an account of what they leave there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from helpers.cluster.client.recording import literal
from helpers.faults.s3_proxy import Effect, RequestKind, S3FaultProxy
from steps.hive_partitioning.objects import Lake
from steps.hive_partitioning.writes import (
    ACCEPTED,
    ONE_ATTEMPT,
    hive_table,
    insert_values,
    objects,
    outcome,
)
from steps.tables import Table

COLUMNS, KEY = "year UInt16, x UInt64, text String", "year"
BEFORE = {"year=0": [b'0,"before"\n']}
PARTITIONS = (1, 2, 3)
SMALL = "SELECT number + 1, number + 1, 'new' FROM numbers(3)"
# No object is small enough for a single request.
MULTIPART: Mapping[str, Any] = {"s3_max_single_part_upload_size": 0}


@dataclass(frozen=True)
class FailedInsert:
    """A fault, and the settings of the insert it is for. The n-th request of the kind and all after it
    come to harm."""

    kind: RequestKind
    effect: Effect
    nth: int
    settings: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class Account:
    """What an insert was answered, and what it left: objects that were not there before, unfinished
    uploads; and what the store was asked to write."""

    answer: str
    left: tuple[str, ...]
    uploads: int
    written: tuple[str, ...]

    @property
    def observation(self) -> str:
        """What is wrong about it; '' if the insert failed and left nothing."""
        if self.answer == ACCEPTED:
            return ACCEPTED
        left = [f"{len(self.left)} of {len(PARTITIONS)} objects left"] if self.left else []
        uploads = [f"{self.uploads} unfinished uploads left"] if self.uploads else []
        return ", ".join([*left, *uploads])


@contextmanager
def proxied_table(lake: Lake) -> Iterator[tuple[S3FaultProxy, Table]]:
    """A table with one row whose server reaches the store through a proxy; one attempt a request."""
    with S3FaultProxy(lake.store.url) as proxy:
        table = hive_table(
            lake,
            columns=COLUMNS,
            partition_by=KEY,
            settings=ONE_ATTEMPT,
            url=literal(f"{proxy.url}/{lake.bucket}/"),
        )
        insert_values(table, "(0, 0, 'before')")
        assert objects(lake, table.name) == BEFORE, "the fixture is wrong: the row is not there"
        proxy.requests.clear()
        yield proxy, table


def account(lake: Lake, table: Table, proxy: S3FaultProxy, answer: str) -> Account:
    """What is there of a table after an insert; what was there before has to be unchanged."""
    from pipelines.s3.store import Place  # here: its client takes half a second to import

    held = objects(lake, table.name)
    kept = {directory: held.pop(directory, []) for directory in BEFORE}
    assert kept == BEFORE, f"the insert changed what was there: {kept}"
    return Account(
        answer,
        tuple(sorted(directory for directory, contents in held.items() for _ in contents)),
        len(
            lake.store.store().uploads(
                Place.parse(f"s3://{lake.bucket}/{lake.filename(table.name)}")
            )
        ),
        tuple(sorted(_partition(request.key) for request in _writes(proxy))),
    )


def insert_under(lake: Lake, failing: FailedInsert) -> Account:
    """Insert into a table of its own while the fault lasts."""
    with proxied_table(lake) as (proxy, table):
        with proxy.fault(failing.kind, failing.effect, nth=failing.nth, times=None) as fault:
            answer = outcome(lake, f"INSERT INTO {table} {SMALL}", failing.settings)
        assert fault.hits, f"no request met the fault: {proxy.requests}"
        return account(lake, table, proxy, answer)


def _writes(proxy: S3FaultProxy) -> Sequence[Any]:
    """Requests that made an object visible."""
    return [
        request
        for request in proxy.requests
        if request.kind in (RequestKind.PUT, RequestKind.COMPLETE_UPLOAD) and request.status == 200
    ]


def _partition(key: str) -> str:
    return key.rpartition("/")[0].rpartition("/")[2]
