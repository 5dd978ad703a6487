"""`python -m requirements`: check, compile and accept without the front door."""

from __future__ import annotations

import argparse
import sys

from requirements.command_line import register


def main() -> int:
    """Parses the command line and runs one command."""
    parser = argparse.ArgumentParser(prog="requirements", description=__doc__)
    register(parser.add_subparsers(required=True, metavar="COMMAND"))
    arguments = parser.parse_args()
    code: int = arguments.implementation()(arguments)
    return code


if __name__ == "__main__":
    sys.exit(main())
