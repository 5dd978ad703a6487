"""The command `reproduce`: known deviations, shown on a bare server, expected against actual."""

from __future__ import annotations

import argparse
import itertools
import queue
import re
import sys
import tempfile
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from helpers.base.errors import ALL_AS_EXPECTED, FAILURES, UsageError, nearest
from helpers.base.paths import DEVIATIONS, from_here
from helpers.base.versions import RECORDED_UP_TO, is_newer_than_recorded
from helpers.cli.reproduce_versions import (
    OFFLINE,
    record_offline,
    scripts_in,
    scripts_of,
    show_versions,
)
from helpers.cluster import DEFAULT_ENVIRONMENT, FIRST_NODE, environments
from helpers.cluster.cluster import Cluster
from helpers.cluster.local.configuration import NodeConfig, needs
from helpers.cluster.target import Target, option_of
from helpers.deviations.document import render
from helpers.deviations.known import KnownDeviation, known_deviations
from helpers.deviations.reproduction import Broken, Check, execute
from helpers.deviations.seen_on import record, verdict
from helpers.deviations.upstream_report import render_report
from helpers.report.deviations import NOT_JUDGED
from helpers.report.seen_versions import read_seen, seen_on
from helpers.scenario.deviation import DeviationKind, Severity

AT_A_TIME = 6


@dataclass(frozen=True)
class ReproductionOutcome:
    """The result of a reproduction on a server of this version."""

    deviation: KnownDeviation
    version: str
    checks: tuple[Check, ...]
    broken: str | None = None

    @property
    def applies(self) -> bool:
        return self.deviation.deviation.applies_to(self.version)

    @property
    def is_fixed(self) -> bool:
        """Whether a server that is newer than the recorded ones lacks the deviation."""
        newer = self.applies and is_newer_than_recorded(self.version)
        return newer and self.broken is None and all(check.holds for check in self.checks)

    @property
    def as_recorded(self) -> bool:
        """Whether the server does what is known of its version."""
        if self.broken is not None:
            return False
        if self.applies:
            return all(check.as_recorded for check in self.checks)
        return all(check.holds for check in self.checks)

    @property
    def verdict(self) -> str:
        differ = sum(not check.holds for check in self.checks)
        answers = f"{differ} of {len(self.checks)} answers differ from what is expected"
        if self.broken is not None:
            return f"broken: {self.broken}"
        if self.is_fixed:
            return f"fixed? It is not there, and is recorded up to {RECORDED_UP_TO}"
        if self.as_recorded:
            return f"reproduced: {answers}" if self.applies else "not there, as the mark says"
        return f"NOT as recorded: {answers}"


def reproduce(given: argparse.Namespace) -> int:
    """Reproduces what was asked for; the exit code says whether all went as recorded."""
    _refuse_what_would_be_ignored(given)
    known = known_deviations()
    wanted_ones = _judged(known, given)
    if given.list:
        for each in sorted(wanted_ones, key=lambda each: each.order):
            kind, severity = each.deviation.kind or NOT_JUDGED, each.deviation.severity or ""
            print(f"{kind:<12} {severity:<27} {each.id}{_why_not(each)}")
        return ALL_AS_EXPECTED
    if given.document:
        DEVIATIONS.write_text(render(known), encoding="utf-8")
        print(f"wrote {from_here(DEVIATIONS)}")
        return ALL_AS_EXPECTED
    if given.report:
        named = _named(known, given.deviations) if given.deviations else wanted_ones
        seen = read_seen()
        print("\n\n\n".join(render_report(each, seen_on(each.id, seen)) for each in named))
        return ALL_AS_EXPECTED
    if given.versions and (files := scripts_in(given.deviations)):
        return show_versions(files, given)
    if given.record and not given.all:
        raise UsageError("--record goes with --all: what is recorded is complete.")
    chosen = _chosen(wanted_ones, given.deviations, given.all)
    if given.versions:
        return show_versions(scripts_of(chosen), given)
    if given.record and given.clickhouse_version in OFFLINE:
        ids = [each.id for each in known]
        return record_offline(ids, scripts_of(chosen), given.clickhouse_version)
    wanted = Target.of(given)
    environments.check(wanted, print)
    with tempfile.TemporaryDirectory(prefix="regression-reproduce-") as folder:
        outcomes = _executed(chosen, wanted, Path(folder))
    for outcome in outcomes:
        print(_shown(outcome, in_full=not (given.all and outcome.as_recorded)))
    wrong = sum(not (outcome.as_recorded or outcome.is_fixed) for outcome in outcomes)
    if given.record:
        found = {of.deviation.id: verdict(of.checks, of.broken is not None) for of in outcomes}
        record(outcomes[0].version, found, (each.id for each in known))
    if len(outcomes) > 1:
        print(f"{len(outcomes) - wrong} of {len(outcomes)} as recorded")
    return FAILURES if wrong else ALL_AS_EXPECTED


