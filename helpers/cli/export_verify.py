"""The command `export verify`: files against their commit files, and against the parts they were made of."""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from helpers.base.errors import ALL_AS_EXPECTED, FAILURES, UsageError
from helpers.base.escaping import printable
from helpers.cli.export_connections import (
    check_destination,
    destination_of,
    server_of,
    servers_of,
)
from helpers.cluster.target import option_of

if TYPE_CHECKING:
    from pipelines.export.commit import Commit
    from pipelines.export.destination import Destination
    from pipelines.export.verify import Compared, Verified

NOT_HERE = (
    *("source", "part", "partition", "all", "older_than", "where", "partition_by", "dry_run"),
    *("overwrite", "overwrite_unproved", "since_last", "adopt", "register"),
)


def verify_exports(given: argparse.Namespace) -> int:
    """Verify what was exported to a place."""
    from pipelines.export.verify import verify

    if not given.to:
        raise UsageError("Say what to verify: --to db.table or s3://bucket/prefix.")
    for name in NOT_HERE:
        if getattr(given, name):
            raise UsageError(
                f"export verify takes no {option_of(name)}: it verifies all that lies at --to."
            )
    check_destination(given.to)
    destination = destination_of(given)
    server = server_of(given) if destination.table else None
    looks_at_source = given.rows or given.prune_after_verify
    if looks_at_source:
        checked = list(verify(destination, server, _comparing(given, destination)))
    else:
        checked = list(verify(destination, server))
    if not checked:  # success would be what a mistyped place gets
        raise UsageError(
            f"There is nothing to verify at {destination}: no export was committed there."
        )
    bad = [item for item in checked if item.violations]
    if given.json:
        print(json.dumps([asdict(item) for item in checked], indent=1))
    else:
        _show(given, checked, bad)
    compared = [item for item in checked if not (item.violations or item.not_compared)]
    if given.rows and not (bad or compared):
        raise UsageError("No rows were compared: none of these parts is there any more.")
    return FAILURES if bad else ALL_AS_EXPECTED


def _comparing(given: argparse.Namespace, destination: Destination) -> Callable[[Commit], Compared]:
    from pipelines.export.verify import Compared
    from pipelines.export.verify_rows import Sources, differences, left_out
    from pipelines.spark.session import spark_session

    sources = Sources(servers_of(given))

    def compare(commit: Commit) -> Compared:
        source = sources.find(commit)
        if isinstance(source, str):
            return Compared(reason=source)
        found, without = list[str](), list[str]()
        if given.rows:
            without = left_out(commit.columns)
            if len(without) == len(commit.columns):
                return Compared(reason="Spark has none of the types of its columns")
            session = spark_session(given.spark_master)
            place = destination.place
            found = differences(session, destination.store, place.bucket, commit, source)
        return Compared(
            tuple(found), left_out=tuple(without), prune=f"{source.detach} -- {source.server.url}"
        )

    return compare


def _show(given: argparse.Namespace, checked: Sequence[Verified], bad: Sequence[Verified]) -> None:
    for item in bad:
        for violation in item.violations:
            print(printable(f"{item.name}: {violation}"), file=sys.stderr)
    if given.prune_after_verify:
        for item in checked:
            if item.prune:
                print(printable(item.prune))
    rows = sum(item.rows for item in checked)
    says = sys.stderr if given.prune_after_verify else sys.stdout
    say = _to(says)
    say(f"{len(checked) - len(bad)} of {len(checked)} parts are as committed, {rows} rows in all.")
    for source, count in sorted(Counter(item.source for item in checked if item.source).items()):
        say(f"{count} of them from {source}")
    if counted := sum(not item.has_fingerprint for item in checked):
        say(f"{counted} of them have no fingerprint: their rows are counted only.")
    if given.rows:
        compared = sum(not (item.violations or item.not_compared) for item in checked)
        say(f"{compared} of them have the rows that their parts have, compared by Spark.")
    if without := sorted({name for item in checked for name in item.columns_left_out}):
        say(f"Columns not compared, since Spark has no such type: {', '.join(without)}.")
    for reason, count in sorted(
        Counter(item.not_compared for item in checked if item.not_compared).items()
    ):
        say(f"{count} of them were not compared with their parts: {reason}.")


def _to(stream: object) -> Callable[[str], None]:
    return lambda text: print(printable(text), file=stream)  # type: ignore[call-overload]
