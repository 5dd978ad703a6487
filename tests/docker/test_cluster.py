"""Servers in containers: the same interface, and the same truth about what happens to them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import docker
import pytest

from helpers.base.errors import EnvironmentFailed, NotReadyInTime
from helpers.cluster.client.failures import NodeDied, QueryFailed, QueryTimedOut
from helpers.cluster.docker.choice import image_of
from helpers.cluster.docker.cluster import DockerCluster
from helpers.cluster.docker.container import Container
from helpers.cluster.docker.node import DockerNode
from helpers.cluster.node import User
from helpers.cluster.processes.process import Program
from tests.docker.clusters import docker_cluster

pytestmark = pytest.mark.xdist_group("docker")
FILL = "INSERT INTO t.numbers SELECT number % 3, number FROM system.numbers LIMIT 30"
CHECKSUM = "SELECT count(), sum(cityHash64(p, n)) FROM t.numbers"


@pytest.fixture(scope="module")
def cluster(
    engine: docker.DockerClient, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[DockerCluster]:
    with docker_cluster(tmp_path_factory.mktemp("docker"), image_of(None)) as cluster:
        yield cluster


@pytest.fixture
def node(cluster: DockerCluster) -> Iterator[DockerNode]:
    node = cluster.node()
    node.query("CREATE DATABASE t ENGINE = Atomic")
    node.query(
        "CREATE TABLE t.numbers (p UInt8, n UInt64) ENGINE = MergeTree PARTITION BY p ORDER BY n"
    )
    node.query(FILL)
    yield node
    cluster.node().query("DROP DATABASE t SYNC")


def test_it_runs_the_image_in_a_container(engine: docker.DockerClient, node: DockerNode) -> None:
    assert node.version.startswith("26.9.")
    assert node.container is not None
    (found,) = engine.containers.list(filters={"id": node.container.container.id})
    assert found.attrs["Config"]["Image"] == image_of(None)
    assert not found.attrs["HostConfig"]["Privileged"]
    assert not found.attrs["NetworkSettings"]["Ports"].get("9000/tcp"), "nothing is published"


def test_data_survive_kill_and_restart(node: DockerNode) -> None:
    before = node.query(CHECKSUM)
    assert before[0][0] == 30
    node.kill()
    assert not node.running
    node.start()
    assert node.query(CHECKSUM) == before
    node.restart()
    assert node.query(CHECKSUM) == before


def test_a_frozen_node_hangs_and_goes_on(node: DockerNode) -> None:
    node.freeze()
    ran, container = node.running, node.container
    assert ran and container is not None and container.state["Paused"]
    with pytest.raises(QueryTimedOut):
        node.query("SELECT 1", timeout=1)
    node.thaw()
    assert node.value("SELECT 1") == 1
    node.freeze()
    node.kill()
    assert not node.running
    node.start()


def test_a_container_that_dies_is_told(node: DockerNode) -> None:
    assert node.container is not None
    node.container.container.kill()
    with pytest.raises(NodeDied, match="node1 died: ended with exit code 137"):
        node.query("SELECT 1")
    node.start()


def test_files_of_a_part_are_files_here(node: DockerNode) -> None:
    (path,) = node.column(
        "SELECT path FROM system.parts WHERE database = 't' AND partition = '1' AND active"
    )
    assert Path(path, "checksums.txt").is_file()
    position = node.log_position()
    node.query("SELECT 'found in the log'")
    assert node.log_file.is_file()
    assert "found in the log" in node.log_since(position)


def test_users_and_configuration(cluster: DockerCluster, node: DockerNode) -> None:
    node.add_users([User("reader", ("SELECT ON t.numbers",))])
    assert node.value("SELECT count() FROM t.numbers", user="reader") == 30
    node.fails("DROP TABLE t.numbers", code=497, user="reader")
    text = "<clickhouse><macros><added>yes</added></macros></clickhouse>"
    same = cluster.node(config={"added": text})
    assert same is node
    assert node.value("SELECT getMacro('added')") == "yes"
    assert node.query(CHECKSUM)[0][0] == 30


def test_nodes_reach_each_other(cluster: DockerCluster, node: DockerNode) -> None:
    other = cluster.node("other")
    host, port = node.address
    user, password = node.endpoint.user, node.endpoint.password
    remote = f"remote('{host}:{port}', t.numbers, '{user}', '{password}')"
    assert other.value(f"SELECT sum(n) FROM {remote}") == sum(range(30))


def test_a_partition_cuts_and_heals(cluster: DockerCluster, node: DockerNode) -> None:
    assert cluster.why_no_partition() is None
    other = cluster.node("other")
    host, port = node.address
    remote = (
        f"remote('{host}:{port}', system.one, '{node.endpoint.user}', '{node.endpoint.password}')"
    )
    ask = f"SELECT count() FROM {remote} SETTINGS connect_timeout = 1"
    assert other.value(ask) == 1
    with cluster.partition(node, other):
        with pytest.raises(QueryFailed) as refused:
            other.value(ask)
        assert refused.value.code in (209, 279, 519)
        assert node.value("SELECT 1") == 1, "clients reach both"
        assert other.value("SELECT 1") == 1
    assert other.value(ask) == 1


def test_an_object_store(cluster: DockerCluster, node: DockerNode) -> None:
    assert cluster.why_no_object_store() is None
    store = cluster.object_store()
    store.make_bucket("rows")
    admin = store.identities["admin"]
    function = f"s3('{store.url}/rows/a.csv', '{admin.access_key}', '{admin.secret_key}', 'CSV', 'n UInt64')"
    node.query(f"INSERT INTO FUNCTION {function} SELECT number FROM numbers(5)")
    assert store.keys("rows") == ["a.csv"]
    store.kill()
    store.start()
    assert node.value(f"SELECT sum(n) FROM {function}") == 10
    wrong = function.replace(admin.secret_key, "wrong")
    node.fails(f"SELECT sum(n) FROM {wrong}", code=499)


def test_an_image_that_is_no_server(engine: docker.DockerClient, tmp_path: Path) -> None:
    with (
        docker_cluster(tmp_path, "regression/nettools:bookworm") as wrong,
        pytest.raises(EnvironmentFailed, match=r"node1 \(regression/nettools.* cannot be created"),
    ):
        wrong.node()


def test_a_server_that_does_not_come_up(cluster: DockerCluster) -> None:
    text = "<clickhouse><users_config>nowhere.xml</users_config></clickhouse>"
    with pytest.raises(EnvironmentFailed, match=r"broken \(regression/clickhouse:26\.9\) did not"):
        cluster.node("broken", config={"broken": text})


def test_a_node_that_is_slow_to_start_is_made_anew(
    cluster: DockerCluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In another container, with other files."""
    real, tried = Program.wait_until_ready, []

    def first_is_slow(program: Program, *arguments: Any, **options: Any) -> None:
        assert isinstance(program, Container)
        tried.append(program.container.id)
        real(program, *arguments, **options)
        if len(tried) == 1:
            program.kill()
            raise NotReadyInTime("slow")

    monkeypatch.setattr(Program, "wait_until_ready", first_is_slow)
    node = cluster.node("slow")
    assert node.value("SELECT 1") == 1
    assert len(set(tried)) == 2
    assert (node.folder.with_name("slow-not-ready") / "server.log").is_file()
    # Once it has run it has data: a slow start is a finding then.
    node.kill()
    del tried[:]
    with pytest.raises(NotReadyInTime):
        node.start()


def test_an_image_that_is_not_there(engine: docker.DockerClient, tmp_path: Path) -> None:
    with (
        docker_cluster(tmp_path, "regression/clickhouse:26.1") as wrong,
        pytest.raises(EnvironmentFailed, match=r"images build clickhouse:26\.1"),
    ):
        wrong.node()
