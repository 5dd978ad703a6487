"""The ./test command: every phase runs, the summary is honest, arguments go to pytest."""

from __future__ import annotations

import runpy
import shutil
import signal
import subprocess
import sys
import time
from typing import Any

import pytest

from tests.processes import descendants, is_alive
from tests.setup.conftest import SOURCE, Launch, Project, eventually

PHASES = 8
# Stands in for ruff, mypy and pytest: says what it was called with and ends as it is told.
TOOL = """
import os, sys, time
name = os.path.basename(__file__)[:-3]
print("called", name, sys.argv[1:], flush=True)
if name == "pytest":
    print("===== 3 passed, 1 skipped in 0.10s =====", flush=True)
if name == os.environ.get("HANGS"):
    open(os.environ["GATE"] + ".reached", "w").close()
    time.sleep(60)
sys.exit(name == os.environ.get("FAILS"))
"""


@pytest.fixture
def checked(project: Project) -> Project:
    """A project with ./test and stand-ins for the tools it calls."""
    shutil.copy(SOURCE / "test", project.root)
    for name in ("ruff", "mypy", "pytest"):
        (project.root / f"{name}.py").write_text(TOOL)
    imports = project.root / "importlinter"
    imports.mkdir()
    (imports / "__init__.py").touch()
    (imports / "cli.py").write_text(
        "def lint_imports_command():\n    print('called lint-imports', flush=True)\n"
    )
    return project


def start(project: Project, *arguments: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(project.root / "test"), *arguments],
        env=project.variables,
        cwd=project.root,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_all_phases_run_and_the_closing_line_comes_last(checked: Project) -> None:
    run = Launch(start(checked))
    assert run.code == 0, run.err
    calls = [line for line in run.out.splitlines() if line.startswith("called")]
    assert [call.split()[1] for call in calls] == ["ruff", "ruff", "mypy", "lint-imports", "pytest"]
    assert "'-n', '3', '-m', 'not nightly', '--reruns', '1'" in calls[4]
    assert '"arguments": ["requirements", "check"]' in run.out
    mutants = '"sensitivity", "--systematic", "--minutes", "1", "--bar", "90"'
    once_more = '"--retry", "1", "--allow-flaky", "--seed", "1"'
    assert (
        f'"arguments": [{mutants}, {once_more}, "--skip", "/replacing merge tree/rows/oracle/*", '
        in run.out
    )
    assert '"arguments": ["explore", "--minutes", "1", "--seed", "1"]' in run.out
    assert run.out.splitlines()[-1] == "===== 3 passed, 1 skipped in 0.10s ====="
    assert run.out.count(" ok\n") == PHASES


@pytest.mark.parametrize(("tool", "failures"), [("ruff", 2), ("pytest", 1)])
def test_a_failed_phase_stops_no_other_and_fails_the_whole(
    checked: Project, tool: str, failures: int
) -> None:
    checked.variables["FAILS"] = tool
    run = Launch(start(checked))
    assert run.code == 1
    assert run.out.count("FAILED (exit code 1)") == failures
    assert run.out.count(" ok\n") == PHASES - failures


def test_arguments_go_to_pytest_alone(checked: Project) -> None:
    run = Launch(start(checked, "tests/launcher", "-k", "stamp"))
    assert run.code == 0, run.err
    called, _closing = run.out.splitlines()
    assert called == "called pytest ['tests/launcher', '-k', 'stamp']"


def test_help_teaches_without_setting_up(checked: Project) -> None:
    run = Launch(start(checked, "--help"))
    assert run.code == 0
    assert "./test tests/launcher -k stamp" in run.out
    assert "./test -n 2 -m nightly" in run.out
    assert not checked.venv.exists()


@pytest.mark.parametrize("interruptions", [signal.default_int_handler, signal.SIG_IGN])
def test_sigterm_ends_the_running_phase_too(checked: Project, interruptions: Any) -> None:
    signal.signal(signal.SIGINT, interruptions)  # what is started inherits it
    checked.variables["HANGS"] = "mypy"
    process = start(checked)
    checked.wait_for_build()
    children = list(descendants(process.pid))
    assert len(children) == 1
    sent = time.monotonic()
    process.send_signal(signal.SIGTERM)
    run = Launch(process)
    assert run.code == 4
    assert time.monotonic() - sent < 30, "the phase itself would have taken a minute"
    assert "interrupted" in run.out
    assert run.out.count(" ok\n") == 2
    eventually(lambda: not is_alive(children[0]), 10)


def test_what_is_left_to_nightly_runs_is_there() -> None:
    """A scenario that got another name would end the phase 'regression' before it begins."""
    chosen = runpy.run_path(str(SOURCE / "test"))["SLICE"]
    command = [sys.executable, "-m", "helpers.cli.main", "--list", *chosen]
    listed = subprocess.run(command, cwd=SOURCE, capture_output=True, text=True)
    assert (listed.returncode, listed.stderr) == (0, "")
