"""The one Spark session of a process: quiet, on loopback, started when it is first asked for."""

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import shutil
import sys
import threading
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypedDict, Unpack

from py4j.protocol import Py4JError
from pyspark import SparkConf, SparkContext
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from pipelines.errors import PipelineError
from pipelines.spark.class_archive import sharing_options, spark_variables
from pipelines.spark.dataframes import set_active_session
from pipelines.spark.errors import message_of
from pipelines.spark.java import FAST_START, JavaHome, find_java, join_options
from pipelines.spark.java_environment import environment
from pipelines.spark.java_gateway import start_java
from pipelines.spark.master import LOCAL, check_master, choose_master, on_this_machine
from pipelines.spark.session_folder import SessionFolder

HERE = Path(__file__).resolve().parents[2]
STOP_SECONDS = 20.0
WORDS = 500
# Spark refuses longer ones: with the name of a socket the path would be too long for the kernel.
SOCKET_FOLDER = 60
QUIET = {
    "spark.app.name": "pipelines",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.catalogImplementation": "in-memory",
    "spark.sql.execution.arrow.maxRecordsPerBatch": "65536",
}
LOCAL_ONLY = {
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    # A task for every directory would take most of the time of listing thousands of them.
    "spark.sql.sources.parallelPartitionDiscovery.parallelism": "2",
}
WORKERS_PYTHON = "spark.pyspark.python"


@dataclass
class _Running:
    """What was started, so that all of it can be ended."""

    master: str
    future: Future[SparkSession] = field(default_factory=Future)
    folder: SessionFolder | None = None
    gateway: Any = None
    ended: threading.Event = field(default_factory=threading.Event)


_lock = threading.Lock()
_running: _Running | None = None


class SessionOptions(TypedDict, total=False):
    """What a session can be started with: see session_in_background."""

    memory: str
    conf: Mapping[str, str]
    java_options: Sequence[str]
    share_classes: bool


def session_in_background(
    master: str | None = None,
    *,
    memory: str = "1g",
    conf: Mapping[str, str] = MappingProxyType({}),
    java_options: Sequence[str] = FAST_START,
    share_classes: bool = True,
) -> Future[SparkSession]:
    """Begin to start the session of this process, or find it; the future brings it or its error.

    `master` is as for spark-submit, by default the variable SPARK_MASTER or local[2]; `memory` is
    the driver's; `java_options` are FAST_START or LONG_RUN; `share_classes` uses the archive of
    classes, and makes it if there is none.
    """
    global _running
    if master:
        check_master(master)
    with _lock:
        if _running is not None and _ended(_running):
            _end(_running)
            _running = None
        if _running is not None and not _failed(_running):
            asked = master or _running.master
            if asked != _running.master:
                raise PipelineError(
                    f"This process has a Spark session on {_running.master} already: stop it before "
                    f"asking for one on {asked}."
                )
            return _running.future
        running = _Running(choose_master(master))
        _running = running

    def start() -> None:
        try:
            java = find_java()
            options = [*java_options, *(sharing_options(java) if share_classes else ())]
            running.future.set_result(_start(running, java, memory, conf, options))
        except BaseException as error:
            _end(running)
            running.future.set_exception(error)
        running.ended.wait()  # Java ends with the thread that started it

    # Never the main thread: there PySpark would take over what Ctrl-C does.
    threading.Thread(target=start, name="spark-start", daemon=True).start()
    return running.future


def spark_session(master: str | None = None, **options: Unpack[SessionOptions]) -> SparkSession:
    """The session of this process, started if there is none; parameters as session_in_background."""
    session = session_in_background(master, **options).result()
    set_active_session(session)
    return session


def stop_session(seconds: float = STOP_SECONDS, *, on: str | None = None) -> None:
    """End the session and its Java process, if there is one; the next call starts another.

    Java is killed if it has not ended within this time. `on` spares a session on another master.
    """
    global _running
    with _lock:
        if on is not None and _running is not None and _running.master != on:
            return
        running, _running = _running, None
    if running is not None:
        with contextlib.suppress(Exception):
            running.future.result().stop()
        _end(running, seconds)


def _stop_at_exit() -> None:
    """End the session; one that still starts is left to the kernel, which ends Java with this process."""
    running = _running
    if running is None or running.future.done():
        stop_session()
    elif running.folder is not None:
        running.folder.remove()


atexit.register(_stop_at_exit)


def _failed(running: _Running) -> bool:
    return running.future.done() and running.future.exception() is not None


