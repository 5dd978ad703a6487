"""Creates, completes and repairs the virtual environment: the slow path of helpers.setup.bootstrap.

The order of the marks makes an interruption at any moment harmless: `BUSY` is there before
anything changes, a stamp is written only when everything is in place.
"""

from __future__ import annotations

import contextlib
import errno
import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from helpers.base.errors import INTERRUPTED, EnvironmentFailed, RegressionError, UsageError
from helpers.base.files import write_whole
from helpers.base.signals import raising
from helpers.setup import pins, virtualenv
from helpers.setup.pip_progress import Progress, run_pip
from pipelines.system.locks import try_lock

LOCK = "regression.lock"
OWNED = "regression-owned"  # this launcher created the folder and may empty it
BUSY = "regression-busy"  # packages are being changed: not to be trusted until it is gone
PIP_WITH_PYTHON_OPTION = (22, 3)
# Where pip installs to is decided here, whatever the user's settings for other projects say.
ELSEWHERE = ("PIP_TARGET", "PIP_PREFIX", "PIP_ROOT", "PIP_USER", "PYTHONPATH", "PYTHONHOME")
DESCRIBE = """
import importlib.util, json, sys, sysconfig
print(json.dumps({
    "version": sys.version_info[:2],
    "packages": sysconfig.get_path("purelib"),
    "pip": importlib.util.find_spec("pip") is not None,
}))
"""
WITHOUT_NETWORK = (
    "Check the network and the proxy (HTTPS_PROXY), name a package index that can be reached "
    "(PIP_INDEX_URL), or install from a folder of packages "
    "(PIP_NO_INDEX=1 PIP_FIND_LINKS=/folder); then start again."
)


@dataclass(frozen=True)
class Interpreter:
    """Version and paths of the environment's Python, as it reports them."""

    version: tuple[int, int]
    packages: Path
    has_pip: bool


def set_up(root: str, venv: str, profile: str) -> str:
    """Set the environment up and return its interpreter; ends the program with an error if that fails."""
    try:
        with raising(), contextlib.closing(Progress()) as progress:
            _set_up(Path(root), Path(venv), profile, progress)
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


def _set_up(root: Path, venv: Path, profile: str, progress: Progress) -> None:
    venv.mkdir(parents=True, exist_ok=True)
    with locked(venv, progress) as lock:
        if virtualenv.is_current(str(root), str(venv), profile):
            return
        interrupted = (venv / BUSY).exists()
        interpreter = describe(venv)
        if interpreter and not interrupted and fits(root, interpreter, profile):
            write_stamps(root, venv, profile, interpreter)
            return
        progress.say(f"setting up {venv} with Python {virtualenv.dotted(sys.version_info[:3])}")
        owned = (venv / OWNED).exists()
        if (
            interpreter is None
            or interpreter.version not in virtualenv.SUPPORTED
            or (interrupted and owned)
        ):
            interpreter = create(venv, progress)
        mark_busy(venv)
        install(root, venv, profile, interpreter, lock, progress, again=interrupted and not owned)
        (venv / BUSY).unlink()
        write_stamps(root, venv, profile, interpreter)
        progress.say("ready")


