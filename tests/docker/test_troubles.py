"""Real troubles: an engine that goes away, servers that hang, ports that are taken, a disk that is full."""

from __future__ import annotations

import os
import re
import socket
import subprocess
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import docker
import pytest

from helpers.base.errors import ENVIRONMENT, EnvironmentFailed
from helpers.base.paths import ROOT
from helpers.base.time_limits import scaled
from helpers.cluster.docker import cleanup as docker_cleanup
from helpers.cluster.docker.choice import image_of
from helpers.cluster.docker.cleanup import RUN
from helpers.cluster.docker.network import ClusterNetwork
from helpers.cluster.processes.ports import reserve_free
from pipelines.system.waiting import poll
from tests.docker.clusters import docker_cluster
from tests.docker.relay import Relay
from tests.docker.test_commands import command, is_gone, runs_of
from tests.docker.test_leftovers import left, new_run
from tests.runner.suite import Suite

pytestmark = pytest.mark.xdist_group("docker")
MOST_ADDRESSES = 2**24
WAITS_AND_RESTARTS = """
from pathlib import Path

@TestScenario
@Requirements(Requirement("RQ.One", "1.0"))
def waits(self):
    with Given("a server that runs, and something that happens"):
        Path("{started}").touch()
        this().eventually(Path("{happened}").exists, timeout=60)
    with Then("it is restarted"):
        this().node().restart()
        assert this().node().value("SELECT 1") == 1, error()
"""


def ended(arguments: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True)


@pytest.fixture
def relay(engine: docker.DockerClient, tmp_path: Path) -> Iterator[Relay]:
    relay = Relay(tmp_path / "relay.sock")
    relay.start()
    yield relay
    relay.stop()


@pytest.mark.nightly
def test_an_engine_that_is_stopped_and_started_in_the_middle(
    engine: docker.DockerClient, relay: Relay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The run says so; what it has left goes when the engine is back."""
    started, happened = tmp_path / "started", tmp_path / "happened"
    suite = Suite(tmp_path)
    suite.write(WAITS_AND_RESTARTS.format(started=started, happened=happened))
    with monkeypatch.context() as patched:
        patched.setenv("DOCKER_HOST", relay.url)
        child = suite.start("--env", "docker", "--workers", "1")
    assert poll(started.exists, scaled(60), give_up=lambda: child.poll() is not None)
    (run,) = runs_of(engine, child.pid)
    relay.stop()
    happened.touch()
    _, stderr = child.communicate(timeout=scaled(120))
    assert child.returncode == ENVIRONMENT, stderr
    (line,) = [line for line in stderr.splitlines() if line.startswith("regression: ")]
    assert "The run cannot go on: the Docker engine does not answer any more" in line
    assert "Start it (systemctl start docker) and run again" in line
    assert left(engine, run)
    relay.start()
    assert poll(partial(is_gone, engine, run), scaled(60), pause=0.2), left(engine, run)


@pytest.mark.nightly
def test_a_container_that_hangs_is_told_with_its_last_lines(
    engine_for_replicas: docker.DockerClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with docker_cluster(tmp_path, image_of("18.16")) as cluster:
        coordination = cluster.coordination()
        coordination.kill()
        monkeypatch.setattr("helpers.cluster.docker.services.READY_SECONDS", 3.0)
        monkeypatch.setattr(type(coordination), "ask", _refuse)
        with pytest.raises(EnvironmentFailed) as failure:
            coordination.start()
    text = str(failure.value)
    assert re.match(r"coordination \(regression/zookeeper:3\.9\) did not come up \(still run", text)
    assert "Its last output:\n" in text and " INFO " in text, text


def _refuse(_: object) -> None:
    raise OSError("it does not serve yet")


@pytest.fixture
def two_ports() -> Iterator[int]:
    """The first of two neighbouring ports that nobody has: `up` publishes both."""
    while True:
        first, second = reserve_free(2)
        try:
            if second.number == first.number + 1:
                yield first.number
                return
        finally:
            first.release()
            second.release()


def test_a_port_that_is_taken(engine: docker.DockerClient, tmp_path: Path, two_ports: int) -> None:
    port = str(two_ports)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", two_ports))
        taken.listen()
        arguments = ("--env", "docker", "--port", port, "--results", str(tmp_path))
        done = ended(command("up", *arguments))
    assert done.returncode == ENVIRONMENT, done.stdout
    assert done.stderr.startswith("regression: The container node1 (regression/clickhouse:26.9)")
    assert f"127.0.0.1:{port}" in done.stderr and "Name another port" in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_network_without_addresses(engine: docker.DockerClient) -> None:
    labels = docker_cleanup.labels_of(new_run())
    network = ClusterNetwork(engine, labels[RUN], labels)
    try:
        with pytest.raises(EnvironmentFailed, match="no address left for another container"):
            for _ in range(MOST_ADDRESSES):
                network.next_address()
    finally:
        docker_cleanup.remove(engine, labels[RUN])


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make a small file system")
def test_a_full_disk(engine: docker.DockerClient, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(small)], check=True)
    try:
        arguments = ("--env", "docker", "--only", "*keeps rows and parts", "--results", str(small))
        done = ended(command(*arguments))
    finally:
        subprocess.run(["umount", "--lazy", str(small)], check=True)
    assert done.returncode == ENVIRONMENT, done.stdout
    assert "No space left on device" in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
