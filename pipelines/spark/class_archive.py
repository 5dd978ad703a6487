"""Spark's Java classes in an archive that Java maps into memory.

It saves a third of the wall time of a short export (figures: docs/pipelines.md). The archive belongs to one
Java and one Spark. The first start makes it in the environment's cache folder, by running this module as a
program; all processes share it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pyspark
from pyspark import SparkConf, SparkContext
from pyspark.sql import SparkSession
from pyspark.sql import functions as f

from pipelines.spark.java import FAST_START, LOCALE, JavaHome, cache_folder, join_options
from pipelines.spark.java_gateway import start_java
from pipelines.system import parent_death
from pipelines.system.locks import try_lock

PREFIX = "spark-classes-"
TRAIN_SECONDS = 600
ARCHIVE, BASE, LOCK, FAILED = "spark.jsa", "base.jsa", "lock", "failed"


def spark_variables(java: JavaHome) -> dict[str, str]:
    """The environment of a program of the installed Spark on this Java, without settings of others.

    The folder for its settings has nothing in it, which archives demand of folders.
    """
    settings = cache_folder() / "spark-no-settings"
    settings.mkdir(parents=True, exist_ok=True)
    return {
        **LOCALE,
        "JAVA_HOME": str(java.path),
        "SPARK_HOME": str(Path(pyspark.__file__).parent),
        "SPARK_CONF_DIR": str(settings),
    }


def sharing_options(java: JavaHome) -> list[str]:
    """Options that let Java use the archive, which is made now if it does not exist.

    Without them Java only starts more slowly: while another process makes the archive, or where
    it cannot be made, there are none.
    """
    folder = archive_folder(java)
    if ":" in str(folder):  # Java separates the names of archives by colons
        return []
    try:
        if not (folder / ARCHIVE).exists() and not (folder / FAILED).exists():
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / LOCK).open("w") as file:
                if try_lock(file) and not (folder / ARCHIVE).exists():
                    _build(java, folder)
    except OSError:
        return []
    if not (folder / ARCHIVE).exists():
        return []
    return [f"-XX:SharedArchiveFile={_files(folder, ARCHIVE)}"]


def archive_folder(java: JavaHome) -> Path:
    """Where the archive of this Java and this Spark is."""
    home = java.path.resolve()
    release = home / "release"
    known = [
        pyspark.__version__,
        str(Path(pyspark.__file__).parent),
        str(home),
        str(java.version),
        release.read_text() if release.exists() else str((home / "bin" / "java").stat().st_mtime),
    ]
    return cache_folder() / f"{PREFIX}{hashlib.sha256('|'.join(known).encode()).hexdigest()[:12]}"


def _files(folder: Path, top: str) -> str:
    """An archive rests on that of Java's own classes: the one that Java brings, or ours."""
    base = folder / BASE
    return f"{base}:{folder / top}" if base.exists() else str(folder / top)


def _build(java: JavaHome, folder: Path) -> None:
    """Run this module, whose session writes the archive when it ends."""
    for other in folder.parent.glob(f"{PREFIX}*"):  # of a Java or a Spark that is gone
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    program = str(java.path / "bin" / "java")
    # Small runtimes come without the archive of Java's own classes.
    shares = subprocess.run([program, "-Xshare:on", "-version"], capture_output=True)
    if shares.returncode:
        command = [program, "-XX:+UseSerialGC", "-Xshare:dump"]
        command.append(f"-XX:SharedArchiveFile={folder / BASE}")
        subprocess.run(parent_death.bound(command), capture_output=True, check=False)
    root = Path(__file__).resolve().parents[2]
    path = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    done = subprocess.run(
        parent_death.bound([sys.executable, "-m", "pipelines.spark.class_archive", folder]),
        env={
            **os.environ,
            **spark_variables(java),
            "PYTHONPATH": path,
            "PYSPARK_PYTHON": sys.executable,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        check=False,
    )
    if done.returncode:
        (folder / FAILED).write_bytes(b"Remove this folder to try again.\n" + done.stderr)


def _train(folder: Path) -> None:
    """Run queries like those of this library's sessions; Java writes their classes when it ends."""
    new, base = folder / f"new-{os.getpid()}.jsa", folder / BASE
    share = [f"-XX:SharedArchiveFile={base}"] if base.exists() else []
    with tempfile.TemporaryDirectory(prefix=PREFIX) as scratch:
        ending = (f"-XX:ArchiveClassesAtExit={new}", f"-Djava.io.tmpdir={scratch}")
        options = join_options([*FAST_START, *share, *ending])
        conf = SparkConf(loadDefaults=False).setMaster("local[2]").setAppName("training")
        conf.set("spark.driver.extraJavaOptions", options).set("spark.ui.enabled", "false")
        conf.set("spark.driver.bindAddress", "127.0.0.1").set("spark.driver.host", "127.0.0.1")
        conf.set("spark.local.dir", scratch).set("spark.sql.warehouse.dir", scratch)
        with Path(scratch, "java.log").open("wb") as log:
            gateway = start_java(conf, Path(scratch), log)
            context = SparkContext(conf=conf, gateway=gateway)
            session = SparkSession(context)
            assert context.parallelize([1, 2], 2).map(str).collect() == ["1", "2"]
            rows = session.range(10).mapInArrow(lambda batches: batches, "id long")
            rows.withColumn("hash", f.xxhash64("id")).groupBy("id").agg(f.sum("hash")).collect()
            rows.join(session.range(10), "id").orderBy("id").toArrow()
            rows.exceptAll(rows).count()
            session.stop()
            gateway.shutdown()
            gateway.proc.stdin.close()  # Java ends, and writes the archive
            gateway.proc.wait(TRAIN_SECONDS)
    new.replace(folder / ARCHIVE)


if __name__ == "__main__":
    _train(Path(sys.argv[1]))
