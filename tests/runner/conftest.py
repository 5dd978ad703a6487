"""A folder of scenarios for each test of the runner."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.runner.suite import Suite


@pytest.fixture
def suite(tmp_path: Path) -> Iterator[Suite]:
    """Also for commands that are executed in this process: no test sees another one's modules."""
    suite = Suite(tmp_path)
    yield suite
    for name in [name for name in sys.modules if name.partition(".")[0] == suite.folder.name]:
        del sys.modules[name]
    if str(tmp_path) in sys.path:
        sys.path.remove(str(tmp_path))
