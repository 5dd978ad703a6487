"""Servers that cannot start: one clear error, and nothing left running."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.base.errors import EnvironmentFailed, UsageError
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.embedded.node import EmbeddedNode
from helpers.cluster.engines.engine import LIBRARY, Engine, default_version, find_engine
from tests.processes import is_alive

NOT_ENOUGH_SPACE = 243


def started(folder: Path) -> list[int]:
    """Processes that work in a folder."""
    pids = []
    for process in Path("/proc").iterdir():
        try:
            if process.name.isdigit() and (process / "cwd").readlink().is_relative_to(folder):
                pids.append(int(process.name))
        except OSError:
            continue
    return [pid for pid in pids if is_alive(pid)]


def failure(cluster: EmbeddedCluster) -> str:
    with pytest.raises(EnvironmentFailed) as caught:
        cluster.node()
    assert not [node for node in cluster.nodes if node.running]
    text = str(caught.value)
    assert "Traceback" not in text
    return text


def test_a_second_server_on_the_same_data(tmp_path: Path) -> None:
    with EmbeddedCluster(tmp_path) as first, EmbeddedCluster(tmp_path) as second:
        node = first.node()
        assert "Another server instance in same directory is already running" in failure(second)
        assert node.value("SELECT 1") == 1
        assert started(tmp_path) == [node.pid]
    assert started(tmp_path) == []


def test_a_library_that_does_not_load(tmp_path: Path) -> None:
    engine = tmp_path / "engine"
    engine.mkdir()
    (engine / LIBRARY).write_bytes(b"\x7fELF, but not for long")
    with EmbeddedCluster(tmp_path / "cluster") as cluster:
        cluster.engine = Engine("26.9.0", engine)
        text = failure(cluster)
    assert f"The engine in {engine} does not load:" in text
    assert started(tmp_path) == []


def test_a_wheel_without_its_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "chdb").mkdir()
    (tmp_path / "chdb" / "__init__.py").touch()
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(EnvironmentFailed) as caught:
        EmbeddedCluster(tmp_path / "cluster")
    assert str(caught.value).startswith(f"The engine {default_version()} lacks {LIBRARY}:")
    assert f"Remove {tmp_path} and run again." in str(caught.value)


def test_an_engine_that_cannot_be_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("helpers.cluster.engines.wheels.ENGINES", tmp_path)
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")  # nobody listens there
    monkeypatch.setenv("PIP_RETRIES", "0")
    said: list[str] = []
    with pytest.raises(EnvironmentFailed) as caught:
        find_engine("26.7.0", said.append)
    assert str(caught.value).startswith("chdb-core 26.7.0 could not be installed: ")
    assert "Is the package index reachable" in str(caught.value)
    assert "Installing ClickHouse (chdb-core 26.7.0" in said[0]
    assert [file.name for file in tmp_path.iterdir()] == ["lock"], "nothing half-installed stays"


def test_a_folder_of_engines_that_cannot_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setattr("helpers.cluster.engines.wheels.ENGINES", tmp_path / "file" / "engines")
    with pytest.raises(EnvironmentFailed, match=r"cannot be installed into .*Not a directory\."):
        find_engine("26.7.0", print)


def test_a_version_that_nobody_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An index that has the package but not this version of it."""
    wheels = tmp_path / "wheels"
    wheels.mkdir()
    (wheels / "chdb_core-1.0-py3-none-any.whl").touch()
    monkeypatch.setattr("helpers.cluster.engines.wheels.ENGINES", tmp_path / "engines")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    with pytest.raises(UsageError, match=r"There is no chdb-core 99\.1\.0 to install.* Known are"):
        find_engine("99.1.0", lambda text: None)


def test_a_configuration_that_the_server_refuses(
    cluster: EmbeddedCluster, node: EmbeddedNode
) -> None:
    """Well-formed, so that only the server can tell."""
    disk = "<disks><d><type>none</type></d></disks>"
    broken = f"<clickhouse><storage_configuration>{disk}</storage_configuration></clickhouse>"
    with pytest.raises(EnvironmentFailed, match=r"node1 .* did not come up"):
        cluster.node(config={"broken": broken})
    assert not node.running
    cluster.node(config={"fine": "<clickhouse/>"})
    assert node.value("SELECT 1") == 1


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A file system of 24 MB, with nothing on it."""
    folder = tmp_path / "small"
    folder.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", folder], capture_output=True, text=True
    )
    if mounted.returncode != 0:
        pytest.skip(f"a small file system cannot be mounted here: {mounted.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", folder], check=True)


def fill(disk: Path, *, leave: int) -> None:
    with (disk / "filler").open("wb", buffering=0) as filler:
        try:
            while True:
                filler.write(b"x" * 4096)
        except OSError:
            filler.truncate(filler.tell() - leave)


def test_a_full_disk_at_start(small_disk: Path) -> None:
    fill(small_disk, leave=0)
    with EmbeddedCluster(small_disk / "cluster") as cluster:
        where = small_disk / "cluster"
        assert failure(cluster) == (
            f"node1 cannot be started in {where / 'node1'}: No space left on device."
        )
        with pytest.raises(EnvironmentFailed, match=r"object store cannot .* No space left"):
            cluster.object_store()
        assert started(small_disk) == []


def test_a_disk_that_fills_up_is_a_refusal_and_no_death(small_disk: Path) -> None:
    with EmbeddedCluster(small_disk / "cluster") as cluster:
        node = cluster.node()
        node.query("CREATE DATABASE d ENGINE = Atomic")
        node.query("CREATE TABLE d.t (s String) ENGINE = MergeTree ORDER BY ()")
        node.query("INSERT INTO d.t VALUES", data=[("before",)])
        fill(small_disk, leave=256 * 1024)
        node.fails(
            "INSERT INTO d.t SELECT randomString(1000) FROM numbers(20000)", code=NOT_ENOUGH_SPACE
        )
        (small_disk / "filler").unlink()
        assert node.query("SELECT s FROM d.t") == [("before",)]
        node.query("INSERT INTO d.t VALUES", data=[("after",)])
