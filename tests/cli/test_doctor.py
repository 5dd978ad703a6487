"""The command `doctor`: what it says of a server of our own, of one with other settings, and of none."""

from __future__ import annotations

import pytest

from helpers.cli.main import main
from helpers.cluster.embedded.node import EmbeddedNode


def test_a_server_of_our_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for line in (
        "server        ClickHouse 26.9",
        "settings      as scenarios expect",
        "capability    failpoints: yes",
        "capability    replication: no: the engine of the wheel has no interserver listener",
    ):
        assert line in out
    total, skipped = out.partition("scenarios     ")[2].split()[2], out.count(" need ")
    assert int(total) > 400 and skipped > 0


def test_a_server_with_other_settings(
    node: EmbeddedNode, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("helpers.cli.doctor.baseline", lambda: {"mutations_sync": "2", "gone": "1"})
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", node.endpoint.password)
    url = f"clickhouse://{node.endpoint.user}@127.0.0.1:{node.endpoint.tcp_port}"
    assert main(["doctor", "--clickhouse", url]) == 0
    out = capsys.readouterr().out
    assert "settings      mutations_sync is 0; scenarios expect 2" in out
    assert "settings      gone is unknown to this server; scenarios expect 1" in out
    assert "capability    process control: no" in out


def test_no_server(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--clickhouse", "clickhouse://127.0.0.1:1"]) == 3
    errors = capsys.readouterr().err
    assert errors.startswith("regression: ") and errors.count("\n") == 1
    assert main(["doctor", "--env", "kubernetes"]) == 2
