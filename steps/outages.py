"""A server or a service that is out of order for the time of a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from helpers.cluster.node import Node
from helpers.cluster.object_store import ObjectStore, no_answer
from helpers.cluster.service import Service
from helpers.scenario.step import step

# A running store answers faster than this, in seconds.
SILENCE = 0.3


@contextmanager
def frozen(process: Node | Service) -> Iterator[None]:
    """The process answers nothing until the block ends."""
    freeze(process)
    try:
        if isinstance(process, ObjectStore):
            assert is_silent(process), "the fixture proves nothing: the store answers though frozen"
        yield
    finally:
        thaw(process)


@step("I freeze {process}")
def freeze(process: Node | Service) -> None:
    process.freeze()


@step("I thaw {process}")
def thaw(process: Node | Service) -> None:
    process.thaw()


def is_silent(store: ObjectStore) -> bool:
    """Whether a request to the store gets no answer in a short time."""
    try:
        store.store().client(connect=SILENCE, read=SILENCE, retries=0).list_buckets()
    except no_answer():
        return True
    return False


@contextmanager
def stopped(node: Node) -> Iterator[None]:
    """The node is shut down until the block ends."""
    stop(node)
    try:
        yield
    finally:
        start(node)


@contextmanager
def killed(service: Service) -> Iterator[None]:
    """The service is dead until the block ends."""
    kill(service)
    try:
        yield
    finally:
        start(service)


@step("I stop {node}")
def stop(node: Node) -> None:
    node.stop()


@step("I kill {service}")
def kill(service: Service) -> None:
    service.kill()


@step("I start {process}")
def start(process: Node | Service) -> None:
    process.start()
