"""Servers that run already (`--env remote`): databases of our own there, which are removed in the end."""

from __future__ import annotations

import contextlib
import io
import secrets
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack

from helpers.base.errors import EnvironmentFailed
from helpers.cluster import FIRST_NODE
from helpers.cluster.client.failures import NO_ANSWER, QueryFailed, QueryTimedOut, Unavailable
from helpers.cluster.client.recording import Recorder, literal
from helpers.cluster.cluster import Cluster, Collections, NodeOptions
from helpers.cluster.local.configuration import is_optional
from helpers.cluster.node import Node
from helpers.cluster.object_store import ADMIN, ObjectStore
from helpers.cluster.remote.endpoint import endpoint_of, explained, unrecorded
from helpers.cluster.remote.leftovers import PREFIX, prefix_of, word
from helpers.cluster.remote.node import (
    NO_CONFIGURATION,
    NO_PROCESS_CONTROL,
    NO_USERS,
    RemoteNode,
)
from helpers.cluster.remote.store import OPTION as S3_OPTION
from helpers.cluster.remote.store import RemoteStore
from helpers.cluster.remote.url import OPTION, parse
from helpers.cluster.service import Coordination
from helpers.cluster.target import Target

REPLICATION = "replication"
NO_STORE = "a store that the servers reach: none was given with --s3-url"
NO_SERVICE = "a coordination service that can be killed or frozen: this one runs elsewhere"
ONE_STORE = f"a second store, with TLS: {S3_OPTION} names one"
NO_HDFS = "an HDFS that the servers reach: none is known"


class RemoteCluster(Cluster):
    """The servers that an address names, as node1, node2, …"""

    environment = "remote"

    def __init__(self, folder: Path, target: Target) -> None:
        self.folder = folder
        self.url = parse(target.clickhouse_url)
        self.recorder = Recorder()
        # A worker's folder is <run>/data/<worker>.
        self.database_prefix = f"{prefix_of(folder.parent.parent.name)}{word(folder.name)}_"
        self._s3_url = target.s3_url
        self._store: RemoteStore | None = None
        self._nodes: dict[str, RemoteNode] = {}
        self._given: dict[str, int] = {}
        self._created: dict[tuple[str, str], Mapping[str, str]] = {}

    def node(self, name: str = FIRST_NODE, **options: Unpack[NodeOptions]) -> RemoteNode:
        fragments = {name for name in options.get("fragments", ()) if not is_optional(name)}
        if REPLICATION in fragments and self.why_no_coordination() is None:
            fragments.remove(REPLICATION)  # as it is configured already
        if fragments:
            raise Unavailable(f"{NO_CONFIGURATION} (wanted: {', '.join(sorted(fragments))})")
        if options.get("users"):
            raise Unavailable(NO_USERS)
        if options.get("config") or options.get("version"):
            raise Unavailable(NO_CONFIGURATION)
        node = self._connected(name)
        self._create_collections(node, options.get("collections") or {})
        return node

    def _connected(self, name: str) -> RemoteNode:
        """The server that a scenario calls so: node1, node2, … are the servers in their order. Another
        name is that of a node with a configuration of its own; each is given another server."""
        numbers = {f"node{number}": number for number in range(1, len(self.url.hosts) + 1)}
        number = numbers.get(name) or self._given.get(name)
        if number is None:
            number = len(self.url.hosts) - len(self._given)
            if number < 1:
                raise Unavailable(f"a server for {name!r}: {OPTION} names {len(numbers)}")
            self._given[name] = number
        key = f"{name} {number}"
        if key not in self._nodes:
            endpoint = endpoint_of(self.url, *self.url.hosts[number - 1])
            file = self.folder / f"{name}.log"
            self._nodes[key] = RemoteNode(name, endpoint, self.recorder, file)
        return self._nodes[key]

    def _create_collections(self, node: RemoteNode, collections: Collections) -> None:
        """Create these named collections on a server. They hold keys, so nothing is recorded."""
        place = f"{node.endpoint.host}:{node.endpoint.tcp_port}"
        for name, pairs in collections.items():
            if self._created.get((place, name)) == pairs:
                continue
            server = unrecorded(node.name, node.endpoint)
            create_collection(server, name, pairs)
            server.drop_connections()
            self._created[place, name] = dict(pairs)

    def object_store(self, *, tls: bool = False) -> ObjectStore:
        if self._s3_url is None:
            raise Unavailable(NO_STORE)
        if tls:
            raise Unavailable(ONE_STORE)
        if self._store is None:
            prefix = self.database_prefix.replace("_", "-")
            self._store = RemoteStore(self._s3_url, bucket_prefix=prefix)
        return self._store

    def why_no_object_store(self) -> str | None:
        return NO_STORE if self._s3_url is None else None

    def coordination(self) -> Coordination:
        raise Unavailable(NO_SERVICE)

    def why_no_coordination(self) -> str | None:
        """Whether the servers have a coordination service is in their configuration."""
        node = self._connected(FIRST_NODE)
        sql = "SELECT count() FROM system.tables WHERE database = 'system' AND name = 'zookeeper'"
        return None if node.value(sql) else "system.zookeeper does not exist on this server"

    def why_no_hdfs(self) -> str | None:
        return NO_HDFS

    def why_no_second_engine(self) -> str | None:
        return NO_CONFIGURATION

    def why_no_process_control(self) -> str | None:
        return NO_PROCESS_CONTROL

    def record_to(self, recorder: Recorder) -> None:
        super().record_to(recorder)
        self._given.clear()  # another scenario

    def stop_idle(self, needed: Sequence[Node]) -> None:
        """They are not ours to stop."""

    def close(self) -> None:
        for node in self._nodes.values():
            node.drop_connections()
        self._nodes.clear()
        self._created.clear()
        if self._store is not None:
            self._store.remove_buckets()
            self._store = None


