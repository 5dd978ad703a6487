"""Where a command is started from: streams that are closed or full, a reader that leaves, a checkout that
may not be written."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.base.paths import ROOT

FRONT = f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'regression.py'))}"
FULL = "regression: what it says cannot be written: No space left on device.\n"
PARTS = ("helpers", "pipelines", "requirements", "scenarios", "steps", "configs", "docs")
FILES = ("regression.py", "pyproject.toml", "constraints.txt")


def shell(line: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "REGRESSION_VENV": sys.prefix, "VIRTUAL_ENV": ""},
    )


@pytest.mark.parametrize(
    ("line", "code", "err"),
    [
        (f"{FRONT} requirements list >&-", 0, ""),
        (f"{FRONT} requirements list > /dev/full", 3, FULL),
        (f"{FRONT} requirements lst 2>&-", 2, ""),
        (f"{FRONT} requirements lst <&- >&- 2>&-", 2, ""),
        (f"{FRONT} --help >&-", 0, None),
    ],
)
def test_streams(line: str, code: int, err: str | None) -> None:
    ended = shell(line)
    assert ended.returncode == code, ended
    assert "Traceback" not in ended.stderr and "Exception ignored" not in ended.stderr
    assert err is None or ended.stderr == err


def test_a_reader_that_leaves_before_the_little_that_is_said() -> None:
    """It is only written at the end, when nobody could handle that it fails."""
    reading, writing = os.pipe()
    os.close(reading)
    ended = subprocess.run(
        [sys.executable, ROOT / "regression.py", "requirements", "list", "--state", "planned"],
        stdout=writing,
        stderr=subprocess.PIPE,
        env={**os.environ, "REGRESSION_VENV": sys.prefix, "VIRTUAL_ENV": ""},
    )
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (4, b"")


def test_a_file_does_not_become_the_output(tmp_path: Path) -> None:
    """With a closed output the next file that is opened would get its number, and what is printed."""
    scenarios = tmp_path / "examples" / "feature"
    scenarios.mkdir(parents=True)
    (scenarios / "topic.py").write_text(
        f"import os\nopened = open({str(tmp_path / 'opened')!r}, 'w')\nos.write(1, b'printed')\n"
        "os.write(2, b'printed')\n"
    )
    ended = shell(f"{FRONT} --list --scenarios {tmp_path / 'examples'} >&- 2>&-")
    assert ended.returncode == 2, "there is no scenario in it"
    assert (tmp_path / "opened").read_text() == ""


@pytest.fixture(scope="module")
def read_only(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("read-only")
    for name in PARTS:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    subprocess.run(["chmod", "-R", "a-w", folder], check=True)
    return folder


@pytest.mark.parametrize(
    ("arguments", "code", "err"),
    [
        ("requirements list", 0, ""),
        (
            "requirements accept --all --reason 'read again, the scenario checks it'",
            2,
            "accepted.json cannot be written: Permission denied",
        ),
        ("up", 2, "results cannot be used: Permission denied."),
        (
            "--only '/table parts/life/names/*'",
            2,
            "Name a folder that can be written with --results.",
        ),
        ("reproduce --document", 3, "docs"),
    ],
)
def test_a_checkout_that_may_not_be_written(
    read_only: Path, arguments: str, code: int, err: str
) -> None:
    """As a user who may not: root may everything, unless that power is given up."""
    powerless = ""
    if os.geteuid() == 0:
        powerless = "setpriv --bounding-set=-dac_override,-dac_read_search"
        if shell(f"{powerless} true").returncode != 0:
            pytest.skip("root cannot give up its powers here")
    assert shell(f"{powerless} touch x", read_only).returncode == 1
    ended = shell(f"{powerless} {shlex.quote(sys.executable)} regression.py {arguments}", read_only)
    assert ended.returncode == code, ended
    assert "Traceback" not in ended.stderr
    lines = ended.stderr.splitlines()
    assert len(lines) == (1 if err else 0) and all(err in line for line in lines), ended.stderr
