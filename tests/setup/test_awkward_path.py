"""A checkout, an environment and results below folders whose names have blanks, quotes and other letters."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import pytest

from helpers.base.paths import ROOT
from tests.runner.suite import HEADER, scenario_text

AWKWARD = """my projéct "x" it's 世"""
PARTS = ("helpers", "pipelines", "requirements", "scenarios", "steps", "configs", "docker-compose")
FILES = ("regression.py", "pyproject.toml", "constraints.txt", "setup.py", "README.md")
# Plain, with the folder's name in SQL, with an object store; the night runs all of them there.
SCENARIOS = (
    "/replace partition/statement/keep data/source keeps rows and parts",
    "/replace partition/statement/clauses/into outfile clause",
    "/replace partition/storage/s3/objects of both tables",
)


class Answer(NamedTuple):
    code: int
    out: str
    err: str


@dataclass(frozen=True)
class Checkout:
    """A copy of the project that is used as somebody does who stands there."""

    folder: Path
    at: Path

    def __call__(self, *arguments: str, stdin: str = "", **variables: str) -> Answer:
        command = [sys.executable, "-P", str(self.folder / "regression.py"), *arguments]
        return self._answer(command, stdin, variables)

    def shell(self, line: str) -> Answer:
        """What comes of a line that was printed and is pasted into a shell."""
        return self._answer(["bash", "-c", line], "", {})

    def _answer(self, command: list[str], stdin: str, variables: Mapping[str, str]) -> Answer:
        done = subprocess.run(
            command,
            cwd=self.at,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=3600,
            env={
                **os.environ,
                "REGRESSION_VENV": str(self.folder / "the env"),
                "VIRTUAL_ENV": "",
                **variables,
            },
        )
        return Answer(done.returncode, done.stdout, done.stderr)


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Checkout:
    folder = tmp_path_factory.mktemp("awkward") / AWKWARD
    folder.mkdir()
    for name in PARTS:
        ignored = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / name, folder / name, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, folder / name)
    (folder / "the env").symlink_to(sys.prefix)
    return Checkout(folder, folder)


def test_scenarios_of_every_kind_run(checkout: Checkout) -> None:
    ended = checkout("--only", *SCENARIOS, "-o", "short", "--timeout", "600")
    assert ended.code == 0, ended.out + ended.err
    results = checkout.folder / "results" / "latest"
    for name in ("results.json", "coverage.html", "coverage.md", "junit.xml"):
        assert (results / name).stat().st_size > 0, name
    assert checkout("coverage").code == 0
    # Nothing was written beside the folder under a part of its name.
    assert [entry.name for entry in checkout.folder.parent.iterdir()] == [AWKWARD]


def test_where_the_locale_knows_ascii_only(checkout: Checkout) -> None:
    """Files and their names are UTF-8 nevertheless; the console shows what it can."""
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    ended = checkout("--only", SCENARIOS[0], "--results", "résults", **ascii_only)
    assert (ended.code, ended.err) == (0, ""), ended.out + ended.err
    assert "results in r\\xe9sults/" in ended.out
    page = (checkout.folder / "résults" / "latest" / "coverage.html").read_text(encoding="utf-8")
    assert "…" in page


def test_a_failure_can_be_run_again_as_it_is_printed(checkout: Checkout) -> None:
    own = checkout.folder / "own scenarios" / "feature"
    own.mkdir(parents=True)
    text = scenario_text("fails", "it is 2", 'assert this().node().value("SELECT 1") == 2, error()')
    (own / "topic.py").write_text(HEADER + text)
    ended = checkout("--scenarios", "own scenarios", "--results", "own 'results'")
    assert ended.code == 1, ended.out + ended.err
    (failure,) = checkout.folder.glob("own 'results'/latest/scenarios/*/failure.txt")
    rerun = re.search(r"^  (\./regression\.py .*)$", failure.read_text(), re.MULTILINE)
    assert rerun is not None
    again = checkout.shell(rerun[1])
    assert again.code == 1 and "[1/1] Fail" in again.out, again.out + again.err
    repro = checkout("sql", "-", stdin=(failure.parent / "repro.sql").read_text())
    assert repro.code == 0, repro.err


def test_somebody_who_stands_elsewhere(checkout: Checkout, tmp_path: Path) -> None:
    """Every command line that is printed can be typed where it was printed."""
    here = replace(checkout, at=tmp_path)
    own = tmp_path / "own scenarios" / "feature"
    own.mkdir(parents=True)
    (own / "topic.py").write_text(HEADER + scenario_text("fails", "it is 2", "assert 1 == 2"))
    ended = here("--scenarios", "own scenarios", "--results", "mine")
    again = re.search(r"^ +again: (.*)$", ended.out, re.MULTILINE)
    assert again is not None, ended.out + ended.err
    done = here.shell(again[1])
    assert done.code == 1 and "[1/1] Fail" in done.out, done.out + done.err
    up = here("up", "--results", "mine")
    ask, end = re.findall(r"^(?:Ask|End):  (.*)$", up.out, re.MULTILINE)
    asked = here.shell(ask)
    assert asked.code == 0, asked.err
    assert here.shell(end).out == "Down; nothing is left.\n"


@pytest.mark.nightly
def test_every_scenario(checkout: Checkout) -> None:
    ended = checkout("-o", "short")
    assert ended.code == 0, ended.out + ended.err
    assert [entry.name for entry in checkout.folder.parent.iterdir()] == [AWKWARD]


def test_the_other_commands(checkout: Checkout) -> None:
    results = ("--results", "it's up")
    up = checkout("up", "--s3", *results)
    assert up.code == 0, up.err
    assert "End:  ./regression.py down --results 'it'\"'\"'s up'" in up.out
    insert, select = re.findall(r"^  (.* s3\(.*);$", up.out, re.MULTILINE)
    assert checkout("sql", insert, *results).code == 0
    assert checkout("sql", select, "--format", "CSV", *results).out == "0\n1\n2\n"
    down = checkout("down", *results)
    assert (down.code, down.out) == (0, "Down; nothing is left.\n"), down.err
    for arguments in (
        ("requirements", "check"),
        ("sensitivity", "--list"),
        ("reproduce", "--list"),
    ):
        answer = checkout(*arguments)
        assert answer.code == 0 and answer.out, answer.err
