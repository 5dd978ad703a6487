"""A container as a program that is started, frozen, killed and waited for."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import docker
import docker.types
from docker.errors import APIError, NotFound
from docker.models.containers import Container as EngineContainer
from docker.models.networks import Network

from helpers.base.errors import EnvironmentFailed
from helpers.base.time_limits import scaled
from helpers.cluster.docker.engine import explained
from helpers.cluster.processes.process import Program
from pipelines.system.waiting import poll

KILL_SECONDS = 30.0
HISTORY_BYTES = 4000
USER = f"{os.getuid()}:{os.getgid()}"  # files that a container writes belong to whoever runs this

USERS = "root:x:0:0::/root:/bin/sh\nclickhouse:x:101:101::/var/lib/clickhouse:/bin/false\n"


class Container(Program):
    """A container in the network of a cluster; it stays when it ends, and can be started again."""

    def __init__(
        self,
        client: docker.DockerClient,
        network: Network,
        name: str,
        address: str,
        options: dict[str, Any],
    ) -> None:
        """`name` and `address` are what the others in the network reach it by, as long as it exists;
        `options` are those of the engine."""
        self.name = name
        self.address = address
        self.image = str(options["image"])
        endpoint = client.api.create_endpoint_config(aliases=[name], ipv4_address=address)
        with explained(f"The container {name} ({self.image}) cannot be created"):
            self.container: EngineContainer = client.containers.create(
                **{"hostname": name, **options},
                network=network.name,
                networking_config={network.name: endpoint},
                detach=True,
            )

    @property
    def state(self) -> dict[str, Any]:
        """The state that the engine reports now; empty if the container is gone."""
        with explained(f"The container {self.name} cannot be asked"):
            try:
                self.container.reload()
            except NotFound:
                return {}
        return dict(self.container.attrs["State"])

    @property
    def pid(self) -> int:
        return int(self.state.get("Pid", 0))

    @property
    def alive(self) -> bool:
        return bool(self.state.get("Running"))

    @property
    def ending(self) -> str:
        state = self.state
        if not state:
            return "removed"
        if state["Running"]:
            health = state.get("Health", {}).get("Status")
            return f"still running, {health}" if health == "unhealthy" else "still running"
        reason = f" ({state['Error']})" if state.get("Error") else ""
        if state.get("OOMKilled"):
            reason = " (out of memory)"
        return f"ended with exit code {state['ExitCode']}{reason}"

    def start(self) -> None:
        with explained(f"The container {self.name} ({self.image}) cannot be started"):
            self.container.start()

    def signal(self, number: signal.Signals) -> None:
        """SIGSTOP and SIGCONT freeze and thaw all of its processes."""
        doing = f"The container {self.name} cannot be given {number.name}"
        with explained(doing), contextlib.suppress(APIError):  # it is gone, or as it shall be
            match number:
                case signal.SIGSTOP:
                    self.container.pause()
                case signal.SIGCONT:
                    self.container.unpause()
                case _:
                    self.container.kill(signal=number.name)

    def wait(self, seconds: float) -> bool:
        return bool(poll(lambda: not self.alive, seconds, pause=0.03))

    def kill(self) -> None:
        if self.state.get("Paused"):
            self.signal(signal.SIGCONT)  # the engine kills nothing that is paused
        self.signal(signal.SIGKILL)
        if not self.wait(scaled(KILL_SECONDS)):
            raise EnvironmentFailed(
                f"The container {self.name} did not end {KILL_SECONDS:.0f} s after SIGKILL: "
                f"docker inspect {self.container.name} tells more."
            )

    def last_output(self, lines: int = 10) -> str:
        try:
            output: bytes = self.container.logs(tail=lines)
        except APIError:
            return ""
        return output.decode(errors="replace")[-HISTORY_BYTES:].strip()

    def remove(self) -> None:
        with contextlib.suppress(APIError):
            self.container.remove(force=True, v=True)


def mount(target: str, source: Path | str, *, read_only: bool = False) -> docker.types.Mount:
    """A file or folder of the host that a container sees at this path."""
    return docker.types.Mount(target, str(source), type="bind", read_only=read_only)


def own_user(folder: Path) -> list[docker.types.Mount]:
    """The names of users with that of `USER`: HDFS and Spark refuse a user who has none.

    Images know root and nobody else who runs this.
    """
    if os.getuid() == 0:
        return []
    file = folder / "passwd"
    if not file.exists():
        file.write_text(f"{USERS}regression:x:{USER}::/tmp:/bin/sh\n")
    return [mount("/etc/passwd", file, read_only=True)]


class Place:
    """Where a service of a cluster runs: an address in the network, which it keeps, and a container, which
    `make` creates with options of the engine when the service is first started."""

    def __init__(self, address: str, make: Callable[[dict[str, Any]], Container]) -> None:
        self.address = address
        self.container: Container | None = None
        self._make = make

    def start(self, options: Callable[[], dict[str, Any]] = dict) -> Container:
        """Start the container; nothing happens if it runs."""
        if self.container is None:
            self.container = self._make(options())
        self.container.start()
        return self.container

    def discard(self) -> None:
        """Remove the container; the next start makes another one."""
        if self.container is not None:
            self.container.remove()
            self.container = None
