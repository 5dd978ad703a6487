"""Options of TestFlows and pytest that people type from habit, and what to use here instead."""

from __future__ import annotations

from collections.abc import Sequence

from helpers.base.errors import UsageError

ANSWERS = {
    "-k --pattern": "use --only '*word*'",
    "-m --tag --only-tags": "use --only with patterns of names ('*word*'), or --requirement",
    "-x --maxfail --first-fail": "use --fail-fast",
    "-n --parallel": "use --workers N",
    "-v -vv --verbose -s --trace": "use --debug, or -o classic",
    "--lf --ff --rerun": "use --last-failed",
    "--reruns --until": "use --retry N, --repeat N or --until-fail",
    "--collect-only": "use --list or --plan",
    "--pdb --tb": "use --pause-on-fail; the traceback is in results/latest/scenarios/*/failure.txt",
    "--version": "results.json names version and commit; --clickhouse-version V chooses an engine",
    "--junitxml": "it is not needed, every run writes results/latest/junit.xml",
    "--local --clickhouse-binary-path": "use --clickhouse PATH, or --clickhouse VERSION",
}
INSTEAD = {option: answer for options, answer in ANSWERS.items() for option in options.split()}


def check(arguments: Sequence[str], known: Sequence[str]) -> None:
    """Raise for the first option of another program; one that exists here is not looked up."""
    for argument in arguments:
        option = argument.partition("=")[0]
        if option in INSTEAD and option not in known:
            raise UsageError(f"There is no {option} here: {INSTEAD[option]}.")
