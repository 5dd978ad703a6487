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
KUBERNETES = re.compile(r"k8s://\S+")
DEFAULT = "local[2]"
CONNECT_SECONDS = 5.0
LOOPBACK = ("localhost", "127.0.0.1", "::1")


def check_master(text: str) -> None:
    """Refuse a text that no Spark master is named by, without asking whether it is there."""
    if not (
        LOCAL.fullmatch(text)
        or STANDALONE.fullmatch(text)
        or KUBERNETES.fullmatch(text)
        or text == "yarn"
    ):
        raise PipelineError(
            f"'{text}' is no Spark master: it is local[N], spark://host:port, yarn or "
            "k8s://https://host:port."
        )


def choose_master(master: str | None, variables: Mapping[str, str] = os.environ) -> str:
    """The master that was asked for, SPARK_MASTER's or the default; refused if it cannot be."""
    chosen = master or variables.get("SPARK_MASTER") or DEFAULT
    check_master(chosen)
    if STANDALONE.fullmatch(chosen):
        _reach(chosen, chosen.removeprefix("spark://").split(","), 7077)
    elif chosen.startswith("k8s://"):
        address = urllib.parse.urlsplit(chosen.removeprefix("k8s://"))
        name = address.netloc or address.path
        _reach(chosen, [name], 80 if address.scheme == "http" else 443)
    elif chosen == "yarn" and not any(map(variables.get, ("HADOOP_CONF_DIR", "YARN_CONF_DIR"))):
        raise PipelineError("The Spark master yarn is found by HADOOP_CONF_DIR: set it.")
    return chosen


def on_this_machine(master: str) -> bool:
    """Whether driver and workers meet on loopback."""
    if LOCAL.fullmatch(master):
        return True
    hosts = master.removeprefix("spark://").split(",")
    return all(host.rpartition(":")[0] in LOOPBACK for host in hosts)


def _reach(master: str, addresses: list[str], default_port: int) -> None:
    """One of the addresses must listen."""
    reason = ""
    for address in addresses:
        host, _, port = address.rpartition(":") if ":" in address else (address, "", "")
        try:
            socket.create_connection((host, int(port or default_port)), CONNECT_SECONDS).close()
            return
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
    raise PipelineError(f"There is no Spark master at {master}: {reason}.")
