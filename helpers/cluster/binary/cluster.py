"""Servers out of a binary (`--env binary`), as child processes on loopback, with a coordination service."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

from helpers.base.errors import EnvironmentFailed, UsageError
from helpers.cluster.binary.node import UNKNOWN_SETTING, Binary, BinaryNode
from helpers.cluster.client.failures import Unavailable
from helpers.cluster.local.cluster import LocalCluster
from helpers.cluster.service import Coordination
from helpers.cluster.services.java import why_not_startable
from helpers.cluster.services.keeper import Keeper, find_keeper
from helpers.cluster.services.zookeeper import ZooKeeper, find_jars

OPTION = "--clickhouse-binary"
SERVER = "clickhouse-server"
# The values of the field e_machine in an ELF header.
MACHINES = {
    0x03: "i386",
    0x28: "arm",
    0x3E: "x86_64",
    0xB7: "aarch64",
    0xF3: "riscv64",
    0x15: "ppc64le",
}
ONE_BINARY = "another version: this environment has one binary"


class BinaryCluster(LocalCluster[BinaryNode]):
    """Nodes of one binary, and the services that they ask for."""

    environment = "binary"

    def __init__(self, folder: Path, path: Path) -> None:
        super().__init__(folder)
        self.binary = Binary(path)

    def make_node(self, name: str) -> BinaryNode:
        return BinaryNode(name, self.folder / name, self.binary, self._password)

    def choose_version(self, node: BinaryNode, version: str) -> None:
        raise Unavailable(ONE_BINARY)

    def why_no_second_engine(self) -> str | None:
        return ONE_BINARY

    def coordination(self) -> Coordination:
        return self._started("coordination", self._make_coordination)

    def _make_coordination(self) -> Coordination:
        folder, keeper = self.folder / "coordination", find_keeper(self.binary.path)
        return Keeper(folder, keeper) if keeper else ZooKeeper(folder)

    def why_no_coordination(self) -> str | None:
        return None if find_keeper(self.binary.path) else why_not_startable(find_jars)


def find_server() -> Path | None:
    """An installed server; Debian puts it into /usr/sbin, which is not in every PATH."""
    program = shutil.which(SERVER, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    return Path(program) if program else None


def why_no_old_server() -> str | None:
    """Why there is no server of 2018 here, or None if there is one."""
    program = find_server()
    if program is None:
        return f"the program {SERVER} (Debian's package of this name) is not installed here"
    # 18.16 does not know the option; a server that answers it is a later one.
    answer = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    if re.search(r"version \d+\.\d+", answer):
        return f"{program} is not of 2018: {answer.strip()}"
    return None


def checked(given: str | Path | None) -> Path:
    """The program, if this machine can execute it."""
    if given is None:
        installed = find_server()
        if installed is None:
            raise UsageError(
                f"--env binary needs {OPTION} PATH: no {SERVER} is installed here (looked in PATH)."
            )
        return installed
    path = Path(given).expanduser().absolute()
    if path.exists() and not path.is_file():
        raise UsageError(f"{OPTION} {given} is a folder or a device: name the program itself.")
    if not path.is_file():
        raise UsageError(f"{OPTION} {given}: there is no such file.")
    if not os.access(path, os.X_OK):
        raise UsageError(f"{OPTION} {given} is not executable; try: chmod +x {given}")
    try:
        with path.open("rb") as program:
            header = program.read(20)
    except OSError as error:
        raise UsageError(f"{OPTION} {given} cannot be read: {error.strerror}.") from None
    if header.startswith(b"\x7fELF") and len(header) == 20:
        number = int.from_bytes(header[18:20], "little" if header[5] == 1 else "big")
        machine = MACHINES.get(number, f"machine {number}")
        if machine != platform.machine():
            raise UsageError(
                f"{OPTION} {given} is a program for {machine}, and this machine is {platform.machine()}."
            )
    elif not header.startswith(b"#!"):
        raise UsageError(f"{OPTION} {given} is not a program for Linux.")
    return path


def prepare(given: str | Path | None) -> str:
    """Start one server to check the program and our configuration; returns its name and version."""
    path = checked(given)
    with (
        tempfile.TemporaryDirectory(prefix="regression-binary-") as folder,
        BinaryCluster(Path(folder), path) as cluster,
    ):
        try:
            version = cluster.node().version
        except EnvironmentFailed as failed:
            raise _explained(path, failed, Path(folder)) from None
    return f"{path.name} {version}"


def _explained(
    path: Path, failed: EnvironmentFailed, folder: Path
) -> UsageError | EnvironmentFailed:
    """Why it did not come up, in one line. A program that wrote no log has not read our configuration."""
    unknown = re.search(rf"{UNKNOWN_SETTING} '?\w+", str(failed))
    if unknown:
        return EnvironmentFailed(
            f"{OPTION} {path} is too old for the configuration it is started with: {unknown[0]}."
        )
    lines = [line.strip() for line in str(failed).splitlines() if line.strip()]
    headline, last = lines[0].partition(" Its last output")[0], lines[-1] if len(lines) > 1 else ""
    if not any(folder.glob("*/server.log")):
        return UsageError(f"{OPTION} {path} is no ClickHouse server: {headline} {last}".strip())
    return EnvironmentFailed(f"{headline} {last}".strip())
