"""Spark beside the nodes of a docker cluster: master and workers in containers, the driver in this process.

Containers of Debian's Python get the packages that are installed here mounted, so that no image has to be
built for them, and driver and workers have the same versions whatever these are.
"""

from __future__ import annotations

import json
import threading
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docker.types

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.cluster import Spark
from helpers.cluster.docker import recipes as docker_recipes
from helpers.cluster.docker.container import USER, Container, Place, mount, own_user

MASTER, WORKERS = "master", ("worker1", "worker2")
MASTER_PORT, WEB_PORT = 7077, 8080
READY_SECONDS = 180.0
EXECUTOR_MB = 1024
# Jobs are short: optimising their code costs more than it saves.
EXECUTOR_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
# For any image. Without the locale Java finds no file with letters beyond ASCII in its name.
ANY = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "SPARK_WORKER_DIR": "/tmp/work"}


class DockerSpark:
    """Started on first use, in a folder below that of the cluster.

    `image` is one that has Spark; None for the packages that are installed here.
    """

    def __init__(
        self, folder: Path, place: Callable[[str], Place], gateway: str, image: str | None
    ) -> None:
        self._folder = folder
        self._places = {name: place(name) for name in (MASTER, *WORKERS)}
        self._gateway = gateway
        self._image = image
        self._lock = threading.Lock()
        self.containers: dict[str, Container] = {}

    @property
    def session(self) -> Spark:
        """What a session of this process needs to run there, with an executor on each worker."""
        return Spark(
            f"spark://{self._places[MASTER].address}:{MASTER_PORT}",
            {
                "spark.driver.host": self._gateway,
                "spark.driver.bindAddress": self._gateway,
                "spark.executor.cores": "1",
                "spark.executor.memory": f"{EXECUTOR_MB}m",
                "spark.executor.extraJavaOptions": EXECUTOR_OPTIONS,
                "spark.sql.shuffle.partitions": str(len(WORKERS)),
                "spark.pyspark.python": "python3",
            },
        )

    def start(self) -> None:
        """Start what does not run, and wait until the workers have registered."""
        with self._lock:
            if len(self.containers) > len(WORKERS) and self._living_workers() == len(WORKERS):
                return
            self._start(MASTER)
            self._wait("Spark's master", 0)
            self._start(*WORKERS)
            self._wait("Spark's workers", len(WORKERS))

    def kill_worker(self, name: str) -> None:
        """SIGKILL for a worker's container, and with it for everything that runs there."""
        self.containers[name].kill()

    def finish(self) -> None:
        """End the session that this process has there; waits for a start that is on its way."""
        with self._lock:
            if self.containers:
                # Here and not above: it imports PySpark, which takes a second.
                from pipelines.spark.session import stop_session

                stop_session(on=self.session.master)

    def _start(self, *names: str) -> None:
        for name in names:
            self.containers[name] = self._places[name].start(self._options)

    def _wait(self, what: str, workers: int) -> None:
        def ask() -> None:
            for container in self.containers.values():
                if not container.alive:
                    raise EnvironmentFailed(
                        f"{what} did not come up: {container.name} {container.ending}. Its last "
                        f"output:\n{container.last_output()}"
                    )
            if self._living_workers() < workers:
                raise OSError(f"fewer than {workers} workers have registered")

        self.containers[MASTER].wait_until_ready(
            what, ask, READY_SECONDS, not_yet=(OSError, ValueError)
        )

    def _living_workers(self) -> int:
        """The number that the master reports; OSError if it does not answer."""
        url = f"http://{self._places[MASTER].address}:{WEB_PORT}/json/"
        with urllib.request.urlopen(url, timeout=2) as answer:
            return int(json.load(answer)["aliveworkers"])

    def _options(self) -> dict[str, Any]:
        # Driver and workers exchange files below the folder of the cluster.
        shared = mount(str(self._folder.parent), self._folder.parent)
        if self._image is not None:
            return {"image": self._image, "user": USER, "environment": ANY, "mounts": [shared]}
        program, users = self._written()
        spark = docker_recipes.package("pyspark")
        mounted = {
            "/opt/java": docker_recipes.java_runtime(),
            "/opt/java-without-vectors": program,
            "/opt/spark": spark,
            "/opt/site": spark.parent,
        }
        return {
            "image": docker_recipes.find("python").reference,
            "user": USER,
            "working_dir": "/tmp",
            "environment": {
                **ANY,
                "SPARK_HOME": "/opt/spark",
                "JAVA_HOME": "/opt/java-without-vectors",
                "PYTHONPATH": "/opt/site",
                "PYTHONDONTWRITEBYTECODE": "1",
            },
            "mounts": [
                shared,
                *users,
                *(mount(target, source, read_only=True) for target, source in mounted.items()),
            ],
        }

    def _written(self) -> tuple[Path, list[docker.types.Mount]]:
        """The folder of the Java program, and the names of users."""
        folder = self._folder / "java"
        shim = folder / "bin" / "java"
        try:
            if not shim.exists():  # once: other containers execute it already
                shim.parent.mkdir(parents=True)
                shim.write_bytes(docker_recipes.java_without_vectors())
                shim.chmod(0o755)
            return folder, own_user(self._folder)
        except OSError as error:
            raise EnvironmentFailed(
                f"Spark cannot be set up in {self._folder}: {error.strerror}."
            ) from None
