"""The mutants of our own modules: a sample in every `./test`, all of them in nightly runs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.mutation.execution import ROOT
from tests.mutation.modules import MODULES

SAMPLE_SECONDS = 40


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """`python -m tests.mutation`, without what belongs to the pytest around it."""
    environment = {name: value for name, value in os.environ.items() if "PYTEST" not in name}
    command = [sys.executable, "-m", "tests.mutation", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)


def test_a_sample_is_noticed() -> None:
    ended = run("--seconds", str(SAMPLE_SECONDS))
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.mark.nightly
@pytest.mark.parametrize("module", MODULES)
def test_every_module_reaches_its_bar(module: str) -> None:
    ended = run(module)
    assert ended.returncode == 0, ended.stdout + ended.stderr


def test_an_unknown_module_is_refused() -> None:
    ended = run("helpers/nothing.py")
    assert (ended.returncode, "no such module: helpers/nothing.py" in ended.stderr) == (2, True)
