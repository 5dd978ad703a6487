"""A Spark cluster on loopback: a master and workers from the pip package, which end with us.

Master and workers are killed by the kernel when the thread that started them ends, however it ends;
what runs on a worker ends when it loses its worker.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType

import pyspark

from pipelines import leash
from pipelines.class_data import empty_folder, sharing_options
from pipelines.errors import PipelineError
from pipelines.java import find_java

HOST = "127.0.0.1"
START_SECONDS = 180.0
POLL_SECONDS = 0.1
# Small heaps and no costly compiling: these processes only pass messages.
DAEMON_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# Nobody but a session is to hand in work, and its port is the same for every master.
NO_REST = "-Dspark.master.rest.enabled=false"
STARTED = re.compile(r"Starting Spark master at (spark://\S+)")
REGISTERED = "Registering worker"


class StandaloneCluster:
    """`with StandaloneCluster() as cluster: spark_session(cluster.url, conf=cluster.conf)`."""

    def __init__(self, workers: int = 2, *, cores: int = 1, memory_mb: int = 1024) -> None:
        if min(workers, cores) < 1:
            raise PipelineError("A cluster has at least one worker with at least one core.")
        self._count, self._cores, self._memory_mb = workers, cores, memory_mb
        self._folder = Path()
        self._master: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self.url = ""

    @property
    def conf(self) -> dict[str, str]:
        """Settings by which a session takes all of each worker."""
        return {
            "spark.executor.cores": str(self._cores),
            "spark.executor.memory": f"{self._memory_mb}m",
            "spark.executor.extraJavaOptions": _java_options(),
            "spark.sql.shuffle.partitions": str(self._count * self._cores),
        }

    @property
    def pids(self) -> list[int]:
        """All processes of the cluster that run now, with those of its sessions."""
        started = [one for one in (self._master, *self.workers) if one and one.poll() is None]
        return [pid for one in started for pid in (one.pid, *_descendants(one.pid))]

    def __enter__(self) -> StandaloneCluster:
        self._folder = Path(tempfile.mkdtemp(prefix="spark-cluster-"))
        try:
            self._master = self._run("master", "master.Master", "--port", "0")
            self.url = self._wait_for_master()
            for number in range(self._count):
                self.workers.append(self._start_worker(number))
            self._wait("workers", lambda log: log.count(REGISTERED) >= self._count)
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._end()

    def kill_worker(self, number: int) -> None:
        """Kill -9 a worker with everything that runs on it, as if its machine had failed."""
        worker = self.workers[number]
        for pid in (worker.pid, *_descendants(worker.pid)):
            _kill(pid)
        worker.wait()

    def _start_worker(self, number: int) -> subprocess.Popen[bytes]:
        folder = self._folder / f"worker{number}"
        return self._run(
            f"worker{number}",
            *("worker.Worker", "--port", "0", "--work-dir", str(folder)),
            *("--cores", str(self._cores), "--memory", f"{self._memory_mb}M", self.url),
        )

    def _run(self, name: str, main: str, *arguments: str) -> subprocess.Popen[bytes]:
        home = Path(pyspark.__file__).parent
        variables = {
            **os.environ,
            "JAVA_HOME": str(find_java().path),
            "SPARK_HOME": str(home),
            "SPARK_CONF_DIR": str(empty_folder()),
            "SPARK_LOCAL_IP": HOST,
            "SPARK_LOCAL_DIRS": str(self._folder / name),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": f"{_java_options()} {NO_REST}",
        }
        command = [
            *(sys.executable, "-IS", str(Path(leash.__file__)), str(os.getpid())),
            *(str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{main}"),
            *("--host", HOST, "--webui-port", "0", *arguments),
        ]
        with self._log(name).open("wb") as log:
            return subprocess.Popen(
                command, env=variables, stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def _wait_for_master(self) -> str:
        self._wait("master", lambda log: STARTED.search(log) is not None)
        found = STARTED.search(self._log("master").read_text(errors="replace"))
        assert found
        return found[1]

    def _wait(self, what: str, ready: Callable[[str], bool]) -> None:
        """Until the master's log says so."""
        end = time.monotonic() + START_SECONDS
        while not ready(self._log("master").read_text(errors="replace")):
            running = {"master": self._master}
            running |= {f"worker{number}": one for number, one in enumerate(self.workers)}
            for name, process in running.items():
                if process is not None and process.poll() is not None:
                    lines = self._log(name).read_text(errors="replace").splitlines()
                    words = next((one for one in lines if "rror" in one or "xception" in one), "")
                    raise PipelineError(f"Spark's {name} ended at its start: {words or lines[-1:]}")
            if time.monotonic() > end:
                raise PipelineError(f"Spark's {what} did not start within {START_SECONDS:.0f} s.")
            time.sleep(POLL_SECONDS)

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def _end(self) -> None:
        for pid in self.pids:
            _kill(pid)
        for process in filter(None, (self._master, *self.workers)):
            process.wait()
        self._master, self.workers = None, []
        shutil.rmtree(self._folder, ignore_errors=True)


def _java_options() -> str:
    return " ".join([DAEMON_OPTIONS, *sharing_options(find_java())])


def _descendants(pid: int) -> list[int]:
    """The processes that a process started, and those that these started."""
    children: list[int] = []
    try:
        for task in Path(f"/proc/{pid}/task").iterdir():
            children += map(int, (task / "children").read_text().split())
    except OSError:
        return []  # it has ended
    return [one for child in children for one in (child, *_descendants(child))]


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
