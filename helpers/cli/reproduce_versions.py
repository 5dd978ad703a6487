"""`reproduce --versions`: which engines show a deviation, newest last."""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from helpers.base.errors import ALL_AS_EXPECTED, UsageError, nearest
from helpers.cluster import FIRST_NODE
from helpers.cluster.cluster import Cluster
from helpers.cluster.engines.engine import default_version
from helpers.cluster.engines.offline import engine_folder
from helpers.cluster.engines.wheels import BY_CLICKHOUSE
from helpers.cluster.environments import open_cluster
from helpers.cluster.target import Target
from helpers.deviations.known import KnownDeviation
from helpers.deviations.reproduction import Broken, Script, execute, read_reproduction
from helpers.deviations.seen_on import (
    AS_REQUIRED,
    CANNOT_RUN,
    DEVIATES,
    DIFFERENT,
    offline_verdicts,
    record,
    verdict,
)

EVERY = "all"
OFFLINE = frozenset(BY_CLICKHOUSE) - {"26.7", "26.9"}
"""Versions that execute scripts and cannot listen."""
WORDS: Mapping[str, str] = {
    DEVIATES: "shows",
    AS_REQUIRED: "does not show",
    DIFFERENT: "answers otherwise",
    CANNOT_RUN: "cannot run it",
}


def show_versions(scripts: Mapping[str, Script], given: argparse.Namespace) -> int:
    """Execute scripts on every version that was asked for, and print a table."""
    versions = _versions(given.versions)
    found: dict[str, dict[str, str]] = {name: {} for name in scripts}
    for version in versions:
        print(f"{version}: {len(scripts)} to execute ...", flush=True)
        for name, word in _verdicts(scripts, version, given).items():
            found[name][version] = WORDS[word]
    width = max(map(len, WORDS.values()))
    print()
    for name, words in found.items():
        print(name)
        for version in versions:
            print(
                f"  {version:<8}{words.get(version, 'needs a server that listens'):<{width}}".rstrip()
            )
    return ALL_AS_EXPECTED


def scripts_in(files: Sequence[str]) -> dict[str, Script]:
    """The scripts of these files, such as the explorer writes; none unless all of them are there."""
    are_there = all(name.endswith(".sql") and Path(name).is_file() for name in files)
    return {name: read_reproduction(Path(name)) for name in files} if are_there else {}


def scripts_of(known: Iterable[KnownDeviation]) -> dict[str, Script]:
    """The scripts by the ids of deviations, of those that have one."""
    return {each.id: each.reproduction for each in known if each.reproduction is not None}


def record_offline(known: Sequence[str], scripts: Mapping[str, Script], version: str) -> int:
    """Record what an engine does that cannot listen."""
    with tempfile.TemporaryDirectory(prefix="regression-reproduce-") as folder:
        found = offline_verdicts(scripts, version, Path(folder))
    record(version, found, known)
    print("\n".join(f"{id}: {word}" for id, word in found.items()))
    return ALL_AS_EXPECTED


def _versions(asked: str) -> list[str]:
    """The versions, oldest first; all means those that are here."""
    here = [version for version in BY_CLICKHOUSE if _is_here(version)]
    if asked == EVERY:
        return here
    for version in asked.split(","):
        if version not in BY_CLICKHOUSE:
            raise UsageError(
                f"There is no engine {version!r}: there are {', '.join(BY_CLICKHOUSE)}, or all."
                + nearest(version, BY_CLICKHOUSE)
            )
        if version not in here:
            raise UsageError(
                f"The engine {version} is not installed: ./regression.py engines fetch {version}"
            )
    return [version for version in BY_CLICKHOUSE if version in asked.split(",")]


def _is_here(version: str) -> bool:
    return default_version().startswith(f"{version}.") or engine_folder(version) is not None


def _verdicts(
    scripts: Mapping[str, Script], version: str, given: argparse.Namespace
) -> dict[str, str]:
    with tempfile.TemporaryDirectory(prefix="regression-reproduce-") as folder:
        if version in OFFLINE:
            return offline_verdicts(scripts, version, Path(folder))
        given.clickhouse_version = None if default_version().startswith(f"{version}.") else version
        with open_cluster(Target.of(given), Path(folder)) as cluster:
            return {
                name: _verdict(script, cluster, f"versions_{number}")
                for number, (name, script) in enumerate(scripts.items())
            }


def _verdict(script: Script, cluster: Cluster, database: str) -> str:
    """What a server does; one that depends on a race is tried until it shows the deviation."""
    word = CANNOT_RUN
    for attempt in range(script.attempts):
        node = cluster.node("-".join(script.fragments) or FIRST_NODE, fragments=script.fragments)
        try:
            word = verdict(list(execute(script, node, f"{database}_{attempt}")), broken=False)
        except Broken:
            node.restart()  # without what the script has not come to undo
        if word == DEVIATES:
            break
    return word
