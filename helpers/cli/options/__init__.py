"""What each command takes, in a module of its name: --help is answered without anything installed.

The parser's default `implementation` imports what executes the command, and returns it (`deferred`).
"""

from __future__ import annotations

import argparse
import importlib

COMMANDS = (
    "run",
    "changed",
    "new",
    "requirements",
    "coverage",
    "history",
    "sensitivity",
    "reproduce",
    "doctor",
    "explore",
    "up",
    "down",
    "sql",
    "export",
    "images",
    "engines",
)


def parser_of(command: str) -> argparse.ArgumentParser:
    """The command line of one of COMMANDS; only what it needs is imported."""
    made = importlib.import_module(f"{__name__}.{command}").parser()
    assert isinstance(made, argparse.ArgumentParser)
    return made
