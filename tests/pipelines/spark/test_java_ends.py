"""Java and its workers end with the process that started them, whatever moment it ends."""

from __future__ import annotations

import fcntl
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from helpers.base.time_limits import scaled
from pipelines.spark import class_archive, session_folder
from pipelines.spark.java import find_java
from pipelines.system.waiting import poll
from tests.processes import descendants, is_alive

spark_group = pytest.mark.xdist_group("spark")
# In processes of their own, one after the other, while another worker has the tests' session.
own_spark = pytest.mark.xdist_group("sparks of their own")
ROOT = Path(__file__).resolve().parents[3]
# A session that has workers, and a process that then waits for whatever comes.
PROGRAM = """
import time
from pipelines.spark.session import spark_session
session = spark_session("local[1]")
assert session.sparkContext.parallelize([1, 2], 1).map(lambda x: x + 1).sum() == 5
try:
    print("ready", flush=True)
    time.sleep(600)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


def made_archive() -> Path:
    """The archive of Spark's classes, once whoever is making it is done."""
    folder = class_archive.archive_folder(find_java())
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / class_archive.LOCK).open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
    assert class_archive.sharing_options(find_java()), list(folder.iterdir())
    return folder / class_archive.ARCHIVE


def start(program: str, temporary: Path) -> subprocess.Popen[str]:
    """A program in a session of its own, so that a signal to it reaches nothing else."""
    return subprocess.Popen(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(temporary)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


@own_spark
@pytest.mark.parametrize(
    "ending",
    [
        pytest.param(signal.SIGKILL, id="kill -9"),
        pytest.param(signal.SIGINT, id="Ctrl-C", marks=pytest.mark.nightly),
    ],
)
def test_java_and_its_workers_end_with_us(ending: signal.Signals, tmp_path: Path) -> None:
    """And Java has its classes out of the archive: the session of the other tests may have started while
    another process made it."""
    archive = made_archive()
    process = start(PROGRAM, tmp_path)
    assert process.stdout is not None and process.stderr is not None
    try:
        line = process.stdout.readline()
        assert line == "ready\n", process.stderr.read()
        below = descendants(process.pid)
        commands = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in below}
        (java,) = (pid for pid, command in commands.items() if b"SparkSubmit" in command)
        assert any(b"pyspark.daemon" in command for command in commands.values())
        assert str(archive) in Path(f"/proc/{java}/maps").read_text()
        (folder,) = tmp_path.glob(f"{session_folder.PREFIX}*")
        # A killed Java removes nothing: what it leaves goes with the folder.
        assert f"-Djava.io.tmpdir={folder}".encode() in commands[java].split(b"\0")
        if ending == signal.SIGINT:
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
        else:
            process.send_signal(ending)
        rest, errors = process.communicate(timeout=60)
        assert (rest, errors) == ("interrupted\n" if ending == signal.SIGINT else "", "")
        assert poll(lambda: not any(map(is_alive, below)), 30), [*filter(is_alive, below)]
    finally:
        if process.poll() is None:
            process.kill()


STARTING = """
from pipelines.errors import PipelineError
from pipelines.spark.session import spark_session
try:
    spark_session("local[1]")
except PipelineError as error:
    print(error)
"""


def frozen_java(process: subprocess.Popen[str]) -> int:
    """The Java process of a session that starts, stopped before it has said where it listens."""

    def java() -> list[int]:
        return [
            pid
            for pid in descendants(process.pid)
            if Path(f"/proc/{pid}/comm").read_text() == "java\n"
            and b"deploy.SparkSubmit" in Path(f"/proc/{pid}/cmdline").read_bytes()
            and b"launcher.Main" not in Path(f"/proc/{pid}/cmdline").read_bytes()
        ]

    found = poll(lambda: _without_gone(java), 60)
    assert found, "no Java was started"
    os.kill(found[0], signal.SIGSTOP)
    return found[0]


def _without_gone(java: Callable[[], list[int]]) -> list[int]:
    """Java's launcher and the shell around it may end while they are looked at."""
    try:
        return java()
    except OSError:
        return []


@own_spark
@pytest.mark.parametrize("ending", [signal.SIGKILL, None], ids=["kill -9", "it goes on"])
def test_java_ends_if_its_folder_is_gone_before_it_has_answered(
    ending: signal.Signals | None, tmp_path: Path
) -> None:
    """It cannot write its answer, and without one it never looks whether we are there."""
    made_archive()
    process = start(STARTING, tmp_path)
    java = 0
    try:
        java = frozen_java(process)
        if ending:
            process.send_signal(ending)
            process.wait()
        for folder in tmp_path.iterdir():
            shutil.rmtree(folder)
        if is_alive(java):
            os.kill(java, signal.SIGCONT)
        words, errors = process.communicate(timeout=60)
        assert poll(lambda: not is_alive(java), 20), "Java stays"
        assert errors == ""
        assert ending or ("was removed while Java started" in words and words.count("\n") == 1)
    finally:
        for pid in (process.pid, java):
            if pid and is_alive(pid):
                os.kill(pid, signal.SIGKILL)


@own_spark
def test_an_interrupt_does_not_wait_for_a_java_that_still_starts(tmp_path: Path) -> None:
    """The kernel ends it; with this one, which is stopped, the process would wait for ever."""
    made_archive()
    process = start(STARTING, tmp_path)
    java = 0
    try:
        java = frozen_java(process)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=scaled(20))
        assert poll(lambda: not is_alive(java), 20), "Java stays"
    finally:
        for pid in (process.pid, java):
            if pid and is_alive(pid):
                os.kill(pid, signal.SIGKILL)
