"""Every command line in the workflows, in their description and in the first five minutes is understood."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.cli.main import main
from helpers.cli.options import COMMANDS, parser_of

ROOT = Path(__file__).resolve().parents[2]
COMMAND = re.compile(r"\./regression\.py[^`#|\n…]*")
DOCUMENTS = ("docs/nightly.md", ".github/workflows/*.yml")
# How a document stands for something that the reader fills in.
PLACEHOLDERS = {
    r"\$\{\{ matrix\.shard \}\}": "1",
    r"\$\{\{ matrix\.profile \}\}": "crash",
    r"\$\{\{ matrix\.target\.options \}\}": "",
    r"\$OPTIONS": "",
    "K/N": "1/2",
}

# Those of the README's "Five minutes" stand on lines of their own.
FIRST_COMMANDS = re.findall(r"^ {7}(\./regression\.py .*)$", (ROOT / "README.md").read_text(), re.M)


def documented() -> Iterator[tuple[str, str]]:
    for pattern in DOCUMENTS:
        for file in sorted(ROOT.glob(pattern)):
            for match in COMMAND.finditer(file.read_text(encoding="utf-8")):
                yield str(file.relative_to(ROOT)), match[0].strip()


@pytest.mark.parametrize(("file", "line"), sorted(set(documented())))
def test_it_is_understood(file: str, line: str) -> None:
    for placeholder, value in PLACEHOLDERS.items():
        line = re.sub(placeholder, value, line)
    words = shlex.split(line)[1:]
    command = words[0] if words and not words[0].startswith("-") else "run"
    arguments = words[1:] if command != "run" else words
    assert command in COMMANDS, f"{file}: {line}"
    parser_of(command).parse_args(arguments)


@pytest.mark.parametrize("line", FIRST_COMMANDS)
def test_the_first_five_minutes(line: str) -> None:
    """Patterns in them match something: a newcomer must not meet exit code 2."""
    command, *rest = shlex.split(line.partition(" < ")[0])[1:]
    if command.startswith("-"):
        assert main([command, *rest, "--list"]) == 0
    else:
        parser_of(command).parse_args(rest)


def test_there_are_some() -> None:
    files = {file for file, _ in documented()}
    assert {"docs/nightly.md", ".github/workflows/nightly.yml"} <= files
    assert len(FIRST_COMMANDS) == 8
