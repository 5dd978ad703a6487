"""The start of both launchers: which Python environment runs the project.

Python 3.6 must be able to read this file, so that too old a Python is told so in plain words
or replaced by a fitting one. Every start goes through here: only `os`, `signal` and `sys` are
imported unless there is something to set up, which is the work of `helpers.setup.provision`.
"""

# pathlib alone would cost 12 ms a start.
# ruff: noqa: PTH112, PTH118

import os
import signal
import sys

from helpers.setup.virtualenv import (
    SUPPORTED,
    USAGE,
    complaint,
    dotted,
    is_current,
    location,
    python_of,
)

# The commands that need Spark from their start; a run installs it when a scenario needs it.
WITH_SPARK = ("export", "doctor", "images")


def stage_of(arguments: "list[str]") -> str:
    """The stage of set-up that a command line of regression.py needs before it starts."""
    return "spark" if arguments[:1] and arguments[0] in WITH_SPARK else "run"


def prepare(root: str, stage: str) -> str:
    """The Python that has everything this stage needs; sets it up first if necessary."""
    venv = location(root)
    supported = sys.version_info[:2] in SUPPORTED
    active = os.environ.get("VIRTUAL_ENV")
    elsewhere = active and os.path.realpath(active) != os.path.realpath(venv)
    # An activated environment or a container that has everything is used as it is.
    everything = "dev" if stage == "dev" else "spark"
    if supported and (elsewhere or not os.path.isdir(venv)) and running_one_fits(root, everything):
        return sys.executable
    if is_current(root, venv, stage):
        return python_of(venv)
    if os.name != "posix":
        sys.exit(complaint("it runs on Linux and macOS; on Windows use WSL", USAGE))
    if not supported:
        restart_with(fitting_python())
    from helpers.setup.provision import set_up

    return set_up(root, venv, stage)


def environment(root: str) -> "dict[str, str]":
    """This process's environment, with the project importable from any working directory."""
    inherited = os.environ.get("PYTHONPATH")
    path = root + os.pathsep + inherited if inherited else root
    variables = dict(os.environ, PYTHONPATH=path)
    if sys.getfilesystemencoding().lower() != "utf-8":
        # Files and names of files are UTF-8 whatever the locale is; a terminal gets what it can show.
        variables.setdefault("PYTHONIOENCODING", sys.stdout.encoding)
        variables["PYTHONUTF8"] = "1"
    # Else clickhouse-driver computes a table of all dates from 1900 to 2299 whenever it is imported: a
    # third of a start. Any value that is no range of dates means that it fills the table as it goes.
    variables.setdefault("CLICKHOUSE_DRIVER_LASY_DATE_LUT", "as needed")
    venv = location(root)
    # Modules are compiled when they are first imported. Where nothing may be written beside them (many
    # containers say so) every process would compile all of them again: they are kept in the environment.
    if variables.get("PYTHONDONTWRITEBYTECODE") and os.path.isdir(venv):
        del variables["PYTHONDONTWRITEBYTECODE"]
        variables.setdefault("PYTHONPYCACHEPREFIX", os.path.join(venv, "cache", "bytecode"))
    return variables


def running_one_fits(root: str, stage: str) -> bool:
    """Whether the running interpreter can already import everything in the pinned versions."""
    from helpers.setup.pins import installed, missing

    try:
        have = installed([path for path in sys.path if path.endswith("-packages")])
        return not missing(root, stage, have)
    except (OSError, ValueError) as error:
        sys.exit(complaint(str(error), USAGE))


def fitting_python() -> str:
    """A supported interpreter on PATH; ends the program with an error if there is none."""
    broken = []
    names = ["python" + dotted(version) for version in reversed(SUPPORTED)]
    for name in [*names, "python3", "python"]:
        for folder in os.get_exec_path():
            candidate = os.path.join(folder, name)
            if not os.access(candidate, os.X_OK):
                continue
            if is_supported(candidate):
                return candidate
            if name in names:
                broken.append(candidate)
    versions = ", ".join(dotted(version) for version in SUPPORTED)
    none_runs = f" that runs ({', '.join(broken)}: does not)" if broken else ""
    text = (
        f"it needs one of Python {versions}; this is {dotted(sys.version_info[:2])} "
        f"({sys.executable}) and PATH has none{none_runs}. Install one and start again, "
        f"or name one: /path/to/python{dotted(SUPPORTED[0])} {sys.argv[0]}"
    )
    sys.exit(complaint(text, USAGE))


def is_supported(python: str) -> bool:
    """Whether an interpreter runs in a supported version; version managers leave wrappers that do not."""
    import subprocess

    script = f"import sys; print(sys.version_info[:2] in {SUPPORTED})"
    try:
        output = subprocess.check_output(
            [python, "-I", "-c", script],
            stdin=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return False
    return output.strip() == b"True"


def restart_with(python: str) -> None:
    """Run the same command line again under another interpreter."""
    os.execv(python, [python, *sys.argv])


def hand_over(command: "list[str]", variables: "dict[str, str]") -> None:
    """Become another program, which has to unblock signals (helpers/base/signals.py).

    One that comes meanwhile waits for it. Python would lose an interrupt that arrives after its last look
    and before the new program.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
    os.execve(command[0], command, variables)
