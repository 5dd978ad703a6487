"""The command `doctor`: what an environment is and can do, before anybody runs scenarios on it."""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from helpers.base.errors import ALL_AS_EXPECTED
from helpers.base.escaping import shortened
from helpers.base.versions import RECORDED_UP_TO, is_newer_than_recorded
from helpers.cluster import environments
from helpers.cluster.baseline import baseline
from helpers.cluster.capabilities import Capability, why_not
from helpers.cluster.client.failures import QueryFailed
from helpers.cluster.node import Node
from helpers.cluster.target import Target
from helpers.runner.discovery import load
from helpers.scenario.scenario import Scenario

MOST_SETTINGS = 20
MOST_CHARACTERS = 120
CHANGED = "SELECT name, value FROM system.settings WHERE changed ORDER BY name"


def doctor(given: argparse.Namespace) -> int:
    wanted = Target.of(given)
    started = time.monotonic()
    source = environments.check(wanted, _say)
    with (
        tempfile.TemporaryDirectory(prefix="regression-doctor-") as folder,
        environments.open_cluster(wanted, Path(folder)) as cluster,
    ):
        node = cluster.node()
        _say(f"server        ClickHouse {node.version} ({source}), ready after {_since(started)}")
        _say(f"deviations    {_recorded(node.version)}")
        for line in _settings(node):
            _say(line)
        scenarios = load()
        reasons: dict[Capability, str | None] = {}
        for capability in Capability:
            reasons[capability] = why_not(cluster, capability)
            _say(_line(capability, reasons[capability]))
    for line in _skipped(scenarios, reasons):
        _say(line)
    return ALL_AS_EXPECTED


def _recorded(version: str) -> str:
    if is_newer_than_recorded(version):
        return (
            f"recorded up to {RECORDED_UP_TO}: one that this server lacks is listed as Fixed?, and one that "
            "it shows is as expected"
        )
    return f"recorded up to {RECORDED_UP_TO}, this version included"


def _settings(node: Node) -> Iterator[str]:
    """What differs from the baseline, then what the server's own profile changes."""
    expected = baseline()
    names = ", ".join(repr(name) for name in expected)
    try:
        changed = {str(name): str(value) for name, value in node.query(CHANGED)}
        sql = f"SELECT name, value FROM system.settings WHERE name IN ({names})"
        actual = {str(name): str(value) for name, value in node.query(sql)}
    except QueryFailed as failed:
        yield f"settings      cannot be read: {failed.message}"
        return
    others = {name: value for name, value in changed.items() if name not in expected}
    for name, value in expected.items():
        is_there = f"is {actual[name]}" if name in actual else "is unknown to this server"
        if actual.get(name) != value:
            yield f"settings      {name} {is_there}; scenarios expect {value}"
    if all(actual.get(name) == value for name, value in expected.items()):
        yield "settings      as scenarios expect"
    shown = [f"{name}={value}" for name, value in list(others.items())[:MOST_SETTINGS]]
    more = f" and {len(others) - len(shown)} more" if len(others) > len(shown) else ""
    if shown:
        yield f"profile       also changes {', '.join(shown)}{more}"


def _line(capability: Capability, reason: str | None) -> str:
    answer = "yes" if reason is None else f"no: {_first_line(reason)}"
    return f"capability    {capability.value}: {answer}"


def _skipped(
    scenarios: Sequence[Scenario], reasons: Mapping[Capability, str | None]
) -> Iterator[str]:
    """How many scenarios run, and why the others do not: by the first thing that they miss."""
    missing: Counter[Capability] = Counter()
    for scenario in scenarios:
        lacks = [needed for needed in scenario.marks.needs if reasons[needed] is not None]
        missing.update(lacks[:1])
    skipped = sum(missing.values())
    yield f"scenarios     {len(scenarios) - skipped} of {len(scenarios)} run, {skipped} are skipped"
    for capability, count in missing.most_common():
        yield f"  {count:>4} need {capability.value}: {_first_line(reasons[capability] or '')}"


def _first_line(text: str) -> str:
    return shortened(text.partition("\n")[0], MOST_CHARACTERS)


def _since(started: float) -> str:
    return f"{time.monotonic() - started:.1f} s"


def _say(line: str) -> None:
    print(line, flush=True)
