"""Options of TestFlows and pytest that people bring along: what to use here instead."""

from __future__ import annotations

from collections.abc import Sequence

from helpers.base.errors import UsageError

# Options, and what to use instead of any of them.
ANSWERS = {
    "-k": "use --only '*word*'",
    "-x --maxfail --exitfirst --first-fail": "use --fail-fast",
    "-n --parallel --parallel-pool": "use --workers N",
    "-v -vv --verbose": "use --debug, or -o classic",
    "--version": "results.json names version and commit; --clickhouse-version V chooses an engine",
    "-V": "results.json names version and commit",
    "-s --capture": "use --debug; what scenarios print is in results/latest/worker-*.out",
    "-q --quiet": "use -o short",
    "--lf -r --rerun --ff --failed-first": "use --last-failed",
    "--collect-only": "use --list or --plan",
    "-c --config": "there is no file of settings, give options on the command line",
    "-l": "use --log FILE",
    "-m --only-tags --tag --start --end": (
        "use --only with patterns of names ('*word*'), or --requirement"
    ),
    "--reference": "use --last-failed, or coverage --base for a comparison with an earlier run",
    "--individually": "use --last-failed --workers 1",
    "--database": "load results/latest/results.json, or the TestFlows log of --log FILE",
    "--name --id": "use --results DIR for a folder of its own",
    "--strict-names": "it is not needed, a pattern that matches nothing is an error",
    "--private-key": "it is not needed, results stay in results/ and are sent nowhere",
    "--trace": "use --debug, which shows every step and statement",
    "--profile --durations": "use ./regression.py history, which shows slow scenarios",
    "--pdb": "use --pause-on-fail, which keeps the servers of a failure",
    "--tb": "it is not needed, the whole traceback is in results/latest/scenarios/*/failure.txt",
    "--reruns": "use --retry N",
    "--count": "use --repeat N",
    "--junitxml": "it is not needed, every run writes results/latest/junit.xml",
    "--test-to-end": "it is not needed, a failure does not end the run unless --fail-fast is given",
    "--no-colors": "use --plain",
    "--random": "it is not needed, --seed N repeats the random choices of an earlier run",
    "--skip-tags": "use --skip P",
    "--pattern": "use --only P",
    "--pause-before --pause-after --pause-on-pass": (
        "use --pause-on-fail, or ./regression.py up for servers without scenarios"
    ),
    "--until": "use --until-fail, --repeat N or --retry N",
    "--xfail --xfails --xout --ffail --ffails --xskips": (
        "a scenario says it itself: @deviates, see CONTRIBUTING.md"
    ),
    "--show-skipped": "it is not needed, what was skipped is shown with its reason",
    "--trim-results": (
        "it is not needed, messages are whole in results/latest/scenarios/*/failure.txt"
    ),
    "--attr": "it is not needed, commit, version and environment of a run are recorded",
    "--local": "use --env embedded, which is the default",
    "--clickhouse-binary-path": "use --env binary --clickhouse-binary PATH",
    "--clickhouse": "use --clickhouse-version V",
    "--stress": "use --repeat N or --until-fail",
    "--collect-service-logs": "it is not needed, a failure keeps the servers' logs",
}
INSTEAD = {option: answer for options, answer in ANSWERS.items() for option in options.split()}


def check(arguments: Sequence[str], known: Sequence[str]) -> None:
    """Raise for the first option of another program; one that exists here is not looked up."""
    for argument in arguments:
        option = argument.partition("=")[0]
        if option in INSTEAD and option not in known:
            raise UsageError(f"There is no {option} here: {INSTEAD[option]}.")
