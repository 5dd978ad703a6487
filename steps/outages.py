"""A server or a service that is out of order for the time of a block."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager

from helpers.cluster.node import Node
from helpers.cluster.object_store import ObjectStore, no_answer
from helpers.cluster.service import Service

# So long a store that answers never takes.
SILENCE = 0.3


@contextmanager
def frozen(process: Node | Service) -> Iterator[None]:
    """It answers nothing until the block ends."""
    process.freeze()
    try:
        if isinstance(process, ObjectStore):
            assert is_silent(process), "the fixture proves nothing: the store answers though frozen"
        yield
    finally:
        process.thaw()


def is_silent(store: ObjectStore) -> bool:
    """Whether a request to the store gets no answer in a short time."""
    try:
        store.store().client(connect=SILENCE, read=SILENCE, retries=0).list_buckets()
    except no_answer():
        return True
    return False


def stopped(node: Node) -> AbstractContextManager[None]:
    """It is shut down until the block ends."""
    return _between(node.stop, node.start)


def killed(service: Service) -> AbstractContextManager[None]:
    """It is dead until the block ends."""
    return _between(service.kill, service.start)


@contextmanager
def _between(begin: Callable[[], None], end: Callable[[], None]) -> Iterator[None]:
    begin()
    try:
        yield
    finally:
        end()
