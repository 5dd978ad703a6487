"""What a run is to run on: the environment by name, and the options that say more about it.

Every option here is given to a worker, to a daemon and to the line that runs a scenario again, as it
was given. So none of them may hold a password: those are taken from the process's environment.
"""

from __future__ import annotations

import argparse
import re
from dataclasses import asdict, dataclass, replace
from typing import Any

from helpers.base.errors import UsageError, nearest
from helpers.cluster import DEFAULT_ENVIRONMENT, ENVIRONMENT_NAMES

SETTING = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
VERSIONS = re.compile(r"\d+(\.\d+)+(,\s*\d+(\.\d+)+)*")


@dataclass(frozen=True)
class Target:
    """An environment, as it was asked for on the command line; None is what was not given."""

    env: str = DEFAULT_ENVIRONMENT
    clickhouse_version: str | None = None
    clickhouse_image: str | None = None
    clickhouse_binary: str | None = None
    coordination: str | None = None
    coordination_image: str | None = None
    store_image: str | None = None
    clickhouse_url: str | None = None
    s3_url: str | None = None
    setting: str | None = None

    @classmethod
    def of(cls, given: argparse.Namespace) -> Target:
        """The target that a parsed command line names."""
        values: dict[str, Any] = {name: getattr(given, name) for name in cls.__dataclass_fields__}
        target = cls(**{**values, "setting": ",".join(values["setting"] or ()) or None})
        settings_of(target.setting)
        if target.env not in ENVIRONMENT_NAMES:
            raise UsageError(
                f"There is no environment {target.env!r}: there is {', '.join(ENVIRONMENT_NAMES)}."
                + nearest(target.env, ENVIRONMENT_NAMES)
            )
        return target.with_clickhouse(given.clickhouse) if given.clickhouse else target

    def with_clickhouse(self, text: str) -> Target:
        """This target with the server that `--clickhouse` names: by version, image, file or address."""
        if text.startswith("docker://"):
            chosen = {"env": "docker", "clickhouse_image": text.removeprefix("docker://")}
        elif text.startswith(("clickhouse://", "clickhouses://")):
            chosen = {"env": "remote", "clickhouse_url": text}
        elif VERSIONS.fullmatch(text):
            chosen = {"env": self.env, "clickhouse_version": text}
        elif "://" in text:
            raise UsageError(
                f"--clickhouse {text!r}: nothing is fetched from there. Give a version, docker://IMAGE, "
                "the path of a program or package, or clickhouse://HOST:PORT."
            )
        else:
            chosen = {"env": "binary", "clickhouse_binary": text}
        for name, value in chosen.items():
            given = getattr(self, name)
            if given not in (None, DEFAULT_ENVIRONMENT, value):
                raise UsageError(
                    f"--clickhouse {text} and {option_of(name)} {given}: give one of them."
                )
        return replace(self, **chosen)

    def each_version(self) -> list[Target]:
        """A target for each of the versions that were given, separated by commas."""
        if self.clickhouse_version is None:
            return [self]
        versions = [version.strip() for version in self.clickhouse_version.split(",")]
        if "" in versions or len(set(versions)) < len(versions):
            raise UsageError(
                f"--clickhouse-version {self.clickhouse_version!r} is not a list of different "
                "versions such as 26.9,26.7."
            )
        return [replace(self, clickhouse_version=version) for version in versions]

    @property
    def options(self) -> dict[str, str]:
        """The options beside `--env` that were given, by the name they are given with."""
        return {
            option_of(name): value
            for name, value in asdict(self).items()
            if name != "env" and value is not None
        }

    @property
    def arguments(self) -> dict[str, str]:
        """Everything that a command line needs to name this target again."""
        chosen = {} if self.env == DEFAULT_ENVIRONMENT else {"--env": self.env}
        return {**chosen, **self.options}


def settings_of(text: str | None) -> dict[str, str]:
    """The settings in a text such as `a=1,b=2`; UsageError if it is none."""
    pairs = [pair.partition("=") for pair in (text or "").split(",") if text]
    for name, equals, _ in pairs:
        if not equals or not SETTING.fullmatch(name):
            raise UsageError(f"--setting {text!r} is not like max_threads=1 or a=1,b=2.")
    return {name: value for name, _, value in pairs}


def option_of(field: str) -> str:
    """The option that gives a field of Target its value."""
    return "--" + field.replace("_", "-")


def add_options(parser: argparse._ActionsContainer) -> None:
    """The options that name a target."""
    add = parser.add_argument
    add(
        "--env",
        metavar="E",
        default=DEFAULT_ENVIRONMENT,
        help=f"the environment: {', '.join(ENVIRONMENT_NAMES)} (default: {DEFAULT_ENVIRONMENT})",
    )
    add(
        "--clickhouse",
        metavar="X",
        help="the server, however it is given: 26.7, docker://IMAGE, the path of a program, .deb or .tgz, or "
        "clickhouse://HOST:PORT; chooses --env by itself",
    )
    add(
        "--clickhouse-version", metavar="V", help="another engine, e.g. 26.7; or several: 26.9,26.7"
    )
    add("--clickhouse-image", metavar="I", help="an image of ClickHouse (docker)")
    add(
        "--clickhouse-binary",
        "--clickhouse-package",
        dest="clickhouse_binary",
        metavar="PATH",
        help="clickhouse or clickhouse-server, or a package with one (binary)",
    )
    add(
        "--coordination",
        choices=("zookeeper", "keeper"),
        help="what coordinates replicas (docker, binary; default: what is there)",
    )
    add("--coordination-image", metavar="I", help="an image of ZooKeeper or Keeper (docker)")
    add(
        "--setting",
        metavar="NAME=V",
        action="append",
        help="a setting of the servers' default profile; may be given several times",
    )
    add(
        "--with-analyzer",
        dest="setting",
        action="append_const",
        const="allow_experimental_analyzer=1",
        help="the same as --setting allow_experimental_analyzer=1, for versions that have it off",
    )
    add("--store-image", metavar="I", help="an image of SeaweedFS (docker)")
    add_remote_options(parser)


def add_remote_options(parser: argparse._ActionsContainer) -> None:
    """The options that name servers and a store that run already."""
    add = parser.add_argument
    add(
        "--clickhouse-url",
        metavar="URL",
        help="clickhouse://[USER@]HOST:PORT[,HOST:PORT…], clickhouses:// with TLS; the password is "
        "taken from CLICKHOUSE_PASSWORD (remote)",
    )
    add(
        "--s3-url",
        metavar="URL",
        help="an S3 store that the servers reach; its keys are taken from AWS_ACCESS_KEY_ID and "
        "AWS_SECRET_ACCESS_KEY (remote)",
    )
