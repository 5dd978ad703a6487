"""The command line of `./regression.py` without a command: what the options of a run mean is said here."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from helpers.base.arguments import Parser, deferred
from helpers.base.paths import RESULTS, SCENARIOS
from helpers.cli.options import other_tools
from helpers.cluster import target
from helpers.runner.options import KEEP_RUNS, OUTPUTS

DESCRIPTION = """\
Run the regression: real ClickHouse servers, started in a second, verified requirement by requirement.

Without options everything runs on the embedded default. Other commands (each has its own --help):
  changed        run what changed since a commit, and answer in three lines
  new            write the first files of a feature
  requirements   check, compile, list, show and accept the specifications
  coverage       the matrix of requirements from one run or several
  history        many runs over time: first bad run, flaky and slow scenarios
  sensitivity    sabotage the product and count which scenarios notice
  reproduce      known deviations of ClickHouse on a bare server, expected against actual
  explore        random histories against a model, shrunk to the shortest SQL
  doctor         what an environment is and can do, and what will be skipped
  up, down, sql  an environment to play with, without scenarios
  export         parts of a table of any ClickHouse to Parquet on S3
  images         images for --env docker: build, list, remove
  engines        every ClickHouse that the package index has: fetch, list
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


class RunParser(Parser):
    """Answers options of TestFlows and pytest with what to use instead."""

    def parse_known_args(  # type: ignore[override]
        self, args: Sequence[str] | None = None, namespace: argparse.Namespace | None = None
    ) -> tuple[argparse.Namespace, list[str]]:
        other_tools.check(sys.argv[1:] if args is None else args, list(self._option_string_actions))
        return super().parse_known_args(args, namespace)


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
    add("--workers", metavar="N", help="scenarios at a time (default: three for two cores)")
    add = made.add_argument_group("how to run").add_argument
    add(
        "--seed",
        metavar="N",
        help="repeat the random choices of an earlier run (every run prints its seed)",
    )
    add(
        "--every-variant",
        action="store_true",
        help="all moments of scenarios that otherwise try one of each kind, drawn by the seed",
    )
    add("--timeout", metavar="SECONDS", help="a limit for each scenario instead of its own")
    add("--fail-fast", action="store_true", help="stop at the first failure")
    add("--repeat", metavar="N", help="run each scenario so many times")
    add("--retry", metavar="N", help="run one that failed again, at most so often")
    add("--until-fail", action="store_true", help="repeat until something fails")
    add("--allow-flaky", action="store_true", help="exit code 0 also if some only passed at times")
    add(
        "--strict", action="store_true", help="exit code 1 also if a newer server lacks a deviation"
    )
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
    made.set_defaults(implementation=deferred("helpers.cli.run:run_scenarios"))
    return made
