"""Starts the Java of a Spark session, bound to the thread that starts it: the kernel ends it with the thread.

PySpark's own launcher relies on Java to see the end of its standard input. Java looks at that only after it
has written its port to a file. If it cannot, because the file's folder is gone, its main thread fails, the
thread that listens for Python keeps it alive, and nobody ends it.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import IO, Any

from pyspark import SparkConf
from pyspark.errors import PySparkRuntimeError
from pyspark.find_spark_home import _find_spark_home
from pyspark.java_gateway import launch_gateway
from pyspark.serializers import UTF8Deserializer, read_int

from pipelines.system import parent_death
from pipelines.system.waiting import poll

ANSWER, PAUSE = "gateway", 0.05
# Java needs a few seconds; it is given up when it ends, or when it cannot answer any more.
SECONDS = 600.0
PORT, SECRET = "PYSPARK_GATEWAY_PORT", "PYSPARK_GATEWAY_SECRET"


def start_java(conf: SparkConf, folder: Path, output: IO[bytes]) -> Any:
    """PySpark's gateway to a new Java process, which writes where it listens into `folder`.

    Call it in a thread that lives as long as the session does. The gateway's `proc` is the process.
    """
    answer = folder / ANSWER
    settings = [text for name, value in conf.getAll() for text in ("--conf", f"{name}={value}")]
    process = subprocess.Popen(
        parent_death.bound(
            [Path(_find_spark_home(), "bin", "spark-submit"), *settings, "pyspark-shell"]
        ),
        env={
            **os.environ,
            "SPARK_CONNECT_MODE": "0",
            "_PYSPARK_DRIVER_CONN_INFO_PATH": str(answer),
        },
        stdin=subprocess.PIPE,  # closed when we end in order
        stdout=output,
        stderr=output,
        process_group=0,  # Ctrl-C is for us
    )
    try:
        poll(
            answer.exists,
            SECONDS,
            pause=PAUSE,
            give_up=lambda: process.poll() is not None or not folder.exists(),
        )
        if not answer.exists():
            raise PySparkRuntimeError(errorClass="JAVA_GATEWAY_EXITED", messageParameters={})
        with answer.open("rb") as info:
            os.environ[PORT] = str(read_int(info))
            os.environ[SECRET] = UTF8Deserializer().loads(info)
        answer.unlink()
        gateway = launch_gateway()  # which finds the Java that is there by these variables
    except BaseException:
        process.kill()
        process.wait()
        raise
    finally:
        for name in (PORT, SECRET):
            os.environ.pop(name, None)
    gateway.proc = process
    return gateway
