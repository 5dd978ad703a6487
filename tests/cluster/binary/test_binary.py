"""`--env binary`: real servers out of a binary, replicas that agree through a coordination service."""

from __future__ import annotations

import json
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from helpers.base.errors import EnvironmentFailed
from helpers.base.paths import ROOT
from helpers.cluster.binary.cluster import BinaryCluster
from helpers.cluster.binary.node import BinaryNode
from helpers.cluster.capabilities import Capability, why_not
from helpers.cluster.client.failures import QueryFailed, Unavailable
from helpers.cluster.node import User
from helpers.cluster.processes.ports import LOOPBACK
from helpers.cluster.services.coordination import LocalCoordination
from helpers.cluster.services.java import find_java_program
from helpers.cluster.services.keeper import Keeper, find_keeper
from helpers.cluster.services.zookeeper import MAIN, find_jars
from tests.cluster.binary.binaries import installed, multi_call, needs_binary, script
from tests.cluster.conftest import assert_nothing_outlives, python, soon
from tests.processes import ENDS, descendants, is_alive

pytestmark = needs_binary
REPLICATED = "ENGINE = ReplicatedMergeTree('/t', '{node}') PARTITION BY p ORDER BY i"


@pytest.fixture(scope="module")
def binaries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BinaryCluster]:
    with BinaryCluster(tmp_path_factory.mktemp("binary with blanks"), installed()) as cluster:
        yield cluster


def replicas(cluster: BinaryCluster) -> list[BinaryNode]:
    return [cluster.node(f"node{n}", fragments=("replication",)) for n in (1, 2, 3)]


def listening(pid: int) -> set[str]:
    """The addresses on which a process listens, as the kernel tells."""
    links = [str(link.readlink()) for link in Path(f"/proc/{pid}/fd").iterdir()]
    inodes = {link[len("socket:[") : -1] for link in links if link.startswith("socket:")}
    found = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and fields[9] in inodes:
                found.add(fields[1].partition(":")[0])
    return found


def test_replicas_agree(binaries: BinaryCluster) -> None:
    nodes = replicas(binaries)
    for node in nodes:
        node.query(
            f"CREATE TABLE default.t (p UInt64, i UInt64) {REPLICATED.format(node=node.name)}"
        )
    nodes[0].query("INSERT INTO default.t VALUES", data=[(1, 1), (2, 2)])
    rows = "SELECT p, i FROM default.t ORDER BY p"

    def has_rows(node: BinaryNode) -> bool:
        return list(node.query(rows)) == [(1, 1), (2, 2)]

    for node in nodes:
        assert soon(partial(has_rows, node), 30), node.name
    for node in nodes:
        node.drop_table("default.t")


def test_nothing_listens_beyond_loopback(binaries: BinaryCluster) -> None:
    pids = [node.pid for node in replicas(binaries)]
    coordination = binaries.coordination()
    assert isinstance(coordination, LocalCoordination)
    addresses = {address for pid in (*pids, coordination.pid) for address in listening(pid or 0)}
    loopback = {"0100007F", "0000000000000000FFFF00000100007F"}
    assert addresses and addresses <= loopback


def test_only_our_user_gets_in(binaries: BinaryCluster, monkeypatch: pytest.MonkeyPatch) -> None:
    node = binaries.node()
    node.drop_connections()
    monkeypatch.setattr(node, "password", lambda _: "")
    for user in ("default", node.endpoint.user):
        with pytest.raises(QueryFailed) as refused:
            node.query("SELECT 1", user=user)
        assert refused.value.code in (192, 193, 194, 516), user
    node.drop_connections()


def test_capabilities_are_probed(binaries: BinaryCluster) -> None:
    assert why_not(binaries, Capability.REPLICATION) is None
    assert why_not(binaries, Capability.PROCESS_CONTROL) is None
    assert "one binary" in str(why_not(binaries, Capability.SECOND_ENGINE))
    if binaries.node().is_outdated:
        assert "system.fail_points" in str(why_not(binaries, Capability.FAILPOINTS))
        with pytest.raises(Unavailable, match="all rights"):
            binaries.node().add_users([User("somebody")])


def test_old_words_where_new_ones_are_unknown(binaries: BinaryCluster) -> None:
    node = binaries.node()
    node.create_database("words")
    node.query("CREATE TABLE words.t (i UInt64) ENGINE = MergeTree ORDER BY i")
    node.query("INSERT INTO words.t VALUES (1), (2)")
    assert node.value("SELECT sum(i) FROM words.t") == 3
    node.drop_table("words.t")
    node.drop_database("words")
    assert node.query("SHOW TABLES FROM system LIKE 'parts'") == [("parts",)]
    with pytest.raises(QueryFailed) as refused:
        node.query("SELECT * FROM words.t")
    assert refused.value.code in (60, 81)


def test_a_connection_after_a_refusal_is_in_step(binaries: BinaryCluster) -> None:
    node = binaries.node()
    for number in range(5):
        with pytest.raises(QueryFailed):
            node.query("THIS IS NO SQL")
        assert node.value(f"SELECT {number} + 0") == number


def test_the_multi_call_binary(tmp_path: Path) -> None:
    with BinaryCluster(tmp_path / "data", multi_call(tmp_path)) as cluster:
        assert cluster.node().value("SELECT 1") == 1


