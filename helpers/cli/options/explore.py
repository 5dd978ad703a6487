"""The command line of `./regression.py explore`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import Parser, add_results_option, deferred
from helpers.cluster import target
from helpers.explore import PROFILE_NAMES
from helpers.explore.model.schema import TABLE_KINDS
from helpers.explore.model.statements import KILL, KINDS, READ

DESCRIPTION = """\
Send random histories of partition statements to real servers, compare every step with a model, and hand
over the shortest history that shows a difference, as SQL that was executed again on a bare server.
"""
EPILOG = f"""\
profiles: {", ".join(PROFILE_NAMES)}
tables: {", ".join(TABLE_KINDS)}
statements: {", ".join((*KINDS, KILL, READ))}

examples:
  ./regression.py explore --minutes 5
  ./regression.py explore --seed 7 --statements insert,replace,detach,attach
  ./regression.py explore --known none                      known deviations are findings, too
  ./regression.py explore --replay results/explore/…/history.json

exit codes: 0 nothing was found, 1 something was, 2 usage, 3 the server did not come up, 4 interrupted.
"""


def parser() -> argparse.ArgumentParser:
    made = Parser("./regression.py explore", description=DESCRIPTION, epilog=EPILOG)
    add = made.add_argument
    add("--minutes", metavar="N", default="1", help="how long (default: 1; 0.5 is half a minute)")
    add("--seed", metavar="S", help="what the histories are drawn from")
    add("--profile", metavar="P", default="sequential", help="see below (default: sequential)")
    add("--tables", metavar="K", help="kinds of tables, separated by commas (default: all but s3)")
    add("--statements", metavar="K", help="kinds of statements (default: all)")
    add("--known", metavar="ID", help="known deviations to count: all (default), none, or ids")
    add("--workers", metavar="N", help="how many servers (default: three for two processors)")
    add("--replay", metavar="FILE", help="execute a history.json of a finding, three times")
    add_results_option(made)
    target.add_options(made)
    made.set_defaults(implementation=deferred("helpers.cli.explore:explore"))
    return made
