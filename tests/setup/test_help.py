"""The help of every command is answered with nothing installed, and a wrong option with one line."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from helpers.base.paths import ROOT
from helpers.cli.main import help_shown, main
from helpers.cli.options import COMMANDS, parser_of

RUN = "run"


def with_subcommands(command: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """A command, and each command below it."""
    yield command
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, below in action.choices.items():
                yield from with_subcommands(f"{command} {name}", below)


EVERY = [line for command in COMMANDS for line in with_subcommands(command, parser_of(command))]


def bare(*arguments: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The launcher under an interpreter without any installed package, where nothing was set up."""
    return subprocess.run(
        [sys.executable, "-I", "-S", str(ROOT / "regression.py"), *arguments],
        env={"REGRESSION_VENV": str(folder / "venv"), "PATH": "/nonexistent"},
        cwd=folder,
        capture_output=True,
        text=True,
    )


@pytest.mark.parametrize("line", ["", *EVERY])
def test_it_is_answered_before_and_without_any_set_up(line: str, tmp_path: Path) -> None:
    done = bare(*line.split(), "--help", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    name = line.removeprefix(RUN)
    assert done.stdout.startswith(f"usage: ./regression.py {name}".rstrip() + " [-h]")
    assert not list(tmp_path.iterdir())


def test_it_is_answered_among_other_options(tmp_path: Path) -> None:
    done = bare("up", "--nodes", "3", "-h", folder=tmp_path)
    assert done.returncode == 0 and "--nodes N" in done.stdout


def test_what_is_wrong_is_said_without_a_set_up(tmp_path: Path) -> None:
    done = bare("upp", "--help", folder=tmp_path)
    assert done.returncode == 2
    assert "Did you mean 'up'?" in done.stderr and done.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_help_that_is_somebodys_word_is_none() -> None:
    assert help_shown(["sql", "--", "--help"]) is None
    assert help_shown(["--only", "help"]) is None


@pytest.mark.parametrize("buffered", [True, False])
def test_help_that_cannot_be_written(buffered: bool, tmp_path: Path) -> None:
    flags = ["-I", "-S"] if buffered else ["-I", "-S", "-u"]
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            [sys.executable, *flags, str(ROOT / "regression.py"), "down", "--help"],
            env={"REGRESSION_VENV": str(tmp_path / "venv")},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert done.returncode == 3
    assert done.stderr == "regression: what it says cannot be written: No space left on device.\n"


@pytest.mark.parametrize("line", EVERY)
def test_an_option_that_there_is_not(line: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, *rest = line.split()
    required = {
        "changed": ["--base", "x"],
        "new feature": ["a", "--specification", "SRS-200"],
        "sql": ["SELECT 1"],
        "history": ["results"],
        "requirements show": ["RQ.One"],
    }
    assert main([command, *rest, *required.get(line, []), "--resultz", "x"]) == 2
    said = capsys.readouterr().err
    assert said.startswith("regression: ") and said.count("\n") == 1
    assert "--help shows what there is" in said


@pytest.mark.parametrize("command", COMMANDS)
def test_everything_is_executed_by_something(command: str) -> None:
    def implementations(parser: argparse.ArgumentParser) -> Iterator[object]:
        made = parser.get_default("implementation")
        if made is not None:
            yield made()
        for action in parser._actions:
            if isinstance(action, argparse._SubParsersAction):
                for below in action.choices.values():
                    yield from implementations(below)

    found = list(implementations(parser_of(command)))
    assert found and all(map(callable, found))


def test_every_command_is_named_in_the_help_of_all() -> None:
    named = parser_of(RUN).format_help()
    assert [command for command in COMMANDS if command != RUN and command not in named] == []


def test_an_installation_is_refused_with_what_to_use_instead(tmp_path: Path) -> None:
    command = [
        getattr(sys, "_base_executable", sys.executable),
        "-m",
        "pip",
        "install",
        "--no-index",
        "--target",
        str(tmp_path),
    ]
    done = subprocess.run([*command, str(ROOT)], capture_output=True, text=True)
    assert done.returncode == 1
    for words in ("This project is not installed", "./regression.py ", "export --help"):
        assert words in done.stdout + done.stderr
    assert not list(tmp_path.iterdir())
