"""A server for histories, and no mutant left active on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from helpers.cluster import environments
from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.node import Node
from helpers.cluster.target import Target
from helpers.explore.execution.servers import wait_for_mutations
from helpers.explore.model.schema import FRAGMENT


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    with environments.open_cluster(Target(), tmp_path_factory.mktemp("explore")) as cluster:
        node = cluster.node(fragments=(FRAGMENT,))
        wait_for_mutations(node)
        yield node


@pytest.fixture(autouse=True)
def sound_again() -> Iterator[None]:
    yield
    INTERCEPTOR.activate(None)
