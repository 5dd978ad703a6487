"""HDFS out of a source package: a real one, and gone when its owner is."""

from __future__ import annotations

import io
import json
import subprocess
from pathlib import Path

import pytest

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.services import hdfs_jars
from helpers.cluster.services.hdfs import LocalHdfs, takes_blocks
from tests.databases import cluster_fixture
from tests.hdfs import STRUCTURE, SUM_AND_KEY, write_rows

cluster = cluster_fixture("module", """a blank, "ü" and it's""")


@pytest.fixture(scope="module")
def hdfs(cluster: EmbeddedCluster) -> LocalHdfs:
    reason = cluster.why_no_hdfs()
    if reason is not None:
        pytest.skip(reason)
    hdfs = cluster.hdfs()
    assert isinstance(hdfs, LocalHdfs)
    return hdfs


def test_clickhouse_writes_and_reads_and_a_crash_loses_nothing(
    cluster: EmbeddedCluster, hdfs: LocalHdfs
) -> None:
    node = cluster.node()
    read = write_rows(node, hdfs.url)
    assert node.query(read) == SUM_AND_KEY
    hdfs.kill()
    assert not hdfs.running and not hdfs.pids
    assert cluster.hdfs() is hdfs
    assert node.query(read) == SUM_AND_KEY


def test_hadoops_own_client_says_what_hdfs_does_not_take(
    cluster: EmbeddedCluster, hdfs: LocalHdfs, tmp_path: Path
) -> None:
    files = tmp_path / "it's a folder"
    (files / "k=1").mkdir(parents=True)
    (files / "k=1" / "x.tsv").write_text("7\n")
    hdfs.put(files, "/put")
    read = f"SELECT n, k FROM hdfs('{hdfs.url}/put/*/x.tsv', {STRUCTURE})"
    assert cluster.node().query(read) == [(7, 1)]
    hdfs.limit_space("/put", 1)
    with pytest.raises(EnvironmentFailed, match=r"(?s)HDFS refused -put .*quota"):
        hdfs.put(files, "/put/more")


def test_it_listens_on_loopback_only(hdfs: LocalHdfs) -> None:
    listening = subprocess.run(["ss", "-Hltnp"], capture_output=True, text=True).stdout
    addresses = [
        line.split()[3]
        for line in listening.splitlines()
        if any(f"pid={pid}," in line for pid in hdfs.pids)
    ]
    assert {int(address.rpartition(":")[2]) for address in addresses} >= set(hdfs.ports.values())
    assert all("127.0.0.1" in address for address in addresses), addresses


@pytest.mark.parametrize(
    ("metrics", "ready"),
    [
        ({"NumLiveDataNodes": 1, "CapacityRemaining": 10, "FSState": "Operational"}, True),
        # The data node has registered, and has not said yet that it has disks.
        ({"NumLiveDataNodes": 1, "CapacityRemaining": 0, "FSState": "Operational"}, False),
        ({"NumLiveDataNodes": 1, "CapacityRemaining": 10, "FSState": "safeMode"}, False),
        ({}, False),
    ],
)
def test_it_is_ready_when_there_is_space_for_blocks(
    metrics: dict[str, object], ready: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = io.BytesIO(json.dumps({"beans": [metrics]}).encode())
    monkeypatch.setattr("urllib.request.urlopen", lambda *_, **__: answer)
    assert takes_blocks("127.0.0.1", 1) is ready


def test_without_an_index_the_reason_is_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    with pytest.raises(EnvironmentFailed, match="HDFS could not be fetched: ") as caught:
        hdfs_jars.find_jars(lambda _: None, tmp_path / "engines")
    assert "\n" not in str(caught.value)
    assert [path.name for path in (tmp_path / "engines").iterdir()] == ["hdfs.lock"]


def test_a_damaged_folder_is_named(tmp_path: Path) -> None:
    (tmp_path / "hdfs").mkdir()
    with pytest.raises(EnvironmentFailed, match=r"lacks .*\.jar: remove the folder"):
        hdfs_jars.find_jars(lambda _: None, tmp_path)
