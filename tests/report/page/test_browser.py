"""Tests that need a browser: skipped where there is none, failed where CI has none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PAGE = "tests/report/page/test_page_in_browser.py"


@pytest.mark.parametrize(("ci", "outcome"), [("", "skipped"), ("true", "error")])
def test_without_a_browser(ci: str, outcome: str) -> None:
    root = Path(__file__).resolve().parents[3]
    variables = {**os.environ, "PATH": "/nowhere", "CI": ci, "PYTHONPATH": str(root)}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-p", "no:cacheprovider", "-n", "0", PAGE],
        cwd=root,
        env=variables,
        capture_output=True,
        text=True,
    )
    assert "no chromium on PATH; Debian: apt-get install chromium" in done.stdout
    assert outcome in done.stdout.splitlines()[-1]
    assert done.returncode == (1 if ci else 0)
