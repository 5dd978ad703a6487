"""HDFS in any environment, and one on loopback: a name node and a data node as processes.

It takes seconds to start and 300 MB of memory, so it starts only when a scenario asks for it.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import urllib.request
from collections.abc import Sequence
from pathlib import Path

from helpers.base.errors import EnvironmentFailed
from helpers.base.time_limits import scaled
from helpers.cluster.client.interception import action
from helpers.cluster.processes import process
from helpers.cluster.processes.ports import LOOPBACK, reserve_free
from helpers.cluster.service import Service
from helpers.cluster.services import hdfs_client
from helpers.cluster.services.hdfs_client import java_command, write_properties
from pipelines.system.waiting import poll

READY_SECONDS = 60.0
SERVERS = "org.apache.hadoop.hdfs.server"
NAME_NODE, DATA_NODE = f"{SERVERS}.namenode.NameNode", f"{SERVERS}.datanode.DataNode"
PORTS = ("rpc", "name http", "data", "data ipc", "data http")
# Hadoop 2.7 fails on a folder with a blank in its name, so nodes get theirs as their working directory.
HERE = "file:///proc/self/cwd"
# It also looks how full the disk is by a line of shell, in which an apostrophe in the folder's name ends
# the quotation. All of its folders are below the working directory, so that one is asked about instead.
BASH = """\
#!/bin/sh
case "$2" in *"'df'"*) exec df -k . ;; esac
exec /usr/bin/env PATH="${PATH#*:}" bash "$@"
"""
LOGGING = """\
log4j.rootLogger=WARN,console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%d %p %c: %m%n
"""


class Hdfs(Service):
    """A file system at `url`, empty at first: a name node and a data node."""

    url: str

    def __init__(self) -> None:
        self._programs: Sequence[process.Program] = ()

    @property
    def running(self) -> bool:
        return bool(self._programs) and all(program.alive for program in self._programs)

    @action
    def kill(self) -> None:
        self._end()

    @action
    def freeze(self) -> None:
        for program in self._programs:
            program.signal(signal.SIGSTOP)

    @action
    def thaw(self) -> None:
        for program in self._programs:
            program.signal(signal.SIGCONT)

    def _end(self) -> None:
        for program in self._programs:
            program.kill()
        self._programs = ()

    def _wait_until_ready(self, host: str, port: int) -> None:
        """Wait until the name node, asked at this place over HTTP, takes blocks."""
        if not poll(
            lambda: takes_blocks(host, port),
            scaled(READY_SECONDS),
            give_up=lambda: not self.running,
            pause=0.1,
        ):
            ended = next((each for each in self._programs if not each.alive), self._programs[0])
            text = f"HDFS did not come up ({ended.ending}). Its last output:\n{ended.last_output()}"
            self._end()
            raise EnvironmentFailed(text)

    @action
    def put(self, folder: Path, path: str) -> None:
        """Copy a folder of this machine, which becomes a new one of HDFS."""
        hdfs_client.put(self.url, folder, path)

    @action
    def limit_space(self, path: str, size: int) -> None:
        """Let a folder of HDFS hold no more than this."""
        hdfs_client.limit_space(self.url, path, size)


class LocalHdfs(Hdfs):
    """Two processes on loopback."""

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self._ports = reserve_free(len(PORTS))
        self.ports = {name: port.number for name, port in zip(PORTS, self._ports, strict=True)}
        self.url = f"hdfs://{LOOPBACK}:{self.ports['rpc']}"

    @property
    def pids(self) -> list[int]:
        return [program.pid for program in self._programs if program.alive]

    def start(self) -> None:
        """Format it on first use, start both nodes and wait until the data node takes blocks."""
        if self.running:
            return
        self._end()
        if not (self.folder / "name").is_dir():
            self.folder.mkdir(parents=True, exist_ok=True)
            self._configure()
            self._format()
        self._programs = [self._spawn(NAME_NODE), self._spawn(DATA_NODE)]
        self._wait_until_ready(LOOPBACK, self.ports["name http"])

    def release(self) -> None:
        """End it for good and give its ports back."""
        self._end()
        for port in self._ports:
            port.release()

    def _configure(self) -> None:
        configuration = self.folder / "conf"
        # Both nodes insist on a folder of pages for their web servers.
        for pages in ("hdfs", "datanode"):
            (configuration / "webapps" / pages).mkdir(parents=True)
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "bash").write_text(BASH)
        (self.folder / "bin" / "bash").chmod(0o700)
        (configuration / "log4j.properties").write_text(LOGGING)
        write_properties(configuration / "core-site.xml", {"fs.defaultFS": self.url})
        write_properties(
            configuration / "hdfs-site.xml",
            {
                "dfs.namenode.name.dir": f"{HERE}/name",
                "dfs.datanode.data.dir": f"{HERE}/data",
                "dfs.namenode.rpc-address": f"{LOOPBACK}:{self.ports['rpc']}",
                "dfs.namenode.http-address": f"{LOOPBACK}:{self.ports['name http']}",
                "dfs.datanode.address": f"{LOOPBACK}:{self.ports['data']}",
                "dfs.datanode.ipc.address": f"{LOOPBACK}:{self.ports['data ipc']}",
                "dfs.datanode.http.address": f"{LOOPBACK}:{self.ports['data http']}",
                "dfs.namenode.datanode.registration.ip-hostname-check": "false",
                "dfs.replication": "1",
                "dfs.webhdfs.enabled": "false",
                "dfs.permissions.enabled": "false",
                "dfs.namenode.safemode.extension": "0",
                "dfs.heartbeat.interval": "1",
                # A data node that seems busier than the average gets no block, and there is no other.
                "dfs.namenode.replication.considerLoad": "false",
                "hadoop.tmp.dir": "/proc/self/cwd/tmp",
            },
        )

    def _format(self) -> None:
        formatted = subprocess.run(
            [*self._command(NAME_NODE), "-format", "-nonInteractive"],
            cwd=self.folder,
            capture_output=True,
            text=True,
        )
        if formatted.returncode:
            raise EnvironmentFailed(f"HDFS cannot be formatted:\n{formatted.stderr[-2000:]}")

    def _spawn(self, main: str) -> process.Child:
        name = main.rpartition(".")[2].lower()
        return process.start(
            self._command(main),
            cwd=self.folder,
            output=self.folder / f"{name}.log",
            env={
                **os.environ,
                "HADOOP_HOME": str(self.folder),
                "PATH": f"bin:{os.environ['PATH']}",
            },
        )

    def _command(self, main: str) -> list[str]:
        return java_command(main, self.folder / "conf")


def takes_blocks(host: str, port: int) -> bool:
    """Whether a name node has left its safe mode and knows of space: it tells over HTTP, as a metric.

    A data node that has registered is alive; that it has disks it says afterwards. A file of that time gets
    no block, and ClickHouse, which does not look how the file was closed, acknowledges rows that are nowhere.
    """
    query = "qry=Hadoop:service=NameNode,name=FSNamesystemState"
    try:
        with urllib.request.urlopen(f"http://{host}:{port}/jmx?{query}", timeout=2) as answer:
            beans = json.load(answer)["beans"]
    except (OSError, ValueError):
        return False
    return any(
        bean.get("CapacityRemaining", 0) > 0 and bean.get("FSState") == "Operational"
        for bean in beans
    )
