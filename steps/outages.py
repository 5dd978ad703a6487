"""A server or a service that is out of order for the time of a block."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from helpers.cluster.node import Node
from helpers.cluster.service import Service


@contextmanager
def frozen(process: Node | Service) -> Iterator[None]:
    """It answers nothing until the block ends."""
    process.freeze()
    try:
        yield
    finally:
        process.thaw()


@contextmanager
def stopped(node: Node) -> Iterator[None]:
    """It is shut down until the block ends."""
    node.stop()
    try:
        yield
    finally:
        node.start()


@contextmanager
def killed(service: Service) -> Iterator[None]:
    """It is dead until the block ends."""
    service.kill()
    try:
        yield
    finally:
        service.start()
