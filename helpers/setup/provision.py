"""Creates, completes and repairs the virtual environment: the slow path of helpers.setup.bootstrap.

The order of the marks makes an interruption at any moment harmless: a stage has its mark `busy` before
anything changes, and its stamp only when everything is in place.
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from helpers.base.errors import INTERRUPTED, EnvironmentFailed, RegressionError, UsageError
from helpers.base.files import write_whole
from helpers.base.signals import raising
from helpers.setup import pins, virtualenv
from helpers.setup.failures import explained, failed
from helpers.setup.pip_install import Interpreter, install, pip_of_base
from helpers.setup.pip_progress import PipProgress
from helpers.setup.virtualenv import STAGES
from pipelines.system.locks import try_lock

LOCK = "regression.lock"
OWNED = "regression-owned"  # this launcher created the folder and may empty it
DESCRIBE = """
import importlib.util, json, sys, sysconfig
print(json.dumps({
    "version": sys.version_info[:2],
    "packages": sysconfig.get_path("purelib"),
    "pip": importlib.util.find_spec("pip") is not None,
}))
"""


def set_up(root: str, venv: str, stage: str) -> str:
    """Set the environment up and return its interpreter; ends the program with an error if that fails."""
    try:
        with raising(), contextlib.closing(PipProgress()) as progress:
            _set_up(Path(root), Path(venv), stage, progress)
    except RegressionError as error:
        sys.exit(virtualenv.complaint(str(error), error.exit_code))
    except ValueError as error:
        sys.exit(virtualenv.complaint(str(error), virtualenv.USAGE))
    except OSError as error:
        failure = explained(error, Path(venv))
        sys.exit(virtualenv.complaint(str(failure), failure.exit_code))
    except KeyboardInterrupt:
        text = "set-up was interrupted; the next start begins it anew"
        sys.exit(virtualenv.complaint(text, INTERRUPTED))
    return virtualenv.python_of(venv)


def _set_up(root: Path, venv: Path, stage: str, progress: PipProgress) -> None:
    venv.mkdir(parents=True, exist_ok=True)
    with locked(venv, progress) as lock:
        installed = [
            each
            for each in STAGES[: STAGES.index(stage) + 1]
            if not virtualenv.is_current(str(root), str(venv), each)
            and _completed(root, venv, each, lock, progress)
        ]
        if installed:
            progress.say("ready")


def _completed(root: Path, venv: Path, stage: str, lock: int, progress: PipProgress) -> bool:
    """Complete one stage; whether something had to be installed."""
    interrupted = busy(venv, stage).exists()
    interpreter = describe(venv)
    if interpreter and not interrupted and fits(root, interpreter, stage):
        write_stamp(root, venv, stage)
        return False
    progress.say(f"setting up {venv} with Python {virtualenv.dotted(sys.version_info[:3])}")
    if stage == STAGES[0]:
        owned = (venv / OWNED).exists()
        supported = interpreter is not None and interpreter.version in virtualenv.SUPPORTED
        if not supported or (interrupted and owned):
            interpreter, interrupted = create(venv, progress), False
    if interpreter is None:
        raise EnvironmentFailed(f"set-up failed: {virtualenv.python_of(str(venv))} does not run")
    mark_busy(venv, stage)
    install(root, venv, stage, interpreter, lock, progress, again=interrupted)
    busy(venv, stage).unlink()
    write_stamp(root, venv, stage)
    return True


@contextlib.contextmanager
def locked(venv: Path, progress: PipProgress) -> Iterator[int]:
    """Only one set-up at a time; pip inherits the lock. The file says what the one that holds it is doing."""
    while True:
        file = os.open(venv / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            while not try_lock(file):
                progress.say(f"waiting for another set-up of {venv} to end")
                progress.measure = lambda: f": {doing(venv)}"
                progress.wait()
            # Someone may have removed the folder, and the lock with it, in the meantime.
            if _is_still(file, venv / LOCK):
                progress.measure = str
                progress.record_in(file)
                yield file
                return
        finally:
            os.close(file)
        venv.mkdir(parents=True, exist_ok=True)


def doing(venv: Path) -> str:
    """What the set-up that runs now does, as it says itself."""
    try:
        return (venv / LOCK).read_text(errors="replace").strip()
    except OSError:
        return ""


def _is_still(file: int, path: Path) -> bool:
    return path.exists() and os.path.samestat(os.fstat(file), path.stat())


def describe(venv: Path) -> Interpreter | None:
    """Ask the environment's interpreter; None if there is none or it does not run."""
    command = [virtualenv.python_of(str(venv)), "-I", "-c", DESCRIBE]
    try:
        answer = subprocess.run(command, capture_output=True, check=True, timeout=30).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    described = json.loads(answer)
    return Interpreter(tuple(described["version"]), Path(described["packages"]), described["pip"])


def fits(root: Path, interpreter: Interpreter, stage: str) -> bool:
    """Whether everything is there already: pins moved in the file only, or installed by hand."""
    have = pins.installed([str(interpreter.packages)])
    supported = interpreter.version in virtualenv.SUPPORTED
    return supported and not pins.missing(str(root), stage, have)


def create(venv: Path, progress: PipProgress) -> Interpreter:
    """A new environment in this folder, in place of what an earlier set-up left there."""
    mine = (LOCK, OWNED, busy(venv, STAGES[0]).name)
    rest = [path for path in venv.iterdir() if path.name not in mine]
    if rest and not (venv / OWNED).exists():
        raise UsageError(
            f"{venv} is no Python environment of a supported version and was not made by this "
            "program: remove it, or name another folder in REGRESSION_VENV"
        )
    mark_busy(venv, STAGES[0])
    (venv / OWNED).touch()
    for path in rest:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    progress.say("creating the virtual environment")
    tool([sys.executable, "-I", "-m", "venv", "--without-pip", str(venv)], venv)
    # Unpacking ensurepip's takes seconds, and Debian's Python may come without it.
    if pip_of_base() is None and importlib.util.find_spec("ensurepip"):
        tool([virtualenv.python_of(str(venv)), "-I", "-m", "ensurepip", "--default-pip"], venv)
    made = describe(venv)
    if made is None:
        raise EnvironmentFailed(
            f"set-up failed: the new {virtualenv.python_of(str(venv))} does not run; "
            "start with another Python"
        )
    return made


def tool(command: list[str], venv: Path) -> None:
    """Run one of Python's own tools, whose output matters only if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        raise failed(f"python {' '.join(command[1:])}", done.returncode, done.stdout, venv, "")


def busy(venv: Path, stage: str) -> Path:
    """The mark that packages of a stage are being changed: none of it is used until the mark is gone."""
    return venv / f"regression-busy-{stage}"


def mark_busy(venv: Path, stage: str) -> None:
    """Mark a stage as incomplete, and those that need it."""
    busy(venv, stage).touch()
    for each in STAGES[STAGES.index(stage) :]:
        Path(virtualenv.stamp_of(str(venv), each)).unlink(missing_ok=True)


def write_stamp(root: Path, venv: Path, stage: str) -> None:
    """Note what a stage was set up for, so that the next start need not look."""
    content = virtualenv.expected_stamp(str(root), str(venv))
    write_whole(Path(virtualenv.stamp_of(str(venv), stage)), content)