def test_the_keeper_of_the_binary_is_used(tmp_path: Path) -> None:
    """A stand-in that starts ZooKeeper on the port which the configuration of Keeper names."""
    start = shlex.join(
        map(str, [find_java_program(), "-cp", ":".join(map(str, find_jars())), MAIN])
    )
    settings = (
        "dataDir=./zk\\nclientPort=%s\\nclientPortAddress=127.0.0.1\\nadmin.enableServer=false"
    )
    settings += "\\n4lw.commands.whitelist=srvr\\n"
    program = script(
        tmp_path / "clickhouse",
        f"""
        command=$1; shift
        [ "$command" = keeper ] || exec {installed()} "$@"
        [ "$1" != --help ] || {{ echo usage of keeper; exit 0; }}
        port=$(sed -n 's:.*<tcp_port>\\(.*\\)</tcp_port>.*:\\1:p' "${{1#--config-file=}}")
        printf '{settings}' "$port" > zoo.cfg
        exec {start} ./zoo.cfg
        """,
    )
    assert find_keeper(program) == (program, "keeper")
    with BinaryCluster(tmp_path / "data", program) as cluster:
        node = cluster.node(fragments=("replication",))
        assert isinstance(cluster.coordination(), Keeper)
        assert node.value("SELECT count() FROM system.zookeeper WHERE path = '/'")


def test_a_binary_is_asked_for_its_keeper_once(tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    program = script(tmp_path / "clickhouse", f"echo $* >> '{asked}'; echo usage of keeper")
    assert [find_keeper(program) for _ in range(3)] == [(program, "keeper")] * 3
    assert asked.read_text() == "keeper --help\n"


def test_coordination_survives_its_end(binaries: BinaryCluster) -> None:
    node = binaries.node(fragments=("replication",))
    coordination = binaries.coordination()
    exists = "SELECT count() FROM system.zookeeper WHERE path = '/'"
    assert node.value(exists)
    coordination.kill()
    assert not coordination.running
    coordination.start()

    def back() -> bool:
        try:
            return bool(node.value(exists))
        except QueryFailed:
            return False

    assert soon(back, 60)


def test_a_port_of_coordination_that_is_taken(binaries: BinaryCluster) -> None:
    coordination = binaries.coordination()
    coordination.kill()
    with socket.socket() as other:
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind((LOOPBACK, coordination.port))
        other.listen()
        with pytest.raises(EnvironmentFailed) as failed:
            coordination.start()
    assert f"its port {coordination.port} on {LOOPBACK} was taken" in str(failed.value)
    assert len(str(failed.value).splitlines()) == 1
    coordination.start()


OWNER = """
import sys
from pathlib import Path
from helpers.cluster.binary.cluster import BinaryCluster
from helpers.cluster.binary.program import checked
cluster = BinaryCluster(Path(sys.argv[1]), checked(None))
nodes = [cluster.node(f"node{n}", fragments=("replication",)) for n in (1, 2)]
print(*[node.pid for node in nodes], cluster.coordination().pid, flush=True)
sys.stdin.read()
"""


def test_nothing_outlives_a_killed_owner(tmp_path: Path) -> None:
    assert_nothing_outlives(python(OWNER, str(tmp_path)), processes=3, seconds=30)


def regression(results: Path, *options: str) -> list[str]:
    command = [
        sys.executable,
        "-m",
        "helpers.cli.main",
        "--env",
        "binary",
        "--results",
        str(results),
    ]
    return [*command, "--clickhouse-binary", str(installed()), *options]


@pytest.mark.parametrize("number", ENDS)
def test_an_end_in_the_middle_of_a_replica_scenario(tmp_path: Path, number: signal.Signals) -> None:
    results = tmp_path / "results with blanks"
    replica_scenario = regression(
        results, "--only", "/replace partition/replicas/agreement/source on one replica"
    )
    run = subprocess.Popen(
        replica_scenario,
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        statements = "*/scenarios/*/statements.jsonl"
        assert soon(
            lambda: any("Replicated" in f.read_text() for f in results.glob(statements)), 180
        )
        below = descendants(run.pid)
        assert any("java" in name for name in below.values()), below
        run.send_signal(number)
        run.communicate(timeout=180)
        assert run.returncode == (4 if number != signal.SIGKILL else -signal.SIGKILL)
        assert soon(lambda: not any(map(is_alive, below)), 60)
    finally:
        run.kill()
        run.communicate()
    if number == signal.SIGKILL:  # nobody could tidy up; the next run does
        assert list(results.glob("*/data/*/coordination/data"))
        subprocess.run(replica_scenario, cwd=ROOT, check=True, timeout=180)
        assert set(ended(results).values()) == {"OK"}
    assert not list(results.glob("*/data/*/coordination/data"))
    assert not list(results.glob("*/running.lock"))


def ended(results: Path) -> dict[str, str]:
    """How the scenarios of the last run on the binary ended, by name."""
    document: dict[str, Any] = json.loads((results / "latest" / "results.json").read_text())
    assert document["run"]["environment"] == "binary"
    return {entry["name"]: entry["result"] for entry in document["scenarios"]}


@pytest.mark.nightly
def test_every_replica_scenario_runs_through_the_front_door(tmp_path: Path) -> None:
    only = ["/replace partition/replicas/agreement/*", "/replace partition/replicas/failures/*"]
    done = subprocess.run(
        [sys.executable, "regression.py", *regression(tmp_path, "--only", *only)[3:]],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr
    results = ended(tmp_path)
    assert len(results) >= 10 and set(results.values()) <= {"OK", "XFail"}, results


def test_three_replicas_are_ready_soon(tmp_path: Path) -> None:
    started = time.monotonic()
    with BinaryCluster(tmp_path, installed()) as cluster:
        replicas(cluster)
    # Five seconds on a quiet machine; a busy one takes its time.
    assert time.monotonic() - started < 60
