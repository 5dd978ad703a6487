"""The Java archives of an HDFS, out of a source package on the package index.

An old release of PySpark carries the whole Hadoop 2.7, servers included; 31 of its archives (28 MB) are
enough for a name node and a data node. They are fetched on first use into `.engines/hdfs`.
"""

from __future__ import annotations

import shutil
import tarfile
import tempfile
from collections.abc import Callable
from pathlib import Path

from helpers.base.errors import EnvironmentFailed
from helpers.base.paths import ENGINES
from helpers.cluster.engines.wheels import failure, run_pip
from pipelines.system import locks

PACKAGE, VERSION = "pyspark", "2.4.8"
JARS = (
    *("commons-cli-1.2", "commons-codec-1.10", "commons-collections-3.2.2"),
    *("commons-configuration-1.6", "commons-httpclient-3.1", "commons-io-2.4"),
    *("commons-lang-2.6", "commons-logging-1.1.3", "commons-net-3.1", "guava-14.0.1"),
    *("hadoop-annotations-2.7.3", "hadoop-auth-2.7.3", "hadoop-common-2.7.3"),
    *("hadoop-hdfs-2.7.3", "htrace-core-3.1.0-incubating", "jackson-core-asl-1.9.13"),
    *("jackson-mapper-asl-1.9.13", "javax.servlet-api-3.1.0", "javax.ws.rs-api-2.0.1"),
    *("jetty-6.1.26", "jetty-util-6.1.26", "jsp-api-2.1", "leveldbjni-all-1.8", "log4j-1.2.17"),
    *("netty-3.9.9.Final", "netty-all-4.1.47.Final", "protobuf-java-2.5.0"),
    *("slf4j-api-1.7.16", "slf4j-log4j12-1.7.16", "xercesImpl-2.9.1", "xmlenc-0.52"),
)
# pip wants to know the name and version of what it downloads, and would run the package's set-up
# program for it, which no longer works. This stands in for that program.
BUILD_BACKEND = f"""
from pathlib import Path

class Backend:
    def prepare_metadata_for_build_wheel(self, folder, config_settings=None):
        info = Path(folder, "{PACKAGE}-{VERSION}.dist-info")
        info.mkdir()
        text = "Metadata-Version: 2.1\\nName: {PACKAGE}\\nVersion: {VERSION}\\n"
        (info / "METADATA").write_text(text)
        return info.name

__legacy__ = Backend()
"""


def find_jars(say: Callable[[str], None] = print, engines: Path = ENGINES) -> list[Path]:
    """The archives, fetched if need be."""
    folder = engines / "hdfs"
    if not folder.is_dir():
        engines.mkdir(exist_ok=True)
        with (engines / "hdfs.lock").open("w") as file:
            locks.lock(file)
            if not folder.is_dir():
                say(f"Fetching HDFS (out of {PACKAGE} {VERSION}, 220 MB) into .engines …")
                _fetch(folder)
    jars = [folder / f"{name}.jar" for name in JARS]
    missing = [jar.name for jar in jars if not jar.is_file()]
    if missing:
        raise EnvironmentFailed(f"{folder} lacks {missing[0]}: remove the folder and run again.")
    return jars


def _fetch(folder: Path) -> None:
    """All of it or nothing: unpacked beside and renamed when complete."""
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="hdfs.partial-") as temporary:
        archive = _download(Path(temporary))
        jars = Path(temporary, "jars")
        jars.mkdir()
        wanted = {f"{name}.jar" for name in JARS}
        with tarfile.open(archive) as content:
            for member in content:
                name = Path(member.name).name
                source = content.extractfile(member) if name in wanted else None
                if source is not None:
                    with (jars / name).open("wb") as target:
                        shutil.copyfileobj(source, target)
        jars.rename(folder)


def _download(folder: Path) -> Path:
    backend = folder / "backend" / "setuptools"
    backend.mkdir(parents=True)
    (backend / "__init__.py").touch()
    (backend / "build_meta.py").write_text(BUILD_BACKEND)
    pip = run_pip(
        *("download", "--quiet", "--no-deps", "--use-pep517", "--no-build-isolation"),
        *("--dest", str(folder), f"{PACKAGE}=={VERSION}"),
        PYTHONPATH=str(backend.parent),
    )
    archives = list(folder.glob("*.tar.gz"))
    if pip.returncode == 0 and archives:
        return archives[0]
    raise failure("HDFS could not be fetched", pip)
