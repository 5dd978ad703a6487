"""A folder of scenarios for each test of the runner."""

from pathlib import Path

import pytest

from tests.runner.suite import Suite


@pytest.fixture
def suite(tmp_path: Path) -> Suite:
    return Suite(tmp_path)
