"""Nodes of an image with the entrypoint of the official one: they start, and start again."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import docker
import pytest
from docker.errors import ContainerError

from helpers.base.paths import ROOT
from helpers.cluster.docker import recipes as docker_recipes
from tests.docker.conftest import build

pytestmark = pytest.mark.xdist_group("docker")
SOCKET = Path("/var/run/docker.sock")
ROWS = [[30, sum(range(30))]]
ANOTHER_USER = 12345


@pytest.fixture(scope="module", params=["official", "official:18.16"])
def image(engine: docker.DockerClient, request: pytest.FixtureRequest) -> str:
    name = str(request.param)
    build(engine, [name])
    return docker_recipes.find(name).reference


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that another user can reach; those of pytest are for this one only."""
    folder = Path(tempfile.mkdtemp(prefix="regression-official-"))
    yield folder
    shutil.rmtree(folder)


@pytest.mark.parametrize("user", [os.getuid(), ANOTHER_USER])
def test_a_node_starts_again(image: str, folder: Path, user: int) -> None:
    """After a restart and after a kill, with the same rows, as the user who runs the scenarios."""
    python = [sys.executable] if user == os.getuid() else python_of_another(user)
    os.chown(folder, user, -1)
    done = subprocess.run(
        [*python, "-m", "tests.docker.restarts", str(folder / "nodes"), image],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "HOME": str(folder),
            "PYTHONPATH": os.pathsep.join(sys.path),
            "CLICKHOUSE_USER": "default",
        },
    )
    assert done.returncode == 0, done.stdout + done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    if image.endswith("18.16"):
        assert "in readonly mode" in told.pop("writes")
        assert told.pop("reads") == "1"
    # HDFS and Spark refuse a user without a name.
    name = "root" if user == 0 else "regression"
    assert told == {"seen": [ROWS] * 3, "server": user, "owner": user, "called": name}


def python_of_another(user: int) -> list[str]:
    """A Python of this version that this user can execute, as a member of the engine's group."""
    if os.getuid() != 0 or not SOCKET.exists():
        pytest.skip("only root can become another user of a local engine")
    becoming = f"setpriv --reuid={user} --regid={user} --groups={SOCKET.stat().st_gid}".split()
    for python in (sys.executable, f"/usr/bin/python3.{sys.version_info.minor}"):
        command = [*becoming, python]
        # As a child of another program: setpriv itself may have rights that are lost later.
        if (
            subprocess.run(
                [*becoming, "sh", "-c", f"{python} -c pass"], stderr=subprocess.DEVNULL
            ).returncode
            == 0
        ):
            return command
    pytest.skip(f"the user {user} can execute no Python of this version")


def configuration(users: str) -> str:
    """A command that puts these users into the image's configuration and starts its entrypoint."""
    text = f"<clickhouse><profiles><default/></profiles><users>{users}</users></clickhouse>"
    return f"echo '{text}' > /etc/clickhouse-server/users.xml; exec /entrypoint.sh true"


def output(engine: docker.DockerClient, image: str, users: str, **variables: str) -> str:
    """What the entrypoint prints in place of starting a server."""
    printed: bytes = engine.containers.run(
        image,
        ["-c", configuration(users)],
        entrypoint="/bin/bash",
        environment=variables,
        remove=True,
        stderr=True,
    )
    return printed.decode()


def test_the_entrypoint_wants_a_user_default(engine: docker.DockerClient, image: str) -> None:
    """Also where it is told to leave users alone: what the official one does."""
    with pytest.raises(ContainerError, match=r"Not found: users\.default"):
        output(engine, image, "<somebody/>", CLICKHOUSE_SKIP_USER_SETUP="1")
    skipped = output(engine, image, "<default/>", CLICKHOUSE_SKIP_USER_SETUP="1")
    assert "stays as it is" in skipped
    assert "gets no access from the network" in output(engine, image, "<default/>")
    assert "the user one is made" in output(engine, image, "<default/>", CLICKHOUSE_USER="one")
