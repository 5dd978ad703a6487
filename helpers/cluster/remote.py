"""Servers that run already (`--env remote`): databases of our own there, which are removed in the end.

Their names start with the run's, so that whoever ends a run, or finds what a killed one has left, knows
what to remove.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Unpack

from clickhouse_driver import errors as driver_errors

from helpers.cluster.cluster import FIRST_NODE, Cluster, NodeOptions
from helpers.cluster.coordination import Coordination
from helpers.cluster.failures import QueryFailed, QueryTimedOut, Unavailable
from helpers.cluster.hdfs import Hdfs
from helpers.cluster.node import Node
from helpers.cluster.object_store import ObjectStore
from helpers.cluster.remote_node import NO_CONFIGURATION, NO_PROCESS_CONTROL, RemoteNode
from helpers.cluster.remote_store import RemoteStore
from helpers.cluster.remote_url import OPTION, PASSWORD, PLAIN, SECURE, RemoteUrl, parse
from helpers.cluster.session import Endpoint
from helpers.cluster.target import Target
from helpers.errors import EnvironmentFailed
from helpers.recording import Recorder

PREFIX = "regression"
AUTHENTICATION_FAILED = (192, 193, 516)
UNEXPECTED_PACKET = 102
NO_ANSWER = (driver_errors.Error, OSError, EOFError, QueryFailed, QueryTimedOut)
REPLICATION = "replication"
HTTP_PORTS = {False: ("http_port", 8123), True: ("https_port", 8443)}
NO_STORE = "a store that the servers reach: none was given with --s3-url"
NO_SERVICE = "a coordination service that can be killed or frozen: this one runs elsewhere"
NO_HDFS = "an HDFS that the servers reach: none is known"


class RemoteCluster(Cluster):
    """The servers that an address names, as node1, node2, …"""

    environment = "remote"

    def __init__(self, folder: Path, target: Target) -> None:
        self.folder = folder
        self.url = parse(target.clickhouse_url)
        self.recorder = Recorder()
        # A worker's folder is <run>/data/<worker>.
        self.database_prefix = f"{_prefix(folder.parent.parent.name)}{_word(folder.name)}_"
        self._s3_url = target.s3_url
        self._store: RemoteStore | None = None
        self._nodes: dict[str, RemoteNode] = {}

    @property
    def nodes(self) -> list[Node]:
        return list(self._nodes.values())

    def node(self, name: str = FIRST_NODE, **options: Unpack[NodeOptions]) -> RemoteNode:
        node = self._nodes.get(name) or self._connect(name)
        fragments = set(options.get("fragments", ()))
        if REPLICATION in fragments and self.why_no_coordination() is None:
            fragments.remove(REPLICATION)  # as it is configured already
        if fragments or options.get("config") or options.get("users") or options.get("version"):
            raise Unavailable(NO_CONFIGURATION)
        return node

    def _connect(self, name: str) -> RemoteNode:
        hosts = {f"node{number}": host for number, host in enumerate(self.url.hosts, start=1)}
        if name not in hosts:
            raise Unavailable(f"a server for {name!r}: {OPTION} names {len(hosts)}")
        endpoint = _endpoint(self.url, *hosts[name])
        node = RemoteNode(name, endpoint, self.recorder, self.folder / f"{name}.log")
        self._nodes[name] = node
        return node

    def object_store(self, *, tls: bool = False) -> ObjectStore:
        if self._s3_url is None:
            raise Unavailable(NO_STORE)
        if self._store is None:
            self._store = RemoteStore(self._s3_url)
        return self._store

    def why_no_object_store(self) -> str | None:
        return NO_STORE if self._s3_url is None else None

    def coordination(self) -> Coordination:
        raise Unavailable(NO_SERVICE)

    def why_no_coordination(self) -> str | None:
        """Whether the servers have a coordination service is in their configuration."""
        node = self._nodes.get(FIRST_NODE) or self._connect(FIRST_NODE)
        sql = "SELECT count() FROM system.tables WHERE database = 'system' AND name = 'zookeeper'"
        return None if node.value(sql) else "system.zookeeper does not exist on this server"

    def hdfs(self) -> Hdfs:
        raise Unavailable(NO_HDFS)

    def why_no_hdfs(self) -> str | None:
        return NO_HDFS

    def why_no_second_engine(self) -> str | None:
        return NO_CONFIGURATION

    def why_no_process_control(self) -> str | None:
        return NO_PROCESS_CONTROL

    def record_to(self, recorder: Recorder) -> None:
        self.recorder = recorder
        for node in self._nodes.values():
            node.recorder = recorder

    def rest(self, awake: Sequence[Node]) -> None:
        """They are not ours to stop."""

    def close(self) -> None:
        for node in self._nodes.values():
            node.drop_connections()
        self._nodes.clear()
        if self._store is not None:
            self._store.remove_buckets()
            self._store = None


def prepare(target: Target) -> str:
    """Whether every server answers and lets us create databases; says what they are."""
    url = parse(target.clickhouse_url)
    if target.s3_url is not None:
        RemoteStore(target.s3_url).check()
    versions = []
    for host, port in url.hosts:
        try:
            endpoint = _endpoint(url, host, port)
            node = RemoteNode(f"{host}:{port}", endpoint, Recorder(), Path())
            versions.append(node.version)
            probe = f"{PREFIX}_probe"
            node.query(f"CREATE DATABASE IF NOT EXISTS {probe}")
            node.query(f"DROP DATABASE {probe}")
        except NO_ANSWER as error:
            raise EnvironmentFailed(_explained(url, host, port, error)) from None
    places = ", ".join(f"{host}:{port}" for host, port in url.hosts)
    return f"{places} (ClickHouse {', '.join(sorted(set(versions)))})"


def remove_leftovers(target: Target, runs: Sequence[str]) -> None:
    """Drop the databases that these runs created, on every server."""
    url = parse(target.clickhouse_url)
    prefixes = tuple(map(_prefix, runs))
    for host, port in url.hosts:
        try:
            node = RemoteNode(f"{host}:{port}", _endpoint(url, host, port), Recorder(), Path())
            for database in node.column("SELECT name FROM system.databases"):
                if database.startswith(prefixes):
                    node.drop_database(database)
            node.drop_connections()
        except NO_ANSWER as error:
            raise EnvironmentFailed(
                f"Databases that start with {prefixes[0]} may be left: "
                + _explained(url, host, port, error)
            ) from None


def _prefix(run: str) -> str:
    return f"{PREFIX}_{_word(run)}_"


def _word(text: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", text.lower())


def _endpoint(url: RemoteUrl, host: str, port: int) -> Endpoint:
    """Where to ask this server; it says itself on which port it answers over HTTP."""
    name, usual = HTTP_PORTS[url.secure]
    endpoint = Endpoint(host, port, url.http_port or usual, url.user, url.password, url.secure)
    if url.http_port is not None:
        return endpoint
    node = RemoteNode(f"{host}:{port}", endpoint, Recorder(), Path())
    try:
        return Endpoint(
            host,
            port,
            int(node.value(f"SELECT getServerPort('{name}')")),
            url.user,
            url.password,
            url.secure,
        )
    except QueryFailed as failed:
        if failed.code in AUTHENTICATION_FAILED:
            raise
        return endpoint  # it does not listen there, or is too old to know
    finally:
        node.drop_connections()


def _explained(url: RemoteUrl, host: str, port: int, error: Exception) -> str:
    """Why there is no working with this server, and what to do."""
    where = f"{OPTION}: {host}:{port}"
    if isinstance(error, QueryFailed):
        if error.code in AUTHENTICATION_FAILED:
            return (
                f"{where} refuses the user {url.user!r}: {error.message.splitlines()[0]} "
                f"Is {PASSWORD} set to the right password?"
            )
        return f"{where} refuses a statement of {url.user!r}: {error.message.splitlines()[0]}"
    # The driver wraps what the socket raised and keeps its text.
    if "CERTIFICATE_VERIFY_FAILED" in str(error):
        return (
            f"{where} has a certificate that is not trusted; name the file of the authority that "
            "signed it in SSL_CERT_FILE."
        )
    if url.secure and "SSL" in str(error):
        return f"{where} does not speak TLS; if that is its native port, use {PLAIN}://."
    hung_up = isinstance(error, EOFError) or "reset by peer" in str(error)
    if hung_up or getattr(error, "code", 0) == UNEXPECTED_PACKET:
        return (
            f"{where} does not speak the native protocol; give the native port (9000, not 8123), or "
            f"use {SECURE}:// if it speaks TLS."
        )
    lines = str(error).strip().splitlines()
    last = lines[0] if lines else type(error).__name__
    return f"{where} does not answer: {last} Is a server up there, and is this its native port?"
