"""Where Spark runs: the master's URL, looked at before Spark spends a minute on a wrong one."""

from __future__ import annotations

import os
import re
import socket
import urllib.parse
from collections.abc import Mapping

from pipelines.errors import PipelineError

LOCAL = re.compile(
    r"local(\[(\*|[1-9]\d*)(,\s*[1-9]\d*)?\])?|local-cluster\[[1-9]\d*,\s*[1-9]\d*,\s*\d+\]"
)
STANDALONE = re.compile(r"spark://([\w.\-]+:\d+)(,[\w.\-]+:\d+)*")
DEFAULT = "local[2]"
CONNECT_SECONDS = 5.0
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def choose_master(master: str | None, variables: Mapping[str, str] = os.environ) -> str:
    """The master that was asked for, SPARK_MASTER's or the default; refused if it cannot be."""
    chosen = master or variables.get("SPARK_MASTER") or DEFAULT
    if LOCAL.fullmatch(chosen):
        return chosen
    if STANDALONE.fullmatch(chosen):
        _reach(chosen, chosen.removeprefix("spark://").split(","), 7077)
    elif chosen.startswith("k8s://"):
        address = urllib.parse.urlsplit(chosen.removeprefix("k8s://"))
        name = address.netloc or address.path
        _reach(chosen, [name], 80 if address.scheme == "http" else 443)
    elif chosen == "yarn":
        if not (variables.get("HADOOP_CONF_DIR") or variables.get("YARN_CONF_DIR")):
            raise PipelineError("The Spark master yarn is found by HADOOP_CONF_DIR: set it.")
    else:
        raise PipelineError(
            f"'{chosen}' is no Spark master: it is local[N], spark://host:port, yarn or "
            "k8s://https://host:port."
        )
    return chosen


def on_this_machine(master: str) -> bool:
    """Whether driver and workers meet on loopback."""
    if LOCAL.fullmatch(master):
        return True
    hosts = master.removeprefix("spark://").split(",")
    return all(one.rpartition(":")[0] in LOOPBACK for one in hosts)


def _reach(master: str, addresses: list[str], default_port: int) -> None:
    """One of the addresses must listen."""
    words = ""
    for address in addresses:
        host, _, port = address.rpartition(":") if ":" in address else (address, "", "")
        try:
            socket.create_connection((host, int(port or default_port)), CONNECT_SECONDS).close()
            return
        except (OSError, ValueError) as error:
            words = getattr(error, "strerror", None) or str(error)
    raise PipelineError(f"There is no Spark master at {master}: {words}.")
