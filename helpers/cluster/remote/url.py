"""The address of servers that run already: `clickhouse://[USER@]HOST:PORT[,HOST:PORT…]`."""

from __future__ import annotations

import os
import re
import urllib.parse
from collections.abc import Mapping
from dataclasses import dataclass

from helpers.base.errors import UsageError

OPTION = "--clickhouse-url"
PASSWORD = "CLICKHOUSE_PASSWORD"
PLAIN, SECURE = "clickhouse", "clickhouses"
NATIVE_PORTS = {PLAIN: 9000, SECURE: 9440}
HOST = re.compile(r"(?P<host>[\w.-]+|\[[0-9a-fA-F:.]+\])(?::(?P<port>\d{1,5}))?")


@dataclass(frozen=True)
class RemoteUrl:
    """Servers of one cluster, and who we are there. `http_port` is where they are asked over HTTP;
    None: they say so themselves."""

    hosts: tuple[tuple[str, int], ...]
    user: str
    password: str
    secure: bool
    http_port: int | None


def parse(text: str | None, variables: Mapping[str, str] = os.environ) -> RemoteUrl:
    """The parsed address; UsageError if it cannot be used."""
    if text is None:
        raise UsageError(f"--env remote needs {OPTION} clickhouse://USER@HOST:PORT.")
    scheme, separator, rest = text.partition("://")
    if not separator or scheme not in NATIVE_PORTS:
        raise UsageError(
            f"{OPTION} {_shown(text)}: it has to start with {PLAIN}:// (the native port, 9000), or "
            f"{SECURE}:// where that port speaks TLS (9440)."
        )
    place, _, query = rest.partition("?")
    user, at, hosts = place.rstrip("/").rpartition("@")
    if ":" in user:
        raise UsageError(
            f"{OPTION} {_shown(text)}: a password in it would be in logs and results; leave it out and "
            f"set {PASSWORD}."
        )
    places = tuple(_host(text, host, NATIVE_PORTS[scheme]) for host in hosts.split(","))
    if len(set(places)) < len(places):
        raise UsageError(f"{OPTION} {_shown(text)}: a server is named twice; each is one node.")
    return RemoteUrl(
        hosts=places,
        user=urllib.parse.unquote(user) if at else "default",
        password=variables.get(PASSWORD, ""),
        secure=scheme == SECURE,
        http_port=_http_port(text, query),
    )


def _host(text: str, host: str, default: int) -> tuple[str, int]:
    match = HOST.fullmatch(host)
    port = int(match["port"] or default) if match else 0
    if match is None or not 0 < port < 65536:
        raise UsageError(f"{OPTION} {_shown(text)}: {host!r} is not HOST or HOST:PORT.")
    return match["host"].strip("[]"), port


def _http_port(text: str, query: str) -> int | None:
    parameters = urllib.parse.parse_qs(query, keep_blank_values=True)
    given = parameters.pop("http_port", [None])[-1]
    if parameters:
        raise UsageError(
            f"{OPTION} {_shown(text)}: {next(iter(parameters))!r} is unknown; it takes http_port=N only."
        )
    if given is None:
        return None
    if not given.isdigit() or not 0 < int(given) < 65536:
        raise UsageError(f"{OPTION} {_shown(text)}: http_port={given} is not a port.")
    return int(given)


def _shown(text: str) -> str:
    """The address without a password that it may have."""
    return re.sub(r"(//[^:/@]*):.*@", r"\1:…@", text)
