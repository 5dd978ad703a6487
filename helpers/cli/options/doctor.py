"""The command line of `./regression.py doctor`."""

from __future__ import annotations

import argparse

from helpers.base.arguments import Parser, deferred
from helpers.cluster import target

DESCRIPTION = """\
Look at an environment before the first run: start or reach a server; print its version, the settings that
differ from what scenarios expect, what it can do, which scenarios will be skipped, and why.
"""
EPILOG = """\
examples:
  ./regression.py doctor
  ./regression.py doctor --clickhouse docker://clickhouse/clickhouse-server:26.3
  ./regression.py doctor --clickhouse build/programs/clickhouse

exit codes: 0 scenarios can run there, 2 usage, 3 the server did not come up.
"""


def parser() -> argparse.ArgumentParser:
    made = Parser("./regression.py doctor", description=DESCRIPTION, epilog=EPILOG)
    target.add_options(made)
    made.set_defaults(implementation=deferred("helpers.cli.doctor:doctor"))
    return made
