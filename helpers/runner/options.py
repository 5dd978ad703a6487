"""The options of a run: what they mean is said once, here."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from helpers.arguments import Parser
from helpers.cluster import target
from helpers.cluster.target import Target
from helpers.errors import UsageError, nearest
from helpers.paths import RESULTS, SCENARIOS
from helpers.runner import elsewhere
from helpers.runner.select import Shard
from helpers.timeouts import positive
from pipelines.errors import PipelineError
from pipelines.master import check_master

DESCRIPTION = """\
Run the regression: real ClickHouse servers, started in a second, verified requirement by requirement.

Without options everything runs on the embedded default. Other commands (each has its own --help):
  requirements   check, compile, list, show and accept the specifications
  coverage       the matrix of requirements from one run or several
  history        many runs over time: first bad run, flaky and slow scenarios
  sensitivity    sabotage the product and count which scenarios notice
  reproduce      known deviations of ClickHouse on a bare server, expected against actual
  explore        random histories against a model, shrunk to the shortest SQL
  up, down, sql  an environment to play with, without scenarios
"""

EXAMPLES = """\
examples:
  ./regression.py --only "/replace partition/*"         one feature
  ./regression.py --only "*keeps*" --skip "*s3*"        by words in the name
  ./regression.py --last-failed --debug                 what failed, statement by statement
  ./regression.py --requirement "RQ.SRS-032*KeepData"   what verifies a requirement
  ./regression.py --list                                the names, nothing runs
  ./regression.py --clickhouse-version 26.7             another engine

exit codes: 0 all as expected, 1 failures, unexpected passes or flaky scenarios, 2 usage, 3 the
environment did not come up, 4 interrupted. Everything is in results/latest: results.json,
coverage.html, coverage.md, junit.xml, and a folder for each failed scenario with the SQL that
reproduces it.
REGRESSION_TIMEOUT_FACTOR=2 doubles every time limit on a slow machine.
"""


KEEP_RUNS = 20
OUTPUTS = {
    "live": "a bar, and what every worker is at",
    "classic": "a line for each scenario",
    "short": "failures only",
    "dots": "a character for each scenario",
}


class RunParser(Parser):
    """Answers options of TestFlows and pytest with what to use instead."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        elsewhere.check(sys.argv[1:] if args is None else args, list(self._option_string_actions))
        return super().parse_known_args(args, namespace)


@dataclass(frozen=True)
class Options:
    """The command line of a run, checked."""

    only: list[str]
    skip: list[str]
    requirement: list[str]
    shard: Shard | None
    target: Target
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
    output: str
    last_failed: bool
    repeat: int
    retry: int
    until_fail: bool
    allow_flaky: bool
    pause_on_fail: bool
    debug: bool
    log: Path | None
    keep_runs: int
    repository: str | None


def parser() -> argparse.ArgumentParser:
    made = RunParser("./regression.py", description=DESCRIPTION, epilog=EXAMPLES)
    add = made.add_argument_group("what to run").add_argument
    for option, about in {
        "--only": "scenarios, topics or features",
        "--skip": "all but these",
        "--requirement": "what verifies these requirements",
    }.items():
        add(option, metavar="P", nargs="+", action="extend", default=[], help=about)
    add("--last-failed", action="store_true", help="what failed in the last run")
    add("--shard", metavar="K/N", help="one of N parts of what was chosen (see: coverage merge)")
    add("--list", action="store_true", help="print the names that would run and end")
    add("--plan", action="store_true", help="print the plan as a tree, with requirements, and end")
    group = made.add_argument_group("what to run on")
    target.add_options(group)
    add = group.add_argument
    add("--spark-master", metavar="URL", help="for the referee: local[2], spark://…, yarn, k8s://…")
    add("--workers", metavar="N", help="scenarios at a time (default: one a core)")
    add = made.add_argument_group("how to run").add_argument
    add(
        "--seed",
        metavar="N",
        help="repeat the random choices of an earlier run (every run prints its seed)",
    )
    add("--timeout", metavar="SECONDS", help="a limit for each scenario instead of its own")
    add("--fail-fast", action="store_true", help="stop at the first failure")
    add("--repeat", metavar="N", help="run each scenario so many times")
    add("--retry", metavar="N", help="run one that failed again, at most so often")
    add("--until-fail", action="store_true", help="repeat until something fails")
    add("--allow-flaky", action="store_true", help="exit code 0 also if some only passed at times")
    add("--pause-on-fail", action="store_true", help="keep the servers of a failure until Enter")
    add("--debug", action="store_true", help="show every step and statement as it comes")
    add("--mutant", metavar="NAME", help="sabotage the servers' answers (see: sensitivity --list)")
    add("--keep", action="store_true", help="keep the servers' data (it is kept after a failure)")
    add("--results", metavar="DIR", default=str(RESULTS), help="where to write results")
    add("--keep-runs", metavar="N", help=f"remove older results than these (default: {KEEP_RUNS})")
    add("--log", metavar="FILE", help="one TestFlows log of the run, for tfs transform")
    add("--repository", metavar="URL", help="its web address, for links from reports to sources")
    add("--scenarios", metavar="DIR", default=str(SCENARIOS), help="another folder of scenarios")
    add("-o", "--output", metavar="STYLE", help=f"what to show: {', '.join(OUTPUTS)}")
    add("--plain", action="store_true", help="plain lines on a terminal too (-o classic)")
    return made


