"""What can be done to a node: its process, its configuration, its users, its log."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from helpers.base.errors import UsageError
from helpers.base.paths import ENGINES
from helpers.cluster.client.failures import QueryFailed, QueryTimedOut
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.engines.engine import default_version, resolve_version
from helpers.cluster.node import User
from tests.cluster.conftest import checksum
from tests.processes import is_alive

OTHER_VERSION = "26.7.3"


def is_running(node: EmbeddedNode) -> bool:
    return node.running and node.pid is not None


def is_frozen(node: EmbeddedNode) -> bool:
    stat = Path(f"/proc/{node.pid}/stat")
    return stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "T"


@pytest.mark.parametrize("ending", ["stop", "kill"])
def test_data_survive_an_end_and_a_start(node: EmbeddedNode, numbers: str, ending: str) -> None:
    before, pid = checksum(node, numbers), node.pid
    assert before[0] == 100 and pid is not None
    getattr(node, ending)()
    assert not is_running(node) and not is_alive(pid)
    with pytest.raises(OSError, match="refused"):
        node.http("SELECT 1")
    node.start()
    assert node.pid not in (None, pid)
    assert checksum(node, numbers) == before


def test_a_stop_is_in_order_and_a_kill_is_not(node: EmbeddedNode) -> None:
    position = node.log_position()
    node.stop()
    assert "Shutting down" in node.log_since(position)
    node.start()
    position = node.log_position()
    node.kill()
    assert "Shutting down" not in node.log_since(position)


def test_start_of_a_running_node_changes_nothing(node: EmbeddedNode) -> None:
    pid = node.pid
    node.start()
    assert node.pid == pid


def test_restart_is_a_new_process_with_the_same_data(node: EmbeddedNode, numbers: str) -> None:
    before, pid = checksum(node, numbers), node.pid
    node.restart()
    assert node.pid != pid
    assert checksum(node, numbers) == before


def test_a_frozen_node_hangs_and_goes_on_when_thawed(node: EmbeddedNode) -> None:
    assert node.value("SELECT 1") == 1
    node.freeze()
    assert is_frozen(node) and is_running(node)
    handle = node.background("SELECT 7")
    with pytest.raises(QueryTimedOut, match="did not answer within"):
        node.query("SELECT 2", timeout=0.3)
    assert not handle.done
    node.thaw()
    assert not is_frozen(node)
    assert handle.wait() == [(7,)]
    assert node.value("SELECT 3") == 3


def test_a_frozen_node_can_be_killed_and_stopped(node: EmbeddedNode) -> None:
    node.freeze()
    node.kill()
    assert not is_running(node) and not is_frozen(node)
    node.start()
    node.freeze()
    node.stop()
    assert not is_running(node) and not is_frozen(node)
    node.start()
    assert node.value("SELECT 1") == 1


def test_the_log_since_a_mark_holds_what_came_after_it(node: EmbeddedNode) -> None:
    for number in range(10):  # the server writes its log late, but not always
        node.query(f"SELECT 'before {number}'")
        position = node.log_position()
        node.query(f"SELECT 'after {number}'")
        since = node.log_since(position)
        assert f"after {number}" in since and f"before {number}" not in since


def test_the_tail_of_the_log_is_short_and_without_traces(node: EmbeddedNode) -> None:
    node.query("SELECT 'a needle', '" + "x" * 1000 + "'")
    tail = node.log_tail(4)
    assert len(tail.splitlines()) == 4
    assert max(map(len, tail.splitlines())) <= 400
    assert "<Trace>" not in tail
    assert "a needle" in node.log_tail(1, about="a needle")


# Configuration.

SETTING = "SELECT value FROM system.server_settings WHERE name = 'max_concurrent_queries'"


def test_an_override_is_in_force_and_data_stay(
    cluster: EmbeddedCluster, node: EmbeddedNode, numbers: str
) -> None:
    before, pid = checksum(node, numbers), node.pid
    assert node.value(SETTING) != "77"
    override = {
        "limit": "<clickhouse><max_concurrent_queries>77</max_concurrent_queries></clickhouse>"
    }
    cluster.node(config=override)
    assert node.pid != pid, "another configuration is another process"
    assert node.value(SETTING) == "77"
    assert checksum(node, numbers) == before
    pid = node.pid
    cluster.node(config=override)
    cluster.node()
    assert node.pid == pid, "the same configuration, or no wish, restarts nothing"


def test_a_users_override_is_in_force(cluster: EmbeddedCluster, node: EmbeddedNode) -> None:
    profile = "<clickhouse><profiles><default><max_threads>3</max_threads></default></profiles></clickhouse>"
    cluster.node(users={"threads": profile})
    assert node.value("SELECT getSetting('max_threads')") == 3


@pytest.mark.parametrize("kind", ["config", "users"])
def test_a_broken_override_is_refused_and_the_node_left_alone(
    cluster: EmbeddedCluster, node: EmbeddedNode, kind: str
) -> None:
    pid = node.pid
    with pytest.raises(UsageError, match=f"{kind}.d/broken is not XML: mismatched tag: line 1"):
        cluster.node(**{kind: {"broken": "<clickhouse><a></clickhouse>"}})  # type: ignore[arg-type]
    assert node.pid == pid
    node.restart()
    assert node.value("SELECT 1") == 1


@pytest.fixture
def fragments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "configs" / "fragments"
    folder.mkdir(parents=True)
    monkeypatch.setattr("helpers.cluster.local.configuration.FRAGMENTS", folder)
    (folder / "few_queries.xml").write_text(
        "<clickhouse><max_concurrent_queries>66</max_concurrent_queries>"
        "<macros><twice>${name}-${name}</twice></macros></clickhouse>"
    )
    return folder


def test_a_fragment_is_filled_in_and_in_force(
    cluster: EmbeddedCluster, node: EmbeddedNode, fragments: Path
) -> None:
    cluster.node(fragments=("few_queries",))
    assert node.value(SETTING) == "66"
    assert node.value("SELECT getMacro('twice')") == "node1-node1"
    cluster.node(config={"none": "<clickhouse/>"})  # the template goes away with this test


def test_an_unknown_fragment_is_refused_with_the_nearest(
    cluster: EmbeddedCluster, node: EmbeddedNode, fragments: Path
) -> None:
    pid = node.pid
    with pytest.raises(UsageError) as caught:
        cluster.node(fragments=("few_query",))
    assert "no configuration fragment 'few_query'" in str(caught.value)
    assert "Did you mean 'few_queries'?" in str(caught.value)
    assert node.pid == pid


def write_fragment(folder: Path, name: str, comment: str, text: str) -> None:
    (folder / f"{name}.xml").write_text(f"<!-- {comment} -->\n<clickhouse>{text}</clickhouse>\n")


def test_a_fragment_gets_an_object_store_if_it_says_that_it_needs_one(
    cluster: EmbeddedCluster, fragments: Path
) -> None:
    write_fragment(fragments, "s3_in_name_only", "Nothing.", "")
    cluster.node("plain", fragments=("s3_in_name_only",))
    assert not cluster._services

    macro = "<macros><store>${s3_url}</store></macros>"
    write_fragment(fragments, "wants_a_store", "A store.\n     needs: object store", macro)
    node = cluster.node("with store", fragments=("wants_a_store",))
    store = cluster.object_store()
    assert node.value("SELECT getMacro('store')") == f"{store.url}/disks"

    write_fragment(fragments, "wants_more", "needs: object stor", "")
    with pytest.raises(UsageError, match=r"wants_more.xml needs 'object stor'.*'object store'"):
        cluster.node("other", fragments=("wants_more",))


# Users.


def test_users_may_what_they_were_granted_and_nothing_else(
    cluster: EmbeddedCluster, node: EmbeddedNode, numbers: str
) -> None:
    table = f"{node.database}.{numbers}"
    node.add_users([User("alice", (f"SELECT ON {table}",)), User("bob")])
    count = f"SELECT count() FROM {table}"
    assert node.value(count, user="alice") == 100
    node.fails(count, user="bob", code=497, text="grant SELECT")
    node.fails(f"INSERT INTO {table} SELECT 1, 1", user="alice", code=497, text="grant INSERT")
    node.fails(count, user="carol", code=516, text="Authentication failed")
    assert node.value("SELECT currentUser()", user="bob") == "bob"
    assert node.password("alice") != node.password("bob")
    assert len(node.password("alice")) >= 20
    node.add_users([User("dora", (f"SELECT ON {table}",), password="a<b&c")])
    assert node.value(count, user="dora") == 100, "any password can be given"
    assert node.value(count, user="alice") == 100, "those who were there stay"


# Versions.


@pytest.mark.skipif(
    not (ENGINES / f"chdb-core-{OTHER_VERSION}").is_dir(),
    reason=f"ClickHouse {OTHER_VERSION} is not installed in .engines (180 MB to fetch)",
)
def test_a_node_goes_down_and_up_a_version_with_its_data(
    cluster: EmbeddedCluster, node: EmbeddedNode, numbers: str
) -> None:
    before = checksum(node, numbers)
    for version in (OTHER_VERSION, default_version()):
        cluster.node(version=version)
        assert node.version.startswith(version.rpartition(".")[0])
        assert checksum(node, numbers) == before


def test_the_short_form_of_the_running_version_restarts_nothing(
    cluster: EmbeddedCluster, node: EmbeddedNode
) -> None:
    pid = node.pid
    cluster.node(version=default_version().rpartition(".")[0])
    assert node.pid == pid


@pytest.mark.parametrize("version", ["26.5", "new", "24.8.1"])
def test_no_such_version(cluster: EmbeddedCluster, node: EmbeddedNode, version: str) -> None:
    pid = node.pid
    with pytest.raises(UsageError) as caught:
        cluster.node(version=version)
    assert f"--clickhouse-version {version}" in str(caught.value).replace("'", "")
    assert default_version() in str(caught.value), "it says which there are"
    assert "\n" not in str(caught.value)
    assert node.pid == pid


def test_a_version_that_does_not_exist_is_refused_with_those_that_do() -> None:
    with pytest.raises(UsageError, match=r"known are 26\.9\.0, 26\.7"):
        resolve_version("26.8")


def test_a_node_outlives_the_thread_that_started_it(tmp_path: Path) -> None:
    with EmbeddedCluster(tmp_path) as cluster:
        starter = threading.Thread(target=cluster.node)
        starter.start()
        starter.join()
        (node,) = cluster.nodes
        node.restart()
        with pytest.raises(QueryFailed):
            node.query("SELECT nothing")
        assert node.running and node.value("SELECT 1") == 1
