"""A server as the explorer starts it; shared by benchmarks."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.node import Node
from helpers.explore.execution.servers import data_folder
from helpers.explore.model.schema import FRAGMENT
from helpers.explore.search.worker import QUIET, quicken


@contextmanager
def explorer_node() -> Iterator[Node]:
    """It runs until the block ends."""
    with (
        tempfile.TemporaryDirectory() as folder,
        data_folder(Path(folder)) as data,
        EmbeddedCluster(data) as cluster,
    ):
        node = cluster.node(config={"explore": QUIET}, fragments=(FRAGMENT,))
        quicken(node)
        yield node
