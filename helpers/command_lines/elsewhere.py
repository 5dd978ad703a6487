"""Options of TestFlows and pytest that people bring along: what to use here instead."""

from __future__ import annotations

from collections.abc import Sequence

from helpers.errors import UsageError

ONLY = "use --only with patterns of names ('*word*'), or --requirement"
MARKS = "a scenario says it itself: @deviates, see CONTRIBUTING.md"
NO_FILE = "there is no file of settings, give options on the command line"
INSTEAD = {
    "-k": "use --only '*word*'",
    "-x": "use --fail-fast",
    "-n": "use --workers N",
    "-v": "use --debug, or -o classic",
    "-vv": "use --debug, or -o classic",
    "--version": "results.json names version and commit; --clickhouse-version V chooses an engine",
    "-V": "results.json names version and commit",
    "-s": "use --debug; what scenarios print is in results/latest/worker-*.out",
    "-q": "use -o short",
    "--lf": "use --last-failed",
    "--maxfail": "use --fail-fast",
    "--collect-only": "use --list or --plan",
    "-c": NO_FILE,
    "--config": NO_FILE,
    "-l": "use --log FILE",
    "-m": ONLY,
    "-r": "use --last-failed",
    "--reference": "use --last-failed, or coverage --base for a comparison with an earlier run",
    "--rerun": "use --last-failed",
    "--individually": "use --last-failed --workers 1",
    "--database": "load results/latest/results.json, or the TestFlows log of --log FILE",
    "--name": "use --results DIR for a folder of its own",
    "--strict-names": "it is not needed, a pattern that matches nothing is an error",
    "--private-key": "it is not needed, results stay in results/ and are sent nowhere",
    "--trace": "use --debug, which shows every step and statement",
    "--profile": "use ./regression.py history, which shows slow scenarios",
    "--pdb": "use --pause-on-fail, which keeps the servers of a failure",
    "--tb": "it is not needed, the whole traceback is in results/latest/scenarios/*/failure.txt",
    "--durations": "use ./regression.py history, which shows slow scenarios",
    "--exitfirst": "use --fail-fast",
    "--ff": "use --last-failed",
    "--failed-first": "use --last-failed",
    "--reruns": "use --retry N",
    "--count": "use --repeat N",
    "--verbose": "use --debug, or -o classic",
    "--quiet": "use -o short",
    "--capture": "use --debug; what scenarios print is in results/latest/worker-*.out",
    "--junitxml": "it is not needed, every run writes results/latest/junit.xml",
    "--first-fail": "use --fail-fast",
    "--test-to-end": "it is not needed, a failure does not end the run unless --fail-fast is given",
    "--parallel": "use --workers N",
    "--parallel-pool": "use --workers N",
    "--no-colors": "use --plain",
    "--random": "it is not needed, --seed N repeats the random choices of an earlier run",
    "--only-tags": ONLY,
    "--skip-tags": "use --skip P",
    "--tag": ONLY,
    "--pattern": "use --only P",
    "--start": ONLY,
    "--end": ONLY,
    "--pause-before": "use --pause-on-fail, or ./regression.py up for servers without scenarios",
    "--pause-after": "use --pause-on-fail, or ./regression.py up for servers without scenarios",
    "--pause-on-pass": "use --pause-on-fail, or ./regression.py up for servers without scenarios",
    "--until": "use --until-fail, --repeat N or --retry N",
    "--xfail": MARKS,
    "--xfails": MARKS,
    "--xout": MARKS,
    "--ffail": MARKS,
    "--ffails": MARKS,
    "--xskips": MARKS,
    "--show-skipped": "it is not needed, what was skipped is shown with its reason",
    "--trim-results": "it is not needed, messages are whole in results/latest/scenarios/*/failure.txt",
    "--attr": "it is not needed, commit, version and environment of a run are recorded",
    "--id": "use --results DIR for a folder of its own",
    "--local": "use --env embedded, which is the default",
    "--clickhouse-binary-path": "use --env binary --clickhouse-binary PATH",
    "--clickhouse": "use --clickhouse-version V",
    "--stress": "use --repeat N or --until-fail",
    "--collect-service-logs": "it is not needed, a failure keeps the servers' logs",
}


def check(arguments: Sequence[str], known: Sequence[str]) -> None:
    """Raise for the first option of another program; one that exists here is not looked up."""
    for argument in arguments:
        option = argument.partition("=")[0]
        if option in INSTEAD and option not in known:
            raise UsageError(f"There is no {option} here: {INSTEAD[option]}.")
