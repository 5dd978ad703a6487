"""The command line of `./regression.py sensitivity`: that of a run, and what mutants to try."""

from __future__ import annotations

import argparse

from helpers.base.arguments import deferred
from helpers.cli.options import run

DESCRIPTION = """\
Run scenarios under every mutant that violates what they verify, and report which mutants they notice.

A mutant is a small change between a scenario and its server: REPLACE PARTITION does nothing, a refusal
has another code, a row too many. It is killed by a scenario that passes without it and fails with it.
Exit code 1 if a mutant survives, a scenario is blind, or a requirement has no mutant at all.

With --systematic the mutants are not written but generated: every scenario runs once as it is, then with
one of its statements dropped, a clause or setting left out, an answer changed, an action not carried out.
Exit code 1 if less than 95 % (--bar) of them are noticed, or 15 % less than that of one requirement's; a
sample (--minutes) fails if it shows so beyond doubt. --fast --systematic does both, --all everything.
"""


def parser() -> argparse.ArgumentParser:
    made = run.parser()
    made.prog = "./regression.py sensitivity"
    made.description, made.epilog = DESCRIPTION, None
    add = made.add_argument
    add("--fast", action="store_true", help="one written mutant a requirement")
    add("--systematic", action="store_true", help="mutants generated from what scenarios do")
    add("--all", action="store_true", help="every written mutant and every generated one")
    add("--minutes", type=_minutes, metavar="N", help="generated mutants: a sample, so long")
    add("--bar", type=_percent, default=0.95, metavar="N", help="percent to notice (default 95)")
    made.set_defaults(implementation=deferred("helpers.cli.sensitivity:run_mutants"))
    return made


def _minutes(text: str) -> float:
    minutes = float(text)
    if not 0 < minutes < float("inf"):
        raise ValueError(text)
    return minutes


def _percent(text: str) -> float:
    refusal = f"{text!r} is not a number from 0 to 100"
    try:
        percent = float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(refusal) from None
    if not 0 <= percent <= 100:
        raise argparse.ArgumentTypeError(refusal)
    return percent / 100
