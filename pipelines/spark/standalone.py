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
import tempfile
from collections.abc import Callable
from pathlib import Path

import pyspark

from pipelines.errors import PipelineError
from pipelines.spark.class_archive import sharing_options, spark_variables
from pipelines.spark.java import find_java, join_options
from pipelines.system import parent_death
from pipelines.system.processes import descendants
from pipelines.system.waiting import poll

HOST = "127.0.0.1"
START_SECONDS = 180.0
# Of each worker.
CORES, MEMORY_MB = "1", 1024
# Small heaps and no costly compiling: these processes only pass messages.
DAEMON_OPTIONS = ("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
# Only a session submits work; the port of this service would be the same for every master.
NO_REST = "-Dspark.master.rest.enabled=false"
STARTED = re.compile(r"Starting Spark master at (spark://\S+)")
REGISTERED = "Registering worker"


class StandaloneCluster:
    """`with StandaloneCluster() as cluster: spark_session(cluster.url, conf=cluster.conf)`."""

    def __init__(self, workers: int = 2) -> None:
        if workers < 1:
            raise PipelineError("A cluster has at least one worker.")
        self._count = workers
        self._folder = Path()
        self._master: subprocess.Popen[bytes] | None = None
        self.workers: list[subprocess.Popen[bytes]] = []
        self.url = ""
        self._java = find_java()
        self._java_options = join_options([*DAEMON_OPTIONS, *sharing_options(self._java)])

    @property
    def conf(self) -> dict[str, str]:
        """Settings by which a session takes all of each worker."""
        return {
            "spark.executor.cores": CORES,
            "spark.executor.memory": f"{MEMORY_MB}m",
            "spark.executor.extraJavaOptions": self._java_options,
            "spark.sql.shuffle.partitions": str(self._count),
        }

    @property
    def pids(self) -> list[int]:
        """All processes of the cluster that run now, with those of its sessions."""
        processes = [process for process in (self._master, *self.workers) if process]
        running = [process.pid for process in processes if process.poll() is None]
        return [pid for parent in running for pid in (parent, *descendants(parent))]

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

    def __exit__(self, *_: object) -> None:
        self._end()

    def kill_worker(self, number: int) -> None:
        """Kill -9 a worker with everything that runs on it, as if its machine had failed."""
        worker = self.workers[number]
        for pid in (worker.pid, *descendants(worker.pid)):
            _kill(pid)
        worker.wait()

    def busy_workers(self) -> list[int]:
        """The numbers of those workers on which Python runs for a task."""
        return [
            number
            for number, worker in enumerate(self.workers)
            if any(_is_python_of_spark(pid) for pid in descendants(worker.pid))
        ]

    def _start_worker(self, number: int) -> subprocess.Popen[bytes]:
        folder = self._folder / f"worker{number}"
        return self._run(
            f"worker{number}",
            *("worker.Worker", "--port", "0", "--work-dir", str(folder)),
            *("--cores", CORES, "--memory", f"{MEMORY_MB}M", self.url),
        )

    def _run(self, name: str, main: str, *arguments: str) -> subprocess.Popen[bytes]:
        home = Path(pyspark.__file__).parent
        variables = {
            **os.environ,
            **spark_variables(self._java),
            "SPARK_LOCAL_IP": HOST,
            "SPARK_LOCAL_DIRS": str(self._folder / name),
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": f"{self._java_options} {NO_REST}",
        }
        command = [
            *(str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{main}"),
            *("--host", HOST, "--webui-port", "0", *arguments),
        ]
        with self._log(name).open("wb") as log:
            return subprocess.Popen(
                parent_death.bound(command),
                env=variables,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def _wait_for_master(self) -> str:
        self._wait("master", lambda log: STARTED.search(log) is not None)
        started = STARTED.search(self._log("master").read_text(errors="replace"))
        assert started
        return started[1]

    def _wait(self, what: str, ready: Callable[[str], bool]) -> None:
        """Until the master's log says so."""

        def is_ready() -> bool:
            return ready(self._log("master").read_text(errors="replace"))

        if poll(is_ready, START_SECONDS, pause=0.1, give_up=lambda: self._ended() is not None):
            return
        if (name := self._ended()) is None:
            raise PipelineError(f"Spark's {what} did not start within {START_SECONDS:.0f} s.")
        lines = self._log(name).read_text(errors="replace").splitlines()
        reason = next((line for line in lines if "rror" in line or "xception" in line), lines[-1:])
        raise PipelineError(f"Spark's {name} ended at its start: {reason}")

    def _ended(self) -> str | None:
        """The name of a process that ended by itself."""
        processes = {"master": self._master}
        processes |= {f"worker{number}": worker for number, worker in enumerate(self.workers)}
        for name, process in processes.items():
            if process is not None and process.poll() is not None:
                return name
        return None

    def _log(self, name: str) -> Path:
        return self._folder / f"{name}.log"

    def _end(self) -> None:
        for pid in self.pids:
            _kill(pid)
        for process in filter(None, (self._master, *self.workers)):
            process.wait()
        self._master, self.workers = None, []
        shutil.rmtree(self._folder, ignore_errors=True)


def _is_python_of_spark(pid: int) -> bool:
    with contextlib.suppress(OSError):
        return b"pyspark.daemon" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def _kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
