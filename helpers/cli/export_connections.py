"""Which server and which store the command `export` is about."""

from __future__ import annotations

import argparse
import os
import urllib.parse
from typing import TYPE_CHECKING

from helpers.base.errors import UsageError
from helpers.cli.environment import folder_of
from helpers.cluster import daemon

if TYPE_CHECKING:
    from pipelines.clickhouse.server import Server
    from pipelines.export.destination import Destination
    from pipelines.s3.store import Store


def servers_of(given: argparse.Namespace) -> list[Server]:
    """The servers that are named, those of a cluster, or that of the environment that is up."""
    from pipelines.export.servers import servers_of_cluster

    urls = given.url or os.environ.get("CLICKHOUSE_URL", "")
    servers = (
        [_server(url.strip()) for url in urls.split(",")] if urls else [_of_environment(given)]
    )
    if given.cluster:
        if len(servers) > 1:
            raise UsageError("--cluster asks one server for the others: name one by --url.")
        return servers_of_cluster(servers[0], given.cluster)
    return servers


def server_of(given: argparse.Namespace) -> Server:
    """The first of the servers."""
    return servers_of(given)[0]


def _of_environment(given: argparse.Namespace) -> Server:
    from pipelines.clickhouse.server import Server

    running = daemon.find(folder_of(given))
    if running is None:
        raise UsageError("Which ClickHouse? Give --url http://host:8123 or set CLICKHOUSE_URL.")
    where = running.nodes[0].endpoint
    return Server(where.http_url, where.user, where.password)


def _server(url: str) -> Server:
    from pipelines.clickhouse.server import Server

    try:
        parts = urllib.parse.urlsplit(url)
    except ValueError as error:  # not repeated, since a password may be in it
        raise UsageError(f"What --url or CLICKHOUSE_URL says is no URL: {error}.") from None
    user = urllib.parse.unquote(parts.username or "") or os.environ.get(
        "CLICKHOUSE_USER", "default"
    )
    password = urllib.parse.unquote(parts.password or "") or os.environ.get(
        "CLICKHOUSE_PASSWORD", ""
    )
    bare = parts._replace(netloc=parts.netloc.rpartition("@")[2]).geturl()
    return Server(bare, user, password)


def store_of(given: argparse.Namespace) -> Store:
    from pipelines.s3.store import Store

    read = os.environ.get
    key, secret = read("AWS_ACCESS_KEY_ID", ""), read("AWS_SECRET_ACCESS_KEY", "")
    endpoint = given.endpoint or read("AWS_ENDPOINT_URL", "")
    # The keys of the environment that is up belong to its own servers only.
    is_named = given.url or read("CLICKHOUSE_URL", "")
    running = None if key or is_named else daemon.find(folder_of(given))
    if running and running.s3:
        store = running.s3
        key, secret, endpoint = store.access_key, store.secret_key, endpoint or store.url
    if not key or not secret:
        raise UsageError("Which keys has the store? Set AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY.")
    region = read("AWS_REGION", "us-east-1")
    endpoint = endpoint or f"https://s3.{region}.amazonaws.com"
    return Store(endpoint, key, secret, region, read("AWS_CA_BUNDLE", ""))


def check_destination(text: str) -> None:
    """A folder of this machine is no destination: say so before a server is asked for a table of its name."""
    if "://" not in text and ("/" in text or text in (".", "..")):
        raise UsageError(
            f"--to {text!r}: exports go into a store, not into a folder of this machine. Name an S3 table "
            "with Hive partitioning (db.table), or a place (s3://bucket/prefix)."
        )


def destination_of(given: argparse.Namespace) -> Destination:
    """The destination alone, without the source that its columns would be compared with."""
    from pipelines.export.destination import locate, place_destination
    from pipelines.export.plan import split_name
    from pipelines.export.source import find_table

    if "://" in given.to:
        return place_destination(store_of(given), given.to)
    server = server_of(given)
    return locate(find_table(server, *split_name(given.to, server.database)), store_of(given))
