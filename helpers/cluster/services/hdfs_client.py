"""HDFS as Hadoop's own client sees it: for fixtures that must not depend on what ClickHouse writes there.

A file that HDFS does not take is an error of this client; ClickHouse acknowledges it.
"""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

from helpers.base.errors import EnvironmentFailed
from helpers.base.time_limits import scaled
from helpers.cluster.services.hdfs_jars import find_jars
from helpers.cluster.services.java import find_java_program

SECONDS = 120.0
SHELL, ADMINISTRATION = "org.apache.hadoop.fs.FsShell", "org.apache.hadoop.hdfs.tools.DFSAdmin"
JAVA_OPTIONS = (
    *("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
    # Hadoop 2.7 was written for Java 7.
    *("--add-opens", "java.base/java.lang=ALL-UNNAMED"),
    *("--add-exports", "java.security.jgss/sun.security.krb5=ALL-UNNAMED"),
)


def java_command(main: str, *folders: Path) -> list[str]:
    """What starts a program of Hadoop; folders are where it looks for its configuration."""
    path = os.pathsep.join(map(str, [*folders, *find_jars()]))
    return [str(find_java_program()), *JAVA_OPTIONS, "-cp", path, main]


def put(url: str, folder: Path, path: str) -> None:
    """Copy a folder of this machine, which becomes a new one of HDFS."""
    # It fails on a folder with a blank in its name, so it gets this one as its working directory.
    _run(url, folder, SHELL, "-put", "/proc/self/cwd", path)


def limit_space(url: str, path: str, size: int) -> None:
    """Let a folder of HDFS hold no more than this."""
    _run(url, Path("/"), ADMINISTRATION, "-setSpaceQuota", str(size), path)


def write_properties(file: Path, properties: dict[str, str]) -> None:
    """A file of Hadoop's configuration."""
    entries = (
        f"  <property><name>{name}</name><value>{escape(value)}</value></property>"
        for name, value in properties.items()
    )
    file.write_text("\n".join(["<configuration>", *entries, "</configuration>", ""]))


def _run(url: str, folder: Path, main: str, *arguments: str) -> None:
    with tempfile.TemporaryDirectory(prefix="hdfs-client-") as configuration:
        write_properties(Path(configuration, "core-site.xml"), {"fs.defaultFS": url})
        done = subprocess.run(
            [*java_command(main, Path(configuration)), *arguments],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=scaled(SECONDS),
        )
    if done.returncode:
        raise EnvironmentFailed(f"HDFS refused {' '.join(arguments)}:\n{done.stderr[-2000:]}")
