"""A cluster for every module of tests, and a database for every test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.commands import Regression
from tests.databases import cluster_fixture, node_fixture

cluster = cluster_fixture("module")
node = node_fixture()


@pytest.fixture
def regression(tmp_path: Path) -> Iterator[Regression]:
    """Commands with a place of their own, which is empty afterwards."""
    regression = Regression(tmp_path / "results")
    yield regression
    if (regression.results / "up").exists():
        regression("down")
