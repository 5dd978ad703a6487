"""The clusters in docker-compose/, as Compose itself resolves them.

Compose reads the files (variables, anchors, defaults); containers are then made of what it says, by the
engine's own interface: all at once, and with any number of nodes.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import docker.types
import yaml

from helpers.base.errors import EnvironmentFailed
from helpers.base.files import write_whole
from helpers.base.paths import COMPOSE
from pipelines.spark.java import cache_folder

OLDEST = (1, 29)
PROJECT, SERVICE = "com.docker.compose.project", "com.docker.compose.service"
NANOSECONDS = {"ms": 10**6, "s": 10**9, "m": 60 * 10**9, "h": 3600 * 10**9}
# Keys of a service that are options of the engine under the same name.
SAME = (
    *("image", "entrypoint", "command", "environment", "hostname", "user", "security_opt", "init"),
    *("cap_add", "cap_drop", "read_only", "tmpfs", "working_dir", "mem_limit"),
)
# Keys of a service that are handled here or need no handling.
OWN = ("depends_on", "networks", "stop_grace_period", "labels", "volumes", "healthcheck")


@functools.cache
def find_program() -> tuple[str, ...]:
    """How Compose is called here: v2 as a part of the docker command, or docker-compose 1.29."""
    tried = []
    for command in (("docker", "compose"), ("docker-compose",)):
        try:
            answer = subprocess.run(
                [*command, "version", "--short"], capture_output=True, text=True, env=_outside()
            )
        except OSError:
            continue
        version = re.match(r"v?(\d+)\.(\d+)", answer.stdout.strip())
        if answer.returncode or version is None:
            continue
        if (int(version[1]), int(version[2])) >= OLDEST:
            return command
        tried.append(f"{' '.join(command)} is {answer.stdout.strip()}")
    raise EnvironmentFailed(
        f"--env docker needs Docker Compose {'.'.join(map(str, OLDEST))} or later: "
        f"{'; '.join(tried) or 'none is installed here'}. Install the Compose plugin of Docker, or "
        "Debian's package docker-compose."
    )


def _outside() -> dict[str, str]:
    """The environment without our modules: docker-compose 1.29 is a Python program with others."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}


@functools.cache
def services(cluster: str, variables: tuple[tuple[str, str], ...]) -> dict[str, dict[str, Any]]:
    """The services of a cluster in docker-compose/ with these variables, as Compose resolves them.

    Compose takes up to a second for it, in every worker of every run: what it said is kept, by the
    file and everything else that it depends on. So no variable may hold a secret.
    """
    file = COMPOSE / cluster / "docker-compose.yml"
    given = {**_outside(), **dict(variables)}
    kept = cache_folder() / f"compose-{_key(file, given)}.json"
    with contextlib.suppress(OSError, ValueError):
        resolved: dict[str, dict[str, Any]] = json.loads(kept.read_text())
        return resolved
    done = subprocess.run(
        [*find_program(), "-f", str(file), "config"], capture_output=True, text=True, env=given
    )
    if done.returncode:
        raise EnvironmentFailed(
            f"Compose refuses docker-compose/{cluster}/docker-compose.yml: {done.stderr.strip()}"
        )
    resolved = yaml.safe_load(done.stdout)["services"]
    with contextlib.suppress(OSError):
        kept.parent.mkdir(parents=True, exist_ok=True)
        write_whole(kept, json.dumps(resolved).encode())
    return resolved


def _key(file: Path, variables: Mapping[str, str]) -> str:
    """A hash of what the answer of Compose depends on: the file, its path, and the variables in it."""
    text = file.read_text()
    names = sorted(set(re.findall(r"\$\{?(\w+)", text)))
    own = file.with_name(".env")
    parts = [str(file), text, own.read_text() if own.exists() else ""]
    parts += [f"{name}={variables.get(name)}" for name in names]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:20]


def container_options(
    cluster: str, service: Mapping[str, Any], project: str, labels: Mapping[str, str]
) -> dict[str, Any]:
    """What the engine is asked for to get the container of a service.

    A key of a service that is not understood is an error: nothing in these files is ignored.
    """
    unknown = set(service) - {*SAME, *OWN}
    if unknown:
        raise EnvironmentFailed(
            f"docker-compose/{cluster}/docker-compose.yml: --env docker does not know the key "
            f"{sorted(unknown)[0]!r} of a service; it knows {', '.join(sorted((*SAME, *OWN)))}."
        )
    options = {name: service[name] for name in SAME if service.get(name) is not None}
    if "healthcheck" in service:
        options["healthcheck"] = _health(service["healthcheck"])
    options["labels"] = {**service.get("labels", {}), **labels}
    options["mounts"] = [
        _mount(volume, project, options["labels"]) for volume in service.get("volumes", [])
    ]
    return options


def _health(check: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _nanoseconds(value) if name in ("interval", "timeout", "start_period") else value
        for name, value in check.items()
    }


def _nanoseconds(duration: str) -> int:
    """'1m30s' → 90,000,000,000."""
    return sum(
        int(float(number) * NANOSECONDS[unit])
        for number, unit in re.findall(r"([\d.]+)(ms|s|m|h)", duration)
    )


def _mount(
    volume: str | Mapping[str, Any], project: str, labels: Mapping[str, str]
) -> docker.types.Mount:
    """A volume in the short form of 1.29 or the long one of v2; named ones belong to the project."""
    if isinstance(volume, str):
        source, target, *mode = volume.split(":")
        read_only = mode == ["ro"]
    else:
        source, target = volume["source"], volume["target"]
        read_only = bool(volume.get("read_only"))
    if source.startswith("/"):
        return docker.types.Mount(target, source, type="bind", read_only=read_only)
    return docker.types.Mount(
        target, f"{project}_{source}", type="volume", read_only=read_only, labels=dict(labels)
    )
