"""ZooKeeper out of the archives that PySpark carries, on the Java that Spark runs on: no package needed."""

from __future__ import annotations

import functools
import importlib.util
import os
from pathlib import Path

from helpers.base.errors import EnvironmentFailed
from helpers.cluster.processes.ports import LOOPBACK
from helpers.cluster.services.coordination import LocalCoordination
from helpers.cluster.services.java import find_java_program

MAIN = "org.apache.zookeeper.server.ZooKeeperServerMain"
JARS = (
    *("zookeeper-*", "slf4j-api-*", "metrics-core-*", "snappy-java-*", "commons-io-*"),
    *("log4j-api-*", "log4j-core-*", "log4j-slf4j2-impl-*"),
    *("netty-common-*", "netty-handler-4*", "netty-transport-4*", "netty-buffer-*"),
)
JAVA_OPTIONS = ("-Xmx192m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
# A session lasts as long as the server that has it asks for; ticks are short so that its end is seen soon.
CONFIG = f"""\
dataDir=./data
clientPort={{port}}
clientPortAddress={LOOPBACK}
tickTime=500
minSessionTimeout=1000
maxSessionTimeout=60000
maxClientCnxns=0
admin.enableServer=false
forceSync=no
4lw.commands.whitelist=srvr
"""
LOGGING = """\
appender.console.type=Console
appender.console.name=console
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d %p %c{1}: %m%n
rootLogger.level=warn
rootLogger.appenderRef.console.ref=console
"""


@functools.cache
def find_jars() -> tuple[Path, ...]:
    """The archives it is made of; EnvironmentFailed where they are not installed."""
    spec = importlib.util.find_spec("pyspark")
    if spec is None or spec.origin is None:
        raise EnvironmentFailed(
            "ZooKeeper is not here: the package pyspark, which carries it, is missing."
        )
    folder = Path(spec.origin).parent / "jars"
    jars = [jar for pattern in JARS for jar in sorted(folder.glob(f"{pattern}.jar"))]
    if not any(jar.name.startswith("zookeeper-") for jar in jars):
        raise EnvironmentFailed(f"ZooKeeper is not here: {folder} has no zookeeper-*.jar.")
    return tuple(jars)


class ZooKeeper(LocalCoordination):
    """A standalone server."""

    name = "ZooKeeper"

    def configure(self) -> None:
        (self.folder / "zoo.cfg").write_text(CONFIG.format(port=self.port))
        (self.folder / "log4j2.properties").write_text(LOGGING)

    def command(self) -> list[str | Path]:
        return [
            find_java_program(),
            *JAVA_OPTIONS,
            "-Dlog4j2.configurationFile=log4j2.properties",
            *("-cp", os.pathsep.join(map(str, find_jars()))),
            *(MAIN, "./zoo.cfg"),
        ]
