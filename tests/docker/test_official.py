"""Nodes of an image with the entrypoint of the official one: they start, and start again."""

from __future__ import annotations

import gzip
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import docker
import pytest
from docker.errors import ContainerError
from docker.models.containers import Container

from helpers.base.paths import ROOT
from helpers.base.time_limits import scaled
from helpers.cluster.docker import recipes as docker_recipes
from pipelines.system.waiting import poll
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
    """A command that puts these users into the image's configuration and starts all but the server."""
    text = f"<clickhouse><profiles><default/></profiles><users>{users}</users></clickhouse>"
    instead = "ln -sf /bin/true /usr/local/bin/clickhouse-server"
    return f"echo '{text}' > /etc/clickhouse-server/users.xml; {instead}; exec /entrypoint.sh"


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


SCRIPTS = {
    "1-table.sql": b"CREATE TABLE shop.t (a String) ENGINE = MergeTree ORDER BY a;\n"
    b"INSERT INTO shop.t VALUES ('sql');\n",
    "2-more.sql.gz": gzip.compress(b"INSERT INTO shop.t VALUES ('gz');\n"),
    "3-executed.sh": b"#!/bin/sh\n$CLIENT -q \"INSERT INTO shop.t VALUES ('sh')\"\n"
    b"grep -c '00000000:2328 00000000:0000 0A' /proc/net/tcp > /var/lib/clickhouse/open-to-all || true\n",
    "4-sourced.sh": b'"${client[@]}" -q "INSERT INTO shop.t VALUES (\'sourced\')"\n',
    "5-ignored.txt": b"SELECT wrong;\n",
}
FAILS = {"1-wrong.sql": b"CREATE TABLE nowhere.t (a String) ENGINE = MergeTree ORDER BY a;\n"}
CLIENT = "clickhouse-client --host 127.0.0.1 -u one --password two"
USER = {"CLICKHOUSE_USER": "one", "CLICKHOUSE_PASSWORD": "two", "CLIENT": CLIENT}


@contextmanager
def first_started(
    engine: docker.DockerClient, image: str, scripts: dict[str, bytes], **variables: str
) -> Iterator[Container]:
    """A container that was just started with these scripts."""
    place = "/docker-entrypoint-initdb.d"
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w") as files:
        for name, text in scripts.items():
            entry = tarfile.TarInfo(name)
            entry.size, entry.mode = len(text), 0o755 if "executed" in name else 0o644
            files.addfile(entry, io.BytesIO(text))
    container = engine.containers.create(image, environment={**USER, **variables})
    try:
        container.put_archive(place, archive.getvalue())
        container.start()
        yield container
    finally:
        container.remove(force=True, v=True)


def asked(container: Container, query: str) -> str:
    """The answer of a server that is open to all, as soon as there is one."""

    def is_open() -> bool:
        container.reload()
        assert container.status == "running", container.logs().decode()
        listens = container.exec_run(
            ["grep", "-q", "00000000:2328 00000000:0000 0A", "/proc/net/tcp"]
        )
        return bool(listens.exit_code == 0)

    assert poll(is_open, scaled(60)), container.logs().decode()
    return str(container.exec_run([*CLIENT.split(), "-q", query]).output.decode().strip())


def test_scripts_are_executed_on_the_first_start(engine: docker.DockerClient, image: str) -> None:
    """By a server that only its container reaches; a second start leaves the database as it is."""
    rows = "SELECT arrayStringConcat(arraySort(groupArray(a)), ' ') FROM shop.t"
    with first_started(engine, image, SCRIPTS, CLICKHOUSE_DB="shop") as container:
        assert asked(container, rows) == "gz sh sourced sql"
        log = container.logs().decode()
        assert "5-ignored.txt is no script" in log
        assert "database already" not in log
        seen = container.exec_run(["cat", "/var/lib/clickhouse/open-to-all"]).output
        assert seen.decode().strip() == "0"
        container.restart(timeout=20)
        assert asked(container, rows) == "gz sh sourced sql"
        assert "database already" in container.logs().decode()


@pytest.mark.parametrize(
    ("scripts", "variables", "told"),
    [
        (FAILS, {}, "nowhere"),
        (SCRIPTS, {"CLICKHOUSE_INIT_TIMEOUT": "0"}, "did not answer in time"),
    ],
    ids=["a script that fails", "no time"],
)
def test_a_first_start_that_fails(
    engine: docker.DockerClient,
    image: str,
    scripts: dict[str, bytes],
    variables: dict[str, str],
    told: str,
) -> None:
    with first_started(engine, image, scripts, **variables) as container:
        assert container.wait(timeout=scaled(60))["StatusCode"] != 0
        assert told in container.logs().decode()