def _ended(running: _Running) -> bool:
    """Whether its Java process, which was there, is gone: somebody killed it, or memory ran out."""
    gateway = running.gateway
    return running.future.done() and gateway is not None and gateway.proc.poll() is not None


def _silence_py4j() -> None:
    """Py4J logs a traceback when Java ends during a call; the error that it raises says the same.

    It uses loggers of its own, and in places the root logger.
    """
    logging.getLogger("py4j").propagate = False
    logging.getLogger().addFilter(_not_from_py4j)


def _not_from_py4j(record: logging.LogRecord) -> bool:
    return "py4j" not in record.pathname


def _start(
    running: _Running,
    java: JavaHome,
    memory: str,
    conf: Mapping[str, str],
    java_options: Sequence[str],
) -> SparkSession:
    _silence_py4j()
    if SparkContext._active_spark_context is not None:
        raise PipelineError("This process has a SparkContext of its own making: stop it first.")
    near = on_this_machine(running.master)
    running.folder = SessionFolder()
    folder = running.folder.path
    settings = {
        **QUIET,
        **(LOCAL_ONLY if near else {}),
        **_sockets(running.master, folder),
        "spark.master": running.master,
        "spark.driver.memory": memory,
        "spark.driver.extraJavaOptions": join_options(
            # A Java that is killed leaves its files here, where a later session removes them.
            [*java_options, f"-Djava.io.tmpdir={folder}"]
        ),
        "spark.local.dir": str(folder),
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        **conf,
    }
    # Another machine may keep Python elsewhere.
    python = conf.get(WORKERS_PYTHON) or (not near and os.environ.get("PYSPARK_PYTHON"))
    variables = {
        **spark_variables(java),
        "PYSPARK_PYTHON": python or sys.executable,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(HERE), os.environ.get("PYTHONPATH")])),
        **({"SPARK_LOCAL_IP": "127.0.0.1"} if near else {}),
    }
    log = folder / "java.log"
    options = SparkConf(loadDefaults=False).setAll(list(settings.items()))
    try:
        with log.open("wb") as output, environment(variables):
            running.gateway = start_java(options, folder, output)
            session = SparkSession(SparkContext(conf=options, gateway=running.gateway))
    except (PySparkException, Py4JError, OSError) as error:
        raise PipelineError(
            f"Spark did not start on {running.master}: {_why(error, log)}"
        ) from None
    if not LOCAL.fullmatch(running.master):
        session.sparkContext.addPyFile(_package(folder))
    return session


def _sockets(master: str, folder: Path) -> dict[str, str]:
    """Rows to and from workers over sockets in a folder of ours, which are faster than ports."""
    if not LOCAL.fullmatch(master) or len(str(folder)) > SOCKET_FOLDER:
        return {}
    return {
        "spark.python.unix.domain.socket.enabled": "true",
        "spark.python.unix.domain.socket.dir": str(folder),
    }


def _package(folder: Path) -> str:
    """This library as a file that Spark sends to workers on other machines."""
    return shutil.make_archive(str(folder / "pipelines"), "zip", HERE, "pipelines")


def _why(error: Exception, log: Path) -> str:
    """Spark's own words if it has any, else the first lines that Java printed."""
    if "JAVA_GATEWAY_EXITED" not in str(error):
        return message_of(error)
    try:
        lines = log.read_text(errors="replace").splitlines()
    except FileNotFoundError:
        return f"its folder {log.parent} was removed while Java started."
    return " / ".join(lines[:3])[:WORDS] or "Java ended without a word."


def _end(running: _Running, seconds: float = STOP_SECONDS) -> None:
    """Close Java's standard input, which is how it knows that we are gone, and wait for its end."""
    gateway, running.gateway = running.gateway, None
    if gateway is not None:
        with contextlib.suppress(Exception):
            gateway.shutdown()
        process = gateway.proc
        with contextlib.suppress(OSError):
            process.stdin.close()
        try:
            process.wait(seconds)
        except Exception:
            process.kill()
            process.wait()
        # Stopping a context whose Java is gone ends in the middle, and another could not start.
        context = SparkContext._active_spark_context
        if context is not None and context._gateway is gateway:
            SparkContext._active_spark_context = None
            SparkSession._instantiatedSession = SparkSession._activeSession = None
        if SparkContext._gateway is gateway:
            SparkContext._gateway = SparkContext._jvm = None
    if running.folder is not None:
        running.folder.remove()
    running.ended.set()
