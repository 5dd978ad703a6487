"""The baseline of settings is the same in every environment, over the native protocol and over HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

from helpers.base.paths import CONFIGS, ROOT
from helpers.cluster.baseline import baseline
from helpers.cluster.binary.cluster import BinaryCluster
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.node import Node
from helpers.cluster.processes.ports import LOOPBACK
from helpers.cluster.remote.cluster import RemoteCluster
from helpers.cluster.target import Target
from tests.cluster.binary.binaries import installed, needs_binary

Settings = dict[str, tuple[str, ...]]
# Another server's own profile, with everything turned around.
OTHER_PROFILE = (
    "<clickhouse><profiles><default><async_insert>1</async_insert><mutations_sync>2</mutations_sync>"
    "<log_queries>0</log_queries><materialize_statistics_on_insert>1</materialize_statistics_on_insert></default></profiles></clickhouse>"
)
# What the engine of the wheel has whatever the profile says. TabSeparated is what any server answers HTTP in.
OF_THE_WHEEL = {
    "default_format",
    "output_format",
    "enable_producing_buckets_out_of_order_in_aggregation",
}
# Upstream's list has the same values in other words (`true`, `0` for what follows the processors), or
# forgets a later change; none of them is about tables.
WRITTEN_OTHERWISE = {
    *(
        "azure_allow_parallel_part_upload",
        "enable_parallel_blocks_marshalling",
        "http_max_chunk_size",
    ),
    *("http_response_headers", "iceberg_compaction_max_bytes_in_data_file", "max_insert_threads"),
    *("max_limit_for_ann_queries", "max_parsing_threads"),
}
IMAGE_USERS = ROOT / "docker-compose" / "images" / "clickhouse" / "users.xml"


@pytest.fixture(scope="module")
def embedded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedCluster]:
    with EmbeddedCluster(tmp_path_factory.mktemp("embedded")) as cluster:
        yield cluster


@pytest.fixture
def others_server(embedded: EmbeddedCluster) -> EmbeddedNode:
    """A server that somebody else has configured."""
    return embedded.node("others", users={"somebody": OTHER_PROFILE})


@pytest.fixture
def remote(
    others_server: EmbeddedNode, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Node]:
    monkeypatch.setenv("CLICKHOUSE_PASSWORD", others_server.endpoint.password)
    endpoint = others_server.endpoint
    url = f"clickhouse://{endpoint.user}@{LOOPBACK}:{endpoint.tcp_port}"
    folder = tmp_path / "20260101-000000-abcd" / "data" / "worker-1-1"
    with RemoteCluster(folder, Target(env="remote", clickhouse_url=url)) as cluster:
        yield cluster.node()


def asked(table: str) -> str:
    return (
        f"SELECT name, toString(value) FROM system.{table} ORDER BY name FORMAT JSONCompactEachRow"
    )


def over_http(node: Node, table: str) -> dict[str, str]:
    return dict(map(json.loads, node.http(asked(table)).splitlines()))


def over_native(node: Node, table: str) -> dict[str, str]:
    return dict(node.query(asked(table).partition(" FORMAT")[0]))


def test_the_control_is_configured_otherwise(others_server: EmbeddedNode) -> None:
    seen = over_native(others_server, "settings")
    assert {name: seen[name] for name in baseline()} == {
        "async_insert": "1",
        "mutations_sync": "2",
        "log_queries": "0",
        "materialize_statistics_on_insert": "1",
    }


@pytest.mark.parametrize("ask", [over_native, over_http], ids=["native", "HTTP"])
def test_embedded_and_remote_servers_have_the_same_settings(
    embedded: EmbeddedCluster, remote: Node, ask: object
) -> None:
    """All settings, and with them those that steps and scenarios depend on."""
    assert callable(ask)
    own = embedded.node()
    for table in ("settings", "merge_tree_settings"):
        ours, theirs = ask(own, table), ask(remote, table)
        assert len(ours) > 100
        assert {
            name: (ours[name], theirs[name]) for name in ours if ours[name] != theirs[name]
        } == {}
    for name, value in baseline().items():
        assert ask(own, "settings")[name] == ask(remote, "settings")[name] == value
    assert ask(own, "settings")["mutations_sync"] == "0"


def test_only_the_baseline_is_not_a_default(embedded: EmbeddedCluster) -> None:
    """What clickhouse-local sets is set back: a server of the wheel has the defaults of any server."""
    node = embedded.node()
    differing = "SELECT name FROM system.{} WHERE value != default ORDER BY name"
    settings = set(node.column(differing.format("settings"))) - OF_THE_WHEEL
    assert settings == baseline().keys() - {"log_queries"}
    assert node.column(differing.format("merge_tree_settings")) == []
    restored = ElementTree.parse(CONFIGS / "wheel.xml").find("profiles/default")
    assert restored is not None and len(restored) > 2
    for setting in restored:
        assert setting.tag not in baseline()
        value = f"SELECT value = default AND default = '{setting.text}' FROM system.settings"
        assert node.value(f"{value} WHERE name = '{setting.tag}'"), setting.tag


HISTORY = """
    SELECT s.name FROM system.settings AS s INNER JOIN (
        SELECT change.name AS name,
            argMax(change.new_value, arrayMap(n -> toUInt32(n), splitByChar('.', version))) AS last
        FROM system.settings_changes ARRAY JOIN changes AS change
        WHERE type = 'Session' GROUP BY name
    ) AS history USING name
    WHERE s.default != last ORDER BY name"""


def test_the_wheel_has_the_defaults_that_upstream_has_recorded(embedded: EmbeddedCluster) -> None:
    """A default that chDB changes in its code shows where it differs from upstream's own list of changes."""
    assert set(embedded.node().column(HISTORY)) - WRITTEN_OTHERWISE == set()


def test_dates_are_utc_whatever_the_machine_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    with EmbeddedCluster(tmp_path) as cluster:
        asked = "SELECT timezone(), serverTimezone(), toString(toDateTime(0))"
        assert cluster.node().query(asked) == [("UTC", "UTC", "1970-01-01 00:00:00")]


@needs_binary
def test_a_binary_has_the_settings_that_it_knows(
    embedded: EmbeddedCluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    with BinaryCluster(tmp_path, installed()) as cluster:
        node = cluster.node()
        seen = over_native(node, "settings")
        known = seen.keys() & baseline().keys()
        assert known == ({"log_queries"} if node.is_outdated else baseline().keys())
        assert {name: seen[name] for name in known} == {name: baseline()[name] for name in known}
        assert node.value("SELECT timezone()") in ("UTC", "Etc/UTC")


def test_the_image_for_compose_has_the_same_baseline() -> None:
    profile = ElementTree.parse(IMAGE_USERS).find("profiles/default")
    assert profile is not None
    assert {setting.tag: setting.text for setting in profile} == baseline()
