"""Spark's Java classes in an archive that Java maps into memory: half of a start is reading them.

The archive belongs to one Java and one Spark, is made once in the environment's cache folder by
running a short session, and is shared by all processes. `pipelines.spark.class_archive_training` makes it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyspark

from pipelines.spark.java import LOCALE, JavaHome, cache_folder
from pipelines.system import parent_death
from pipelines.system.locks import try_lock

PREFIX = "spark-classes-"
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
    """Run a short session that writes the archive when it ends."""
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
    trainer = subprocess.Popen(
        [sys.executable, "-m", "pipelines.spark.class_archive_training", str(folder)],
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
