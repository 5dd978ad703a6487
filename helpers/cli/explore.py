"""The command `explore`: random histories against a model, shrunk to the shortest SQL."""

from __future__ import annotations

import argparse
import math
import os
import secrets
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from helpers.base import signals as interrupts
from helpers.base.arguments import whole_number
from helpers.base.errors import ALL_AS_EXPECTED, FAILURES, INTERRUPTED, UsageError, nearest
from helpers.base.escaping import counted
from helpers.base.paths import from_here
from helpers.base.time_limits import positive
from helpers.cluster import environments
from helpers.cluster.node import Node
from helpers.cluster.target import Target
from helpers.deviations.known import known_deviations
from helpers.explore.execution.servers import data_folder
from helpers.explore.findings.known import KNOWN
from helpers.explore.findings.verify import TIMES, bare_node
from helpers.explore.model.histories import Counts, HistoryDifference
from helpers.explore.model.schema import DEFAULT_TABLES, TABLE_KINDS
from helpers.explore.model.statements import (
    KILL,
    KINDS,
    READ,
    S3_FAULT,
)
from helpers.explore.protocol import Replay, WorkerPlan, decode_history
from helpers.explore.search.profiles import PROFILES
from helpers.explore.search.workers import Say, Totals, histories, run
from helpers.runner.folder import RunFolder

MOST_WORKERS = 16
EVERY = 10


def explore(given: argparse.Namespace) -> int:
    """Explore, or replay one history; the exit code says whether there was a difference."""
    wanted = Target.of(given)
    if given.replay:
        return _replay(given.replay, wanted)
    _one_of("profile", [given.profile], PROFILES)
    statements = _statements(given)
    tables = _chosen("table", given.tables, TABLE_KINDS) if given.tables else DEFAULT_TABLES
    known = _known(given.known)
    seconds = 60 * positive(
        given.minutes, 24 * 60, f"--minutes {given.minutes!r} is not a number of minutes."
    )
    seed = whole_number(
        "--seed", given.seed or str(secrets.randbelow(1 << 32)), 0, 1 << 62, "number"
    )
    # A worker and its server wait a third of their time, for each other and for what is written.
    default = min(math.ceil(1.5 * (os.cpu_count() or 1)), MOST_WORKERS)
    workers = whole_number("--workers", given.workers or str(default), 1, MOST_WORKERS, "number")
    engine = environments.check(wanted, print)

    plan = WorkerPlan(
        number=0,
        folder="",
        target=wanted,
        profile=given.profile,
        statements=statements,
        tables=tables,
        known=known,
        seed=seed,
        seconds=seconds,
    )
    # Folders are made and tidied up to the end: a signal waits for it.
    with interrupts.waiting(), closing(RunFolder(Path(given.results) / "explore")) as folder:
        print(
            f"exploring ({given.profile}) on {engine} with {counted(workers, 'worker')}, seed {seed}, "
            f"results in {from_here(folder.path)}",
            flush=True,
        )
        with data_folder(folder.data) as data:
            plans = [plan.of_worker(number, data) for number in range(workers)]
            totals = run(plans, folder.path, _say, _progress(sys.stdout.isatty()))
        return _summary(totals)


def _statements(given: argparse.Namespace) -> tuple[str, ...]:
    """The kinds of statements to send, if the chosen profile and tables have them."""
    statements = _chosen("statement", given.statements, (*KINDS, KILL, READ))
    if given.statements and S3_FAULT in statements and "s3" not in (given.tables or ""):
        raise UsageError(f"{S3_FAULT} is a statement of histories with --tables s3.")
    if not set(statements) & set(PROFILES[given.profile].kinds):
        known_kinds = ", ".join(dict.fromkeys(PROFILES[given.profile].kinds))
        raise UsageError(f"The profile {given.profile} sends none of these: it has {known_kinds}.")
    return statements


def _summary(totals: Totals) -> int:
    _say(totals.line)
    for name, count in totals.known.most_common():
        print(f"{histories(count)} hit known deviation {name}")
    for name, count in totals.repeated.most_common():
        print(f"seen again in {histories(count, 'more ')}: {name}")
    if undecided := totals.numbers["undecided"]:
        print(f"undecided: {histories(undecided)}, no order was found or ruled out in time")
    for title, kept in (
        ("FOUND", totals.findings),
        ("not reproduced", totals.not_reproduced),
        ("neither shrunk nor verified yet", totals.unfinished),
    ):
        for signature, place in kept.items():
            print(f"{title}: {signature}: {from_here(place)}")
    if totals.interrupted:
        print(f"interrupted by {totals.interrupted}; this is what was found so far")
        return INTERRUPTED
    return FAILURES if totals.findings or totals.unfinished else ALL_AS_EXPECTED


def _replay(file: str, wanted: Target) -> int:
    try:
        text = Path(file).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--replay {file} cannot be read: {error}.") from None
    replay = decode_history(text, file)
    _one_of("profile", [replay.profile], PROFILES)
    environments.check(wanted, print)
    differs = 0
    with bare_node(wanted, replay.history) as node:
        for _ in range(TIMES):
            difference = _same_difference(replay, node)
            if difference is None:
                print("as the model says")
                continue
            differs += 1
            print(
                f"{difference.signature}\n  expected: {difference.expected}\n"
                f"  actual:   {difference.actual}"
            )
    return FAILURES if differs else ALL_AS_EXPECTED


def _same_difference(replay: Replay, node: Node) -> HistoryDifference | None:
    """What differs: as in the finding in one of the attempts that a race is given, or otherwise."""
    profile, other = PROFILES[replay.profile], None
    for _ in range(profile.attempts):
        difference = profile.execute(node, replay.history, Counts(), "")
        if difference is not None and difference.signature == replay.signature:
            return difference
        other = other or difference
    return other


def _known(given: str | None) -> tuple[str, ...]:
    """The ids of the deviations that are counted; all of them have to be known to the suite as well."""
    ids = [deviation.id for deviation in KNOWN]
    if given == "none":
        return ()
    suite = {deviation.id for deviation in known_deviations()}
    if gone := [name for name in ids if name not in suite]:
        raise UsageError(
            f"helpers/explore/findings/known.py: there is no deviation {gone[0]!r} any more."
        )
    return tuple(ids) if given in (None, "all") else _chosen("deviation", given, ids)


def _chosen(what: str, given: str | None, known: Iterable[str]) -> tuple[str, ...]:
    if given is None:
        return tuple(known)
    names = [name.strip() for name in given.split(",")]
    _one_of(what, names, known)
    return tuple(dict.fromkeys(names))


def _one_of(what: str, names: Iterable[str], known: Iterable[str]) -> None:
    every = list(known)
    for name in names:
        if name not in every:
            raise UsageError(
                f"There is no {what} {name!r}: there are {', '.join(every)}.{nearest(name, every)}"
            )


def _say(text: str) -> None:
    print(f"\r{text}" if sys.stdout.isatty() else text, flush=True)


def _progress(terminal: bool) -> Say:
    """On a terminal a line that changes, elsewhere a line now and then."""
    last = -EVERY

    def show(line: str) -> None:
        nonlocal last
        seconds = int(line.split(" s")[0])
        if terminal:
            print(f"\r{line}", end="", flush=True)
        elif seconds - last >= EVERY:
            last = seconds
            print(line, flush=True)

    return show
