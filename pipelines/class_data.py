"""Spark's Java classes in an archive that Java maps into memory: half of a start is reading them.

The archive belongs to one Java and one Spark, is made once in the environment's cache folder by
running a short session, and is shared by all processes. `python -m pipelines.class_data` makes it.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import threading
from pathlib import Path

import pyspark

from pipelines.java import JavaHome, cache_folder

PREFIX = "spark-classes-"
ARCHIVE, BASE, LOCK, FAILED = "spark.jsa", "base.jsa", "lock", "failed"
WRITE_SECONDS = 600


def empty_folder() -> Path:
    """A folder for Spark's settings with nothing in it: archives demand empty folders."""
    folder = cache_folder() / "spark-no-settings"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def sharing_options(java: JavaHome) -> list[str]:
    """Options that let Java use the archive, which is made now if nobody has made it yet.

    Without them Java only starts more slowly: while another process makes the archive, or where
    it cannot be made, there are none.
    """
    folder = archive_folder(java)
    try:
        if not (folder / ARCHIVE).exists() and not (folder / FAILED).exists():
            folder.mkdir(parents=True, exist_ok=True)
            with (folder / LOCK).open("w") as lock:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if not (folder / ARCHIVE).exists():
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
    """Run a short session that writes the archive when it ends."""
    for other in folder.parent.glob(f"{PREFIX}*"):  # of a Java or a Spark that is gone
        if other != folder:
            shutil.rmtree(other, ignore_errors=True)
    program = str(java.path / "bin" / "java")
    # Small runtimes come without the archive of Java's own classes.
    shares = subprocess.run([program, "-Xshare:on", "-version"], capture_output=True)
    if shares.returncode:
        command = [program, "-XX:+UseSerialGC", "-Xshare:dump"]
        subprocess.run(
            [*command, f"-XX:SharedArchiveFile={folder / BASE}"], capture_output=True, check=False
        )
    root = Path(__file__).resolve().parents[1]
    path = os.pathsep.join(filter(None, [str(root), os.environ.get("PYTHONPATH")]))
    trainer = subprocess.Popen(
        [sys.executable, "-m", "pipelines.class_data", str(folder)],
        env={**os.environ, "PYTHONPATH": path},
        stdin=subprocess.PIPE,  # closed when we end, which ends the trainer
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    try:
        # Not communicate(), which closes standard input at once.
        words = trainer.stderr.read() if trainer.stderr else b""
        if trainer.wait() != 0:
            (folder / FAILED).write_bytes(b"Remove this folder to try again.\n" + words)
    finally:
        trainer.kill()


def train(folder: Path) -> None:
    """A session that uses what sessions of this library use, and leaves the archive behind."""
    from pyspark.sql import functions as f

    from pipelines.session import FAST_START, spark_session, stop_session

    new = folder / f"new-{os.getpid()}.jsa"
    base = folder / BASE
    share = [f"-XX:SharedArchiveFile={base}"] if base.exists() else []
    options = [*FAST_START, *share, f"-XX:ArchiveClassesAtExit={new}"]
    session = spark_session("local[2]", java_options=options, share_classes=False)
    session.dataSource.register(_sample())
    rows = session.read.format("sample").load()
    rows.withColumn("hash", f.xxhash64("id")).groupBy("id").agg(f.sum("hash")).collect()
    rows.join(session.range(10), "id").orderBy("id").toArrow()
    rows.exceptAll(rows).count()
    rows.write.format("sample").mode("append").save()
    stop_session(WRITE_SECONDS)  # the archive is written at the end
    new.replace(folder / ARCHIVE)


def _sample() -> type:
    """A data source that reads and writes a few rows, since their classes belong in the archive."""
    import pyarrow as pa
    from pyspark.sql.datasource import (
        DataSource,
        DataSourceArrowWriter,
        DataSourceReader,
        WriterCommitMessage,
    )

    class Reader(DataSourceReader):
        def read(self, partition: object) -> object:
            yield pa.record_batch({"id": pa.array([1, 2, 3], pa.int64())})

    class Writer(DataSourceArrowWriter):
        def write(self, iterator: object) -> object:
            return WriterCommitMessage()

    class Sample(DataSource):
        @classmethod
        def name(cls) -> str:
            return "sample"

        def schema(self) -> str:
            return "id long"

        def reader(self, schema: object) -> Reader:
            return Reader()

        def writer(self, schema: object, overwrite: bool) -> Writer:
            return Writer()

    return Sample


def _end_with_parent() -> None:
    """End at once when standard input closes: whoever waits for the archive is gone."""
    from pipelines import session

    while os.read(sys.stdin.fileno(), 1):
        pass
    running = session._running
    if running is not None and running.gateway is not None:
        running.gateway.proc.kill()
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_parent, daemon=True).start()
    train(Path(sys.argv[1]))