def create_collection(node: RemoteNode, collection: str, pairs: Mapping[str, str]) -> None:
    """Create a named collection on a server, in place of one of the same name."""
    known = ", ".join(f"{key} = {literal(value)}" for key, value in pairs.items())
    try:
        node.query(f"DROP NAMED COLLECTION IF EXISTS {collection}")
        node.query(f"CREATE NAMED COLLECTION {collection} AS {known}")
    except QueryFailed as failed:  # with the statement, which holds keys
        raise EnvironmentFailed(
            f"{node.name} takes no named collection, by which it is told of the store: "
            f"{failed.message.splitlines()[0]} The user needs named_collection_control."
        ) from None


def prepare(target: Target) -> str:
    """Whether every server answers, lets us create databases and reaches the store; says what they are."""
    url = parse(target.clickhouse_url)
    store = None if target.s3_url is None else RemoteStore(target.s3_url)
    if store is not None:
        store.check()
    versions = []
    for host, port in url.hosts:
        try:
            node = unrecorded(f"{host}:{port}", endpoint_of(url, host, port))
            versions.append(node.version)
            probe = f"{PREFIX}_probe"
            node.query(f"CREATE DATABASE IF NOT EXISTS {probe}")
            node.query(f"DROP DATABASE {probe}")
        except NO_ANSWER as error:
            raise EnvironmentFailed(explained(url, host, port, error)) from None
        if store is not None:
            _check_reach(node, store)
    places = ", ".join(f"{host}:{port}" for host, port in url.hosts)
    return f"{places} (ClickHouse {', '.join(sorted(set(versions)))})"


def _check_reach(node: RemoteNode, store: RemoteStore) -> None:
    """Raises EnvironmentFailed if a server cannot be told of the store, or does not get an object of it."""
    name = f"{PREFIX}_probe_{secrets.token_hex(4)}"
    bucket = name.replace("_", "-")
    who = store.identities[ADMIN]
    pairs = {
        "url": f"{store.url}/{bucket}/",
        "access_key_id": who.access_key,
        "secret_access_key": who.secret_key,
    }
    try:
        store.make_bucket(bucket)
        store.client().put_object(bucket, "probe.tsv", io.BytesIO(b"1\n"), 2)
        create_collection(node, name, pairs)
        node.query(
            f"SELECT * FROM s3({name}, filename = 'probe.tsv', format = 'TSV', structure = 'n UInt8')",
            settings={"s3_retry_attempts": 1, "s3_request_timeout_ms": 10000},
        )
    except (QueryFailed, QueryTimedOut) as failed:
        message = failed.message if isinstance(failed, QueryFailed) else str(failed)
        raise EnvironmentFailed(
            f"{S3_OPTION} {store.url}: {node.name} cannot use it: {message.splitlines()[0]} "
            "Does the server reach it by this address?"
        ) from None
    finally:
        with contextlib.suppress(QueryFailed):
            node.query(f"DROP NAMED COLLECTION IF EXISTS {name}")
        store.remove_buckets()
