"""Binaries that cannot be used: one clear line, exit code 2 or 3."""

from __future__ import annotations

import platform
from pathlib import Path

import pytest

from helpers.base.time_limits import scaled
from helpers.cli.main import main
from helpers.cluster.local import node as local_node
from pipelines.system.waiting import poll
from tests.cluster.binary.binaries import installed, needs_binary, script
from tests.processes import is_alive

OTHER_MACHINE = {"x86_64": 0xB7}.get(platform.machine(), 0x3E)


def refusal(path: Path | str, code: int, capsys: pytest.CaptureFixture[str], *more: str) -> str:
    """What the command line says about a binary; one line."""
    given = ["--env", "binary", "--clickhouse-binary", str(path), *more]
    assert main([*given, "--only", "/replace partition/statement/keep data/*"]) == code
    message = capsys.readouterr().err.strip()
    assert len(message.splitlines()) == 1 and "Traceback" not in message
    return message


def test_no_such_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there is no such file" in refusal(tmp_path / "clickhouse", 2, capsys)


def test_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "is a folder or a device" in refusal(tmp_path, 2, capsys)


def test_not_executable(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "clickhouse"
    file.write_text("#!/bin/sh\n")
    assert "is not executable; try: chmod +x" in refusal(file, 2, capsys)


def test_another_architecture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "clickhouse"
    header = b"\x7fELF\x02\x01\x01" + bytes(9) + b"\x02\x00" + bytes([OTHER_MACHINE, 0])
    file.write_bytes(header + bytes(100))
    file.chmod(0o755)
    assert f"and this machine is {platform.machine()}" in refusal(file, 2, capsys)


def test_not_a_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "clickhouse"
    file.write_bytes(b"PK\x03\x04" + bytes(100))
    file.chmod(0o755)
    assert "is not a program for Linux" in refusal(file, 2, capsys)


def test_not_clickhouse(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    message = refusal(script(tmp_path / "true", "echo something else; exit 0"), 2, capsys)
    assert "is no ClickHouse server" in message and "something else" in message


def test_a_script_that_hangs_leaves_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_node, "READY_SECONDS", 2.0)
    pid = tmp_path / "pid"
    file = script(tmp_path / "clickhouse", f"sleep 1000 &\necho $! > {pid}\nwait")
    assert "is no ClickHouse server" in refusal(file, 2, capsys)
    assert poll(lambda: not is_alive(int(pid.read_text())), scaled(10))


@needs_binary
def test_too_old_for_the_configuration(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (
        "<clickhouse><profiles><default><from_the_future>1</from_the_future></default></profiles>"
        "</clickhouse>"
    )
    program = script(
        tmp_path / "clickhouse-server",
        f"echo '{text}' > users.d/future.xml\nexec {installed()} \"$@\"",
    )
    message = refusal(program, 3, capsys)
    assert "is too old for the configuration" in message and "from_the_future" in message


def test_an_option_of_another_environment(capsys: pytest.CaptureFixture[str]) -> None:
    message = refusal("clickhouse", 2, capsys, "--clickhouse-version", "26.7")
    assert "--clickhouse-version means nothing to --env binary" in message


def test_nothing_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("helpers.cluster.binary.program.find_server", lambda: None)
    assert main(["--env", "binary", "--only", "/replace partition/statement/keep data/*"]) == 2
    assert "needs --clickhouse-binary PATH" in capsys.readouterr().err