@contextlib.contextmanager
def locked(venv: Path, progress: Progress) -> Iterator[int]:
    """Only one set-up at a time; pip inherits the lock, so an orphan of a kill holds it too."""
    while True:
        file = os.open(venv / LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            while not try_lock(file):
                progress.say(f"waiting for another set-up of {venv} to end")
                progress.wait()
            # Someone may have removed the folder, and the lock with it, in the meantime.
            if _is_still(file, venv / LOCK):
                yield file
                return
        finally:
            os.close(file)
        venv.mkdir(parents=True, exist_ok=True)


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


def fits(root: Path, interpreter: Interpreter, profile: str) -> bool:
    """Whether everything is there already: pins moved in the file only, or installed by hand."""
    have = pins.installed([str(interpreter.packages)])
    supported = interpreter.version in virtualenv.SUPPORTED
    return (
        supported
        and not pins.missing(str(root), profile, have)
        and not pins.drifted(str(root), have)
    )


def create(venv: Path, progress: Progress) -> Interpreter:
    """A new environment in this folder, in place of what an earlier set-up left there."""
    rest = [path for path in venv.iterdir() if path.name not in (LOCK, OWNED, BUSY)]
    if rest and not (venv / OWNED).exists():
        raise UsageError(
            f"{venv} is no Python environment of a supported version and was not made by this "
            "program: remove it, or name another folder in REGRESSION_VENV"
        )
    mark_busy(venv)
    (venv / OWNED).touch()
    for path in rest:
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()
    progress.say("creating the virtual environment")
    tool([sys.executable, "-I", "-m", "venv", "--without-pip", str(venv)], venv)
    # Debian's Python may come without ensurepip; then the base's pip installs from outside.
    if importlib.util.find_spec("ensurepip"):
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


def mark_busy(venv: Path) -> None:
    """Mark the environment as incomplete."""
    (venv / BUSY).touch()
    for profile in virtualenv.PROFILES:
        Path(virtualenv.stamp_of(str(venv), profile)).unlink(missing_ok=True)


def install(
    root: Path,
    venv: Path,
    profile: str,
    interpreter: Interpreter,
    lock: int,
    progress: Progress,
    *,
    again: bool,
) -> None:
    """Install what is pinned by pip."""
    limits = venv / "regression-constraints.txt"
    limits.write_text(pins.other_constraints(str(root), profile), encoding="utf-8")
    command = [*pip(venv, interpreter), "install", "--progress-bar=off", "--no-color", "--no-input"]
    command += ["--disable-pip-version-check", "-c", str(limits)]
    # A package that was cut short cannot be uninstalled, only be overwritten.
    command += ["--ignore-installed"] if again else []
    command += pins.dependencies(str(root), profile)
    variables = {name: value for name, value in os.environ.items() if name not in ELSEWHERE}
    code, output = run_pip(
        command, variables | pip_variables(venv), lock, interpreter.packages, progress
    )
    if code:
        raise failed("pip", code, output, venv, WITHOUT_NETWORK)


def pip_variables(venv: Path) -> dict[str, str]:
    """Variables that spare pip work: PySpark comes as source, and most of its 450 MB are archives already.

    Wheels that are built here are not compressed, and modules are compiled when they are first imported.
    """
    options = venv / "regression-build.cfg"
    options.write_text("[bdist_wheel]\ncompression = stored\n", encoding="utf-8")
    return {"DIST_EXTRA_CONFIG": str(options), "PIP_COMPILE": "0"}


def pip(venv: Path, interpreter: Interpreter) -> list[str]:
    """The environment's pip, or else the one of the Python that runs this."""
    python = virtualenv.python_of(str(venv))
    if interpreter.has_pip:
        return [python, "-I", "-m", "pip"]
    command = [sys.executable, "-I", "-m", "pip"]
    answer = subprocess.run([*command, "--version"], capture_output=True, text=True).stdout
    numbers = [part for part in answer.split(" ")[1:2] for part in part.split(".")[:2]]
    if tuple(int(number) for number in numbers if number.isdigit()) < PIP_WITH_PYTHON_OPTION:
        raise EnvironmentFailed(
            f"{sys.executable} has neither ensurepip nor pip 22.3 or later: install them (on "
            "Debian and Ubuntu the package python3-venv), or start with another Python"
        )
    return [*command, "--python", python]


def write_stamps(root: Path, venv: Path, profile: str, interpreter: Interpreter) -> None:
    """Note what the environment was set up for, so that the next start need not look."""
    content = virtualenv.expected_stamp(str(root), str(venv))
    for name in virtualenv.PROFILES:
        if name == profile or fits(root, interpreter, name):
            write_whole(Path(virtualenv.stamp_of(str(venv), name)), content)


def failed(what: str, code: int, output: str, venv: Path, advice: str) -> EnvironmentFailed:
    """An error that shows the last output of the tool and what to do."""
    if "No space left on device" in output:
        return explained(OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), venv)
    what += f" ended with exit code {code}"
    lines = [line for line in output.splitlines() if line.strip()]
    _, broken, reason = output.rpartition("connection broken by ")
    if broken:
        # What pip concludes from a missing index is misleading, what it met is not.
        what, lines = "pip could not reach the package index", reason.splitlines()[:1]
    shown = "".join(f"\n    {line[:300]}" for line in lines[-8:])
    return EnvironmentFailed(f"set-up failed: {what}:{shown}\n{advice}".rstrip())


def explained(error: OSError, venv: Path) -> EnvironmentFailed:
    """What the operating system refused, with the way around it."""
    advice = "name a folder that can be written in REGRESSION_VENV, or make this one writable"
    if error.errno == errno.ENOSPC:
        advice = (
            "set-up takes 2 GB there and as much for a while in the folder for temporary files: "
            "make room, or name other folders in REGRESSION_VENV and TMPDIR"
        )
    where = error.filename or venv
    return EnvironmentFailed(f"set-up of {venv} failed: {error.strerror} ({where}); {advice}")