def _refuse_what_would_be_ignored(given: argparse.Namespace) -> None:
    if given.versions:
        for name in ("list", "document", "report", "record", "clickhouse_version"):
            if getattr(given, name):
                raise UsageError(f"--versions and {option_of(name)} do not go together.")
        if given.env != DEFAULT_ENVIRONMENT:
            raise UsageError(f"--versions is about installed engines, not about --env {given.env}.")
    for name in ("list", "document", "report"):
        if not getattr(given, name):
            continue
        others = [
            other for other in ("report", "record") if getattr(given, other) and other != name
        ]
        if others:
            raise UsageError(f"--{name} and --{others[0]} do not go together.")
        if given.deviations and (name != "report" or given.all):
            raise UsageError(f"--{'all' if given.all else name} takes no names of deviations.")


def _chosen(
    known: Sequence[KnownDeviation], ids: Sequence[str], everything: bool
) -> list[KnownDeviation]:
    if bool(ids) == everything:
        raise UsageError("Name deviations, or give --all; --list shows what there is.")
    if everything:
        return [deviation for deviation in known if not _why_not(deviation)]
    named = _named(known, ids)
    for each in named:
        if why := _why_not(each):
            raise UsageError(f"{each.id}{why}. Its scenario shows it: {each.rerun}")
    return named


def _named(known: Sequence[KnownDeviation], ids: Sequence[str]) -> list[KnownDeviation]:
    by_id = {deviation.id: deviation for deviation in known}
    for name in ids:
        if name not in by_id:
            raise UsageError(f"There is no deviation {name!r}.{nearest(name, by_id)}")
    return [by_id[name] for name in dict.fromkeys(ids)]


def _judged(known: Sequence[KnownDeviation], given: argparse.Namespace) -> list[KnownDeviation]:
    """The deviations of the kind and severity that were asked for."""
    chosen = list(known)
    wanted = {"kind": (given.kind, DeviationKind), "severity": (given.severity, Severity)}
    for what, (value, choices) in wanted.items():
        if value is None:
            continue
        if given.deviations or given.document:
            raise UsageError(f"--{what} goes with --list, --all or --report, not with names.")
        names = [*map(str, choices), NOT_JUDGED]
        if value not in names:
            raise UsageError(
                f"There is no {what} {value!r}; there are {', '.join(names)}.{nearest(value, names)}"
            )
        chosen = [each for each in chosen if (getattr(each.deviation, what) or NOT_JUDGED) == value]
    return chosen


def _why_not(deviation: KnownDeviation) -> str:
    """Why it cannot be reproduced in SQL; empty if it can."""
    if deviation.no_sql:
        return f": not in SQL: {deviation.no_sql}"
    return "" if deviation.reproduction else ": there is no reproduction yet"


