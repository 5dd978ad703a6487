"""Installs the packages of a stage with pip."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

from helpers.base.errors import EnvironmentFailed
from helpers.setup import pins, virtualenv
from helpers.setup.failures import WITHOUT_NETWORK, failed
from helpers.setup.pip_progress import Packages, PipProgress, run_pip

TEMPORARY = "tmp"  # what pip downloads and builds; a killed set-up's is removed by the next one
# Runs pip of another interpreter under this one: what `pip --python` (22.3 and later) executes.
RUNNER = "__pip-runner__.py"
FIND_PIP = "import importlib.util as u; s = u.find_spec('pip'); print(s.origin if s else '')"
# Where pip installs to is decided here, whatever the user's settings for other projects say.
ELSEWHERE = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PYTHONPATH", "PYTHONHOME")
OPTIONS = (
    *("--progress-bar=off", "--no-color", "--no-input", "--disable-pip-version-check"),
    # The pins are all that is needed. What a package asks for beyond them is not used: chdb-core
    # names pandas and pyarrow.
    "--no-deps",
    # Packages are built in this environment: one of its own for each takes pip seconds.
    "--no-build-isolation",
)


@dataclass(frozen=True)
class Interpreter:
    """Version and paths of the environment's Python, as it reports them."""

    version: tuple[int, int]
    packages: Path
    has_pip: bool


def install(
    root: Path,
    venv: Path,
    stage: str,
    interpreter: Interpreter,
    lock: int,
    progress: PipProgress,
    *,
    again: bool,
) -> None:
    """Install what is pinned for a stage, and before it what its packages are built with."""
    if again:
        forget(interpreter.packages, pins.sizes(str(root), stage))
    have = pins.installed([str(interpreter.packages)])
    temporary = venv / TEMPORARY
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir()
    variables = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    variables |= pip_variables(venv) | {"TMPDIR": str(temporary)}
    packages = Packages(pins.sizes(str(root), stage), interpreter.packages, temporary)
    progress.measure = packages.__str__
    for wanted in (pins.missing(str(root), pins.BUILD, have), pins.wanted(str(root), stage)):
        if wanted:
            command = [*pip(virtualenv.python_of(str(venv)), interpreter.has_pip), "install"]
            code, output = run_pip([*command, *OPTIONS, *wanted], variables, lock, progress)
            if code:
                raise failed("pip", code, output, venv, WITHOUT_NETWORK)
    progress.measure = str
    shutil.rmtree(temporary, ignore_errors=True)


def forget(packages: Path, names: Container[str]) -> None:
    """Remove the records of packages, one of which was cut short: pip can only overwrite that one."""
    for record in packages.glob("*-info"):
        name = pins.INSTALLED.fullmatch(record.name)
        if name and pins.normal(name[1]) in names:
            shutil.rmtree(record, ignore_errors=True)


def pip_variables(venv: Path) -> dict[str, str]:
    """Variables that spare pip work: PySpark comes as source, and most of its 450 MB are archives already.

    Wheels that are built here are not compressed, and modules are compiled when they are first imported.
    """
    options = venv / "regression-build.cfg"
    options.write_text("[bdist_wheel]\ncompression = stored\n", encoding="utf-8")
    return {"DIST_EXTRA_CONFIG": str(options), "PIP_COMPILE": "0"}


def pip(python: str, has_pip: bool) -> list[str]:
    """The command that runs pip for an interpreter: its own, or that of the Python it was made with."""
    if has_pip:
        return [python, "-I", "-m", "pip"]
    runner = pip_of_base()
    if runner is None:
        raise EnvironmentFailed(
            f"{sys.executable} has neither ensurepip nor pip 22.3 or later: install them (on "
            "Debian and Ubuntu the package python3-venv), or start with another Python"
        )
    return [python, "-I", str(runner)]


def pip_of_base() -> Path | None:
    """The program of the base interpreter's pip that runs under another interpreter; None if it has none."""
    base = getattr(sys, "_base_executable", sys.executable)
    found = subprocess.run([base, "-I", "-c", FIND_PIP], capture_output=True, text=True).stdout
    runner = Path(found.strip() or os.devnull).with_name(RUNNER)
    return runner if runner.exists() else None
