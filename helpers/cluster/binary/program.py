"""The program of `--env binary`: an installed one, a file, or a file in a package; unpacked and checked."""

from __future__ import annotations

import hashlib
import os
import platform
import re
import shutil
import subprocess
import tarfile
import tempfile
from pathlib import Path

from helpers.base.errors import EnvironmentFailed, UsageError
from helpers.base.paths import ENGINES
from helpers.base.time_limits import scaled

OPTION = "--clickhouse-binary"
SERVER = "clickhouse-server"
NAMES = ("clickhouse", SERVER)
PACKAGES = (".deb", ".tgz", ".tar.gz", ".tar.xz")
UNPACKED = ENGINES / "packages"
UNPACK_SECONDS = 300.0
ELF = b"\x7fELF"
# The values of the field e_machine in an ELF header.
MACHINES = {
    0x03: "i386",
    0x28: "arm",
    0x3E: "x86_64",
    0xB7: "aarch64",
    0xF3: "riscv64",
    0x15: "ppc64le",
}


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
    if path.name.endswith(PACKAGES) and path.is_file():
        path = in_package(path)
    if path.exists() and not path.is_file():
        raise UsageError(f"{OPTION} {given} is a folder or a device: name the program itself.")
    if not path.is_file():
        raise UsageError(f"{OPTION} {given}: there is no such file.")
    if not os.access(path, os.X_OK):
        advice = f"; try: chmod +x {given}" if _header(path).startswith((ELF, b"#!")) else ""
        raise UsageError(f"{OPTION} {given} is not executable{advice}.")
    header = _header(path)
    if header.startswith(ELF) and len(header) == 20:
        number = int.from_bytes(header[18:20], "little" if header[5] == 1 else "big")
        machine = MACHINES.get(number, f"machine {number}")
        if machine != platform.machine():
            raise UsageError(
                f"{OPTION} {given} is a program for {machine}, and this machine is {platform.machine()}."
            )
    elif not header.startswith(b"#!"):
        raise UsageError(f"{OPTION} {given} is not a program for Linux.")
    return path


def _header(path: Path) -> bytes:
    try:
        with path.open("rb") as program:
            return program.read(20)
    except OSError as error:
        raise UsageError(f"{OPTION} {path} cannot be read: {error.strerror}.") from None


def unpack_itself(path: Path) -> None:
    """Let a program that unpacks itself do so, before the time limit of a first start runs.

    ClickHouse's own download is such a program; any other one only prints its version.
    """
    if path.read_bytes()[:4] != ELF:
        return
    try:
        subprocess.run(
            [path, "--version"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=scaled(UNPACK_SECONDS),
        )
    except subprocess.TimeoutExpired:
        raise EnvironmentFailed(
            f"{OPTION} {path} did not unpack itself within {scaled(UNPACK_SECONDS):.0f} s."
        ) from None
    except OSError as error:
        raise UsageError(f"{OPTION} {path} cannot be executed: {error.strerror}.") from None


def in_package(package: Path) -> Path:
    """The server in a package, which is unpacked once into `.engines/packages`."""
    try:
        state = package.stat()
    except OSError as error:
        raise UsageError(f"{OPTION} {package}: {error.strerror}.") from None
    identity = f"{package}:{state.st_size}:{state.st_mtime_ns}"
    digest = hashlib.sha256(identity.encode()).hexdigest()[:16]
    folder = UNPACKED / f"{package.name}-{digest}"
    if not folder.is_dir():
        UNPACKED.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=UNPACKED) as new:
            _unpack(package, Path(new) / "package")
            if not folder.is_dir():  # another run may have been faster
                (Path(new) / "package").rename(folder)
    for name in NAMES:
        for program in sorted(folder.rglob(name)):
            if program.is_file() and program.parent.name in ("bin", "sbin"):
                return program
    raise UsageError(
        f"{OPTION} {package} has no {' and no '.join(NAMES)} in a folder bin or sbin. "
        "Upstream's server is in the package clickhouse-common-static."
    )


def _unpack(package: Path, folder: Path) -> None:
    folder.mkdir()
    try:
        if package.suffix != ".deb":
            with tarfile.open(package) as archive:
                archive.extractall(folder, filter="data")
            return
        if shutil.which("dpkg-deb") is None:
            raise UsageError(
                f"{OPTION} {package} needs the program dpkg-deb, or unpack it yourself."
            )
        command = ["dpkg-deb", "--extract", str(package), str(folder)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise UsageError(f"{OPTION} {package} cannot be unpacked: {done.stderr.strip()}")
    except (OSError, tarfile.TarError) as error:
        raise UsageError(f"{OPTION} {package} cannot be unpacked: {error}.") from None
