"""Tests that share something expensive are executed by one worker of pytest-xdist."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from helpers.base.paths import ROOT

SHARING = """
import pytest

@pytest.fixture(scope="module")
def expensive():
    return []

@pytest.mark.parametrize("number", range(10))
def test_shares(expensive, number): ...
"""
MARKED = """
import pytest

@pytest.mark.xdist_group("both files")
@pytest.mark.parametrize("number", range(5))
def test_marked(number):
    assert number != 3
"""
# The first of these tests ends when the other worker has one of them too, however slow that one is.
ALONE = """
import os
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent

@pytest.mark.parametrize("number", range(20))
def test_alone(number):
    (HERE / os.environ["PYTEST_XDIST_WORKER"]).touch()
    end = time.monotonic() + 60
    while number == 0 and len(list(HERE.glob("gw*"))) < 2 and time.monotonic() < end:
        time.sleep(0.01)
"""


def pytest(folder: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "pytest", *options]
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
    }  # the copied conftest.py imports from tests/
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_groups_stay_together(tmp_path: Path) -> None:
    shutil.copy(ROOT / "tests" / "conftest.py", tmp_path)
    (tmp_path / "test_sharing.py").write_text(SHARING)
    for name in ("test_first.py", "test_second.py"):
        (tmp_path / name).write_text(MARKED)
    (tmp_path / "test_alone.py").write_text(ALONE)
    done = pytest(tmp_path, "-n", "2", "--dist", "loadgroup", "-v")
    executed = re.findall(r"^\[(gw\d)\] .* (test_\w+)\.py::\w+\[\d+\] $", done.stdout, re.MULTILINE)
    assert len(executed) == 40, done.stdout
    workers = {
        group: {worker for worker, name in executed if name in files}
        for group, files in {
            "module": ["test_sharing"],
            "mark": ["test_first", "test_second"],
            "none": ["test_alone"],
        }.items()
    }
    assert len(workers["module"]) == len(workers["mark"]) == 1, workers
    assert len(workers["none"]) == 2, workers
    failed = pytest(tmp_path, "--last-failed", "--collect-only", "-q")
    assert failed.stdout.splitlines()[:2] == [
        f"test_{file}.py::test_marked[3]" for file in ("first", "second")
    ]