def checked(given: argparse.Namespace) -> Options:
    """What was given on the command line, if it can be used."""
    attempts = (bool(given.repeat), bool(given.retry), given.until_fail)
    if sum(attempts) > 1:
        raise UsageError("Of --repeat, --retry and --until-fail only one can be given.")
    workers = "1" if given.pause_on_fail else str(_cores())
    return Options(
        only=given.only,
        skip=given.skip,
        requirement=given.requirement,
        shard=Shard.parse(given.shard) if given.shard is not None else None,
        target=Target.of(given),
        spark_master=_master(given.spark_master),
        mutant=given.mutant,
        workers=_number("--workers", given.workers or workers, 1, 64),
        seed=_number("--seed", given.seed or str(secrets.randbelow(2**32)), 0, 2**64),
        timeout=_seconds("--timeout", given.timeout),
        fail_fast=given.fail_fast,
        keep=given.keep,
        results=Path(given.results),
        scenarios=Path(given.scenarios),
        list=given.list,
        plan=given.plan,
        output=_output(given),
        last_failed=given.last_failed,
        repeat=_number("--repeat", given.repeat or "1", 1, 1_000_000),
        retry=_number("--retry", given.retry or "0", 0, 100),
        until_fail=given.until_fail,
        allow_flaky=given.allow_flaky,
        pause_on_fail=given.pause_on_fail,
        debug=given.debug,
        log=_log(given.log),
        keep_runs=_number("--keep-runs", given.keep_runs or str(KEEP_RUNS), 1, 1_000_000),
        repository=_repository(given.repository),
    )


def _log(given: str | None) -> Path | None:
    """Whether it can be written is said before the run and not after it."""
    if given is None:
        return None
    file = Path(given).resolve()
    place = file if file.exists() else file.parent
    if file.is_dir() or not file.parent.is_dir() or not os.access(place, os.W_OK):
        raise UsageError(f"--log {given}: a file cannot be written there.")
    return file


def _output(given: argparse.Namespace) -> str:
    """The style of the console: what was asked for, or what fits where the output goes."""
    if given.output is not None and given.output not in OUTPUTS:
        raise UsageError(
            f"--output {given.output!r}: there is {', '.join(OUTPUTS)}."
            + nearest(given.output, OUTPUTS)
        )
    plain = given.plain or given.debug or given.pause_on_fail
    plain = plain or not sys.stdout.isatty() or bool(os.environ.get("NO_COLOR"))
    return given.output or ("classic" if plain else "live")


def _repository(given: str | None) -> str | None:
    """The web address of the repository: given, or told by the environment or by CI."""
    address = given or os.environ.get("REGRESSION_REPOSITORY")
    if not address and os.environ.get("GITHUB_REPOSITORY"):
        server = os.environ.get("GITHUB_SERVER_URL", "https://github.com")
        address = f"{server}/{os.environ['GITHUB_REPOSITORY']}"
    if address and not address.startswith(("https://", "http://")):
        raise UsageError(f"--repository {address!r} is not a web address (https://…).")
    return address.rstrip("/") if address else None


def _master(text: str | None) -> str | None:
    if text is not None:
        try:
            check_master(text)
        except PipelineError as error:
            raise UsageError(f"--spark-master: {error}") from None
    return text


def _cores() -> int:
    return max(1, len(os.sched_getaffinity(0)))


def _number(option: str, text: str, least: int, most: int) -> int:
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise UsageError(f"{option} {text!r} is not a whole number from {least} to {most}.")
    return int(text)


def _seconds(option: str, text: str | None) -> float | None:
    if text is None:
        return None
    refusal = f"{option} {text!r} is not a number of seconds between 0 and 86400."
    return positive(text, 86400, refusal)
