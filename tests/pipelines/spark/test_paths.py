"""Blanks, quotes and letters of other scripts in the paths of checkout, environment and temporary files."""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
import venv
from pathlib import Path

import pytest

from pipelines.spark.java import join_options

ROOT = Path(__file__).resolve().parents[3]
AWKWARD = """my "own" project's K\u00f6ln \u4e16"""
PROGRAM = """
from pipelines.generate.data_set import DataSet, generated
from pipelines.spark.session import spark_session
from pipelines.spark.standalone import StandaloneCluster
with StandaloneCluster(workers=1) as cluster:
    session = spark_session(cluster.url, conf=cluster.conf)
    print(generated(session, DataSet(100)).count(), cluster.conf["spark.executor.extraJavaOptions"])
"""


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.nightly
@pytest.mark.xdist_group("sparks of their own")
def test_spark_runs_and_writes_nothing_elsewhere(tmp_path: Path) -> None:
    """A cluster and the archive of classes, which is made by a session on this machine."""
    project = tmp_path / AWKWARD
    environment, temporary = project / ".venv", project / "tmp"
    shutil.copytree(ROOT / "pipelines", project / "pipelines")
    temporary.mkdir()
    venv.create(environment, symlinks=True)
    python = environment / "bin" / "python"
    site = environment / "lib" / f"python{sysconfig.get_python_version()}" / "site-packages"
    for package in Path(sysconfig.get_path("purelib")).iterdir():
        (site / package.name).symlink_to(package)
    variables = {
        "PATH": os.environ["PATH"],
        "HOME": str(project),
        "TMPDIR": str(temporary),
        "LC_ALL": "C",  # a locale that has no name for such a folder
        "PYTHONUTF8": "1",
    }
    done = subprocess.run(
        [python, "-c", PROGRAM],
        cwd=project,
        env=variables,
        capture_output=True,
        text=True,
        timeout=900,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    rows, _, options = done.stdout.partition(" ")
    (archive,) = (environment / "cache").glob("spark-classes-*/spark.jsa")
    assert rows == "100" and archive.stat().st_size > 10_000_000
    assert "-XX:SharedArchiveFile=" in options
    assert names(tmp_path) == [AWKWARD]
    assert names(project) == [".venv", "pipelines", "tmp"]
    assert names(temporary) == []


def test_options_are_quoted_only_where_they_have_to_be() -> None:
    assert join_options(["-Xmx1g", "-Da=/b:c"]) == "-Xmx1g -Da=/b:c"
    assert join_options(["-Da=b c", "-Dd=\\'\""]) == """"-Da=b c" "-Dd=\\\\'\\"\""""
