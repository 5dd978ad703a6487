"""The program of `--env binary`: in packages, unpacking itself, and named by `--clickhouse`."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path
from typing import Any, cast

import pytest

from helpers.base.errors import EnvironmentFailed, UsageError
from helpers.cli.options.run import parser
from helpers.cluster.binary import program
from helpers.cluster.environments import open_cluster
from helpers.cluster.target import Target
from tests.cluster.binary.binaries import installed, needs_binary, script


@pytest.fixture(autouse=True)
def unpacked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(program, "UNPACKED", tmp_path / "unpacked")
    return tmp_path / "unpacked"


def package(folder: Path, name: str = "clickhouse-common-static.tgz", inside: str = "") -> Path:
    """A package with a script for a server."""
    inside = inside or "clickhouse-26.9/usr/bin/clickhouse"
    server = script(folder / "content" / inside, "exit 3")
    file = folder / name
    with tarfile.open(file, "w:gz") as archive:
        archive.add(server, inside)
    return file


def test_a_server_in_a_package_is_unpacked_once(tmp_path: Path, unpacked: Path) -> None:
    file = package(tmp_path)
    first = program.checked(file)
    assert first.name == "clickhouse" and first.is_relative_to(unpacked)
    first.write_text("#!/bin/sh\nexit 4\n")
    assert program.checked(file).read_text().endswith("exit 4\n"), "it was unpacked again"
    assert len(list(unpacked.iterdir())) == 1


@needs_binary
def test_a_package_of_debian(tmp_path: Path) -> None:
    """Of the installed server: what dpkg-deb makes is what it unpacks."""
    tree = tmp_path / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN" / "control").write_text(
        "Package: x\nVersion: 1\nArchitecture: all\nMaintainer: x <x@x>\nDescription: x\n"
    )
    (tree / "usr" / "sbin").mkdir(parents=True)
    (tree / "usr" / "sbin" / "clickhouse-server").write_bytes(installed().read_bytes())
    (tree / "usr" / "sbin" / "clickhouse-server").chmod(0o755)
    file = tmp_path / "server.deb"
    subprocess.run(["dpkg-deb", "--build", tree, file], check=True, capture_output=True)
    assert program.checked(file).read_bytes() == installed().read_bytes()


@needs_binary
def test_a_server_in_an_archive_runs(tmp_path: Path, unpacked: Path) -> None:
    """A server of Debian's, in an archive of upstream's layout."""
    inside = "clickhouse-common-static-18.16.1/usr/bin/clickhouse-server"
    file = tmp_path / "clickhouse-common-static-18.16.1-amd64.tgz"
    with tarfile.open(file, "w:gz") as archive:
        archive.add(installed(), inside)
    given = parser().parse_args(["--env", "binary", "--clickhouse-package", str(file)])
    with open_cluster(Target.of(given), tmp_path / "nodes") as cluster:
        node = cluster.node()
        assert node.value("SELECT 1") == 1
        executed = Path(f"/proc/{cast(Any, node).pid}/exe").readlink()
    assert executed.is_relative_to(unpacked) and str(executed).endswith(inside)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("no archive", "cannot be unpacked"), (None, "has no clickhouse and no clickhouse-server")],
)
def test_packages_that_cannot_be_used(text: str | None, expected: str, tmp_path: Path) -> None:
    file = package(tmp_path, inside="usr/bin/other")
    if text is not None:
        file.write_text(text)
    with pytest.raises(UsageError, match=expected):
        program.checked(file)


def test_a_program_that_unpacks_itself_does_so_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program, "ELF", b"#!/b")  # a script stands in for it
    file = script(tmp_path / "clickhouse", 'echo "$1" > "$(dirname "$0")/asked"')
    program.unpack_itself(file)
    assert (tmp_path / "asked").read_text() == "--version\n"
    monkeypatch.setattr(program, "UNPACK_SECONDS", 0.1)
    with pytest.raises(EnvironmentFailed, match="did not unpack itself"):
        program.unpack_itself(script(tmp_path / "slow", "exec sleep 5"))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("26.7", {"--clickhouse-version": "26.7"}),
        ("docker://a/b:26.3", {"--env": "docker", "--clickhouse-image": "a/b:26.3"}),
        ("/usr/bin/clickhouse", {"--env": "binary", "--clickhouse-binary": "/usr/bin/clickhouse"}),
        ("x_26.9_amd64.deb", {"--env": "binary", "--clickhouse-binary": "x_26.9_amd64.deb"}),
        ("clickhouse://h:9000", {"--env": "remote", "--clickhouse-url": "clickhouse://h:9000"}),
    ],
)
def test_one_option_names_any_server(text: str, expected: dict[str, str]) -> None:
    assert Target.of(parser().parse_args(["--clickhouse", text])).arguments == expected


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--clickhouse", "https://x/clickhouse.deb"], "nothing is fetched from there"),
        (["--clickhouse", "26.7", "--clickhouse-version", "26.9"], "give one of them"),
        (["--clickhouse", "docker://x", "--env", "binary"], "give one of them"),
    ],
)
def test_contradictions_are_refused(options: list[str], expected: str) -> None:
    with pytest.raises(UsageError, match=expected):
        Target.of(parser().parse_args(options))
