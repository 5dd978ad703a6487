"""Run the tests of a module with another text of it, in a process that has the libraries already."""

from __future__ import annotations

import importlib
import importlib.machinery
import os
import signal
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import CodeType

import pytest

ROOT = Path(__file__).resolve().parents[2]
LIBRARIES = ("clickhouse_driver", "pyarrow", "pyspark.sql", "testflows.core", "testflows.asserts")
OURS = ("helpers", "pipelines", "requirements", "steps", "tests", "bench", "scenarios")
OPTIONS = ("-q", "-x", "-p", "no:cacheprovider", "-m", "not nightly")
PAUSE = 0.02


def load_libraries() -> None:
    """Import once what every process needs; a library that is not installed is not needed."""
    for name in LIBRARIES:
        with suppress(ImportError):
            importlib.import_module(name)


def fail(module: str, source: str, tests: Sequence[str], seconds: float) -> bool:
    """Whether tests fail, or do not end in time, with this text of a module."""
    child = os.fork()
    if not child:
        code = 3
        try:
            code = _run(module, source, tests)
        finally:
            os._exit(code)
    deadline = time.monotonic() + seconds
    try:
        while time.monotonic() < deadline:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status) != 0
            time.sleep(PAUSE)
        return True
    finally:
        # What the tests have started is in the group of the child.
        with suppress(ProcessLookupError):
            os.killpg(child, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(child, 0)


def _run(module: str, source: str, tests: Sequence[str]) -> int:
    """In the child: forget our own modules, and load this one from the given text."""
    os.setsid()
    nowhere = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(nowhere, descriptor)
    sys.dont_write_bytecode = True
    os.environ["PYTHONPATH"] = str(ROOT)
    for name in [name for name in sys.modules if name.partition(".")[0] in OURS]:
        del sys.modules[name]
    original = importlib.machinery.SourceFileLoader.get_code
    mutated = module.removesuffix(".py").replace("/", ".")

    def get_code(self: importlib.machinery.SourceFileLoader, name: str) -> CodeType | None:
        if name == mutated:
            code: CodeType = compile(source, str(ROOT / module), "exec")
            return code
        return original(self, name)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign, assignment]
    return int(pytest.main([*OPTIONS, *(str(ROOT / test) for test in tests)]))
