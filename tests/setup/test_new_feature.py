"""The way to a new feature, as CONTRIBUTING.md says it: each of its commands works as it stands."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.base.paths import ROOT

LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", ".engines", "results", "tests", "__pycache__", ".*_cache"
)


def commands() -> list[list[str]]:
    """The commands of the section."""
    text = (
        (ROOT / "CONTRIBUTING.md")
        .read_text()
        .partition("## A new feature")[2]
        .partition("\n## ")[0]
    )
    return [shlex.split(line) for line in re.findall(r"^    \./regression\.py (.*)$", text, re.M)]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project, in a folder of its own."""
    folder = tmp_path_factory.mktemp("new") / "project"
    shutil.copytree(ROOT, folder, ignore=LEFT_OUT, symlinks=True)
    return folder


def regression(checkout: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    variables = {**os.environ, "REGRESSION_VENV": sys.prefix, "PYTHONPATH": str(checkout)}
    return subprocess.run(
        [sys.executable, "-P", "-m", "helpers.cli.main", *arguments],
        cwd=checkout,
        env=variables,
        capture_output=True,
        text=True,
    )


def test_the_steps_of_the_document(checkout: Path) -> None:
    steps = commands()
    assert len(steps) == 5 and steps[0][:2] == ["new", "feature"]
    for step in steps:
        done = regression(checkout, *step)
        assert done.returncode == 0, f"{step}\n{done.stdout}{done.stderr}"
        if step[0] == "--only":
            assert "1 scenario in" in done.stdout and "1 OK" in done.stdout
            assert "1 verified" in done.stdout


@pytest.mark.parametrize(
    ("name", "specification", "complaint"),
    [
        ("Drop", "SRS-201", "'Drop' is not a name such as 'drop partition'"),
        ("class", "SRS-201", "it is a word of Python"),
        ("mutants", "SRS-201", "a folder without scenarios"),
        ("drop " * 60 + "it", "SRS-201", "longer than 60 letters"),
        ("../x", "SRS-201", "is not a name"),
        ("drop part", "201", "--specification '201' is not like SRS-200"),
        ("table parts", "SRS-201", "scenarios/table_parts is there already"),
        ("drop part", "SRS-102", "requirements/srs102_table_parts.md is there already"),
    ],
)
def test_what_cannot_be_made(checkout: Path, name: str, specification: str, complaint: str) -> None:
    done = regression(checkout, "new", "feature", name, "--specification", specification)
    assert done.returncode == 2 and complaint in done.stderr
    assert done.stderr.count("\n") == 1


def test_places_that_the_document_names_are_there() -> None:
    text = (
        (ROOT / "CONTRIBUTING.md")
        .read_text()
        .partition("## A new feature")[2]
        .partition("\n## ")[0]
    )
    places = re.findall(r"\b(?:helpers|configs)/[a-z_/]*(?:\.py)?", text)
    assert len(places) >= 3
    assert [place for place in places if not (ROOT / place).exists()] == []
