"""The options of a run: what they mean is said once, here."""

from __future__ import annotations

import argparse
import os
import re
import secrets
import sys
from dataclasses import dataclass
from pathlib import Path

from helpers.cluster.environments import DEFAULT
from helpers.errors import UsageError
from helpers.paths import RESULTS, SCENARIOS

DESCRIPTION = """\
Run the regression: real ClickHouse servers, started in a second, verified requirement by requirement.

Without options everything runs on the embedded default. Other commands (each has its own --help):
  requirements   check, compile, list, show and accept the specifications
  coverage       the matrix of requirements from one run or several
  sensitivity    sabotage the product and count which scenarios notice
  up, down, sql  an environment to play with, without scenarios
"""

EXAMPLES = """\
examples:
  ./regression.py --only "/replace partition/*"         one feature
  ./regression.py --only "*keeps*" --skip "*s3*"        by words in the name
  ./regression.py --requirement "RQ.SRS-032*KeepData"   what verifies a requirement
  ./regression.py --list                                the names, nothing runs
  ./regression.py --clickhouse-version 26.7             another engine

exit codes: 0 all as expected, 1 failures or unexpected passes, 2 usage, 3 the environment did not
come up, 4 interrupted. Everything is in results/latest: results.json, coverage.html, coverage.md,
junit.xml, and a folder for each failed scenario with the SQL that reproduces it.
REGRESSION_TIMEOUT_FACTOR=2 doubles every time limit on a slow machine.
"""


@dataclass(frozen=True)
class Options:
    """The command line of a run, checked."""

    only: list[str]
    skip: list[str]
    requirement: list[str]
    environment: str
    clickhouse_version: str | None
    spark_master: str | None
    mutant: str | None
    workers: int
    seed: int
    timeout: float | None
    fail_fast: bool
    keep: bool
    results: Path
    scenarios: Path
    list: bool
    plan: bool
    plain: bool


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="./regression.py",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add = made.add_argument_group("what to run").add_argument
    add("--only", metavar="P", action="append", default=[], help="scenarios, topics or features")
    add("--skip", metavar="P", action="append", default=[], help="all but these")
    add(
        "--requirement",
        metavar="P",
        action="append",
        default=[],
        help="what verifies these requirements",
    )
    add("--list", action="store_true", help="print the names that would run and end")
    add("--plan", action="store_true", help="print the plan as a tree, with requirements, and end")
    add = made.add_argument_group("what to run on").add_argument
    add("--env", metavar="E", default=DEFAULT, help=f"the environment (default: {DEFAULT})")
    add("--clickhouse-version", metavar="V", help="another engine, e.g. 26.7")
    add("--spark-master", metavar="URL", help="for the referee: local[2], spark://…, yarn, k8s://…")
    add("--workers", metavar="N", help="scenarios at a time (default: one a core)")
    add = made.add_argument_group("how to run").add_argument
    add("--seed", metavar="N", help="the dice of an earlier run (every run prints its own)")
    add("--timeout", metavar="SECONDS", help="a limit for each scenario instead of its own")
    add("--fail-fast", action="store_true", help="stop at the first failure")
    add("--mutant", metavar="NAME", help="sabotage the servers' answers (see: sensitivity --list)")
    add("--keep", action="store_true", help="keep the servers' data (it is kept after a failure)")
    add("--results", metavar="DIR", default=str(RESULTS), help="where to write results")
    add("--scenarios", metavar="DIR", default=str(SCENARIOS), help="another folder of scenarios")
    add("--plain", action="store_true", help="plain lines on a terminal too")
    return made


def checked(given: argparse.Namespace) -> Options:
    """What was given on the command line, if it can be used."""
    return Options(
        only=given.only,
        skip=given.skip,
        requirement=given.requirement,
        environment=given.env,
        clickhouse_version=given.clickhouse_version,
        spark_master=_master(given.spark_master),
        mutant=given.mutant,
        workers=_number("--workers", given.workers or str(_cores()), 1, 64),
        seed=_number("--seed", given.seed or str(secrets.randbelow(2**32)), 0, 2**64),
        timeout=_seconds("--timeout", given.timeout),
        fail_fast=given.fail_fast,
        keep=given.keep,
        results=Path(given.results),
        scenarios=Path(given.scenarios),
        list=given.list,
        plan=given.plan,
        plain=given.plain or not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR")),
    )


def _master(text: str | None) -> str | None:
    if text is None or re.fullmatch(r"local(\[[\d*,]+\])?|spark://\S+:\d+|yarn|k8s://\S+", text):
        return text
    raise UsageError(
        f"--spark-master {text!r} is not a master: give local[2], spark://host:port, yarn or k8s://…"
    )


def _cores() -> int:
    return max(1, len(os.sched_getaffinity(0)))


def _number(option: str, text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise UsageError(f"{option} {text!r} is not a whole number from {least} to {most}.")
    return int(text)


def _seconds(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < 86400:
        raise UsageError(f"{option} {text!r} is not a number of seconds between 0 and 86400.")
    return seconds
