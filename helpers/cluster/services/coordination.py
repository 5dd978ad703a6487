"""A coordination service as one process on loopback: ZooKeeper, or the Keeper that a ClickHouse binary has.

Both speak the same protocol and answer the same four-letter words, so they differ in how they are started.
"""

from __future__ import annotations

from abc import abstractmethod
from pathlib import Path

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.processes import process
from helpers.cluster.processes.ports import LOOPBACK, is_taken, reserve_free
from helpers.cluster.service import Coordination, ProgramService

READY_SECONDS = 90.0
ATTEMPTS = 3


class LocalCoordination(ProgramService, Coordination):
    """One server, which keeps its data below a folder."""

    port_count = 1

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.host = LOOPBACK
        self._take_ports()

    @abstractmethod
    def command(self) -> list[str | Path]:
        """How it is started."""

    @abstractmethod
    def configure(self) -> None:
        """Write the files that it starts with."""

    def start(self) -> None:
        if self.running:
            return
        if self._child is not None:
            self._spawn()
            return
        # If another program has taken its port meanwhile, choose another one: no client uses it yet.
        for _ in range(ATTEMPTS):
            if any(map(is_taken, self.ports)):
                self.release()
                self._take_ports()
        self._spawn()

    @property
    def ports(self) -> list[int]:
        return [port.number for port in self._ports]

    def release(self) -> None:
        """End it for good and give its ports back."""
        self.kill()
        for port in self._ports:
            port.release()

    def _take_ports(self) -> None:
        self._ports = reserve_free(self.port_count)
        self.port = self.ports[0]

    def _spawn(self) -> None:
        for port in self.ports:
            if is_taken(port):
                raise EnvironmentFailed(
                    f"{self.name} cannot be started: its port {port} on {LOOPBACK} was taken by another "
                    f"program; end what listens there (ss -ltnp 'sport = {port}')."
                )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self.configure()
            self._child = process.start(
                self.command(), cwd=self.folder, output=self.folder / "output.log"
            )
        except OSError as error:
            raise EnvironmentFailed(
                f"{self.name} cannot be started in {self.folder}: {error.strerror}."
            ) from None
        self._child.wait_until_ready(self.name, self.ask, READY_SECONDS, not_yet=(OSError,))