def _executed(
    deviations: Sequence[KnownDeviation], wanted: Target, folder: Path
) -> list[ReproductionOutcome]:
    """Execute reproductions, several at a time, each on a server that no other uses meanwhile."""
    clusters: queue.SimpleQueue[Cluster] = queue.SimpleQueue()
    groups: dict[tuple[str, ...], list[KnownDeviation]] = {}
    for deviation in deviations:
        groups.setdefault(_together(deviation), []).append(deviation)
    count = min(AT_A_TIME, len(groups))
    numbers = itertools.count(1)
    ended = threading.Event()

    def run(group: Sequence[KnownDeviation]) -> list[ReproductionOutcome]:
        cluster = clusters.get()
        try:
            return [
                _outcome(deviation, cluster, f"reproduction_{next(numbers)}", ended)
                for deviation in group
                if not ended.is_set()
            ]
        finally:
            clusters.put(cluster)

    opened = []
    threads = ThreadPoolExecutor(count)
    try:
        for number in range(count):
            place = folder / str(number)
            opened.append(environments.open_cluster(wanted, place))
            clusters.put(opened[-1])
        longest_first = sorted(groups.values(), key=len, reverse=True)
        all_outcomes = itertools.chain.from_iterable(threads.map(run, longest_first))
        outcomes = {outcome.deviation.id: outcome for outcome in all_outcomes}
        return [outcomes[deviation.id] for deviation in deviations]
    finally:
        # After an interrupt scripts still run, and end sooner without their servers. Only when they
        # have ended nothing is started any more, and everything can be closed.
        ended.set()
        threads.shutdown(wait=False, cancel_futures=True)
        if sys.exception() is not None:
            _kill_nodes(opened)
        threads.shutdown(wait=True)
        for cluster in opened:
            cluster.close()


def _kill_nodes(clusters: Sequence[Cluster]) -> None:
    for cluster in clusters:
        if cluster.why_no_process_control() is None:
            for node in cluster.nodes:
                node.kill()


def _together(deviation: KnownDeviation) -> tuple[str, ...]:
    """What it shares a server with: a service takes longer to start than all scripts that need it."""
    script = deviation.reproduction
    assert script is not None
    return script.fragments if needs(NodeConfig.of(script.fragments)) else (deviation.id,)


def _outcome(
    deviation: KnownDeviation, cluster: Cluster, database: str, ended: threading.Event
) -> ReproductionOutcome:
    """Execute a script; one that depends on a race is repeated until an attempt shows the deviation."""
    script = deviation.reproduction
    assert script is not None
    # Without a fragment a server would not start again on tables that need it.
    name = "-".join(script.fragments) or FIRST_NODE
    node = cluster.node(name, fragments=script.fragments)
    for attempt in range(1, script.attempts + 1):
        checks: list[Check] = []
        broken = None
        try:
            checks += execute(script, node, f"{database}_{attempt}")
        except Broken as reason:
            if ended.is_set():
                raise
            broken = str(reason)
            node.restart()  # without failpoints that the script has not come to disable
        outcome = ReproductionOutcome(deviation, node.version, tuple(checks), broken)
        if outcome.as_recorded and outcome.applies:
            break
    return outcome


def _shown(outcome: ReproductionOutcome, *, in_full: bool) -> str:
    deviation = outcome.deviation
    if not in_full:
        return f"{deviation.id}: {outcome.verdict}"
    lines = [
        f"{deviation.id} on ClickHouse {outcome.version}",
        *(f"  {name}" for name in deviation.requirements),
        f"  {deviation.deviation.reason}",
    ]
    for check in outcome.checks:
        lines += ["", f"  {check.sql}"]
        lines += [
            f"    expected: {_block(check.expected)}",
            f"    actual:   {_block(check.actual)}",
        ]
    return "\n".join([*lines, "", f"{outcome.verdict}", f"script: {from_here(deviation.file)}"])


def _block(answer: str) -> str:
    return re.sub(r"\n", "\n" + " " * 14, answer)
