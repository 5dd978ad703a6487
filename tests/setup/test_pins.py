"""constraints.txt pins what pyproject.toml names, and all that these packages need, in the right stage."""

from __future__ import annotations

import importlib.metadata
import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from helpers.base.paths import ROOT
from helpers.setup import pins
from helpers.setup.virtualenv import STAGES

# What chdb-core names and only its Python interface uses, which nodes do not.
LEFT_OUT = {("chdb-core", "pandas"), ("chdb-core", "pyarrow")}
SECTIONS = pins.sections(str(ROOT))


def named(stage: str) -> list[str]:
    """What pyproject.toml names for a stage."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    return list(project["dependencies"] if stage == STAGES[0] else extras[stage])


def needed(stage: str) -> set[str]:
    """What pyproject.toml names for a stage and all that it needs, as the installed packages say."""
    found: set[str] = set()
    left = [(Requirement(text), "") for text in named(stage)]
    while left:
        requirement, of = left.pop()
        name = pins.normal(requirement.name)
        extras = {"extra": ""}
        if requirement.marker and not requirement.marker.evaluate(extras):
            continue
        if name in found or (of, name) in LEFT_OUT:
            continue
        found.add(name)
        texts = importlib.metadata.distribution(requirement.name).requires or []
        left += [(Requirement(text), name) for text in texts]
    return found


@pytest.mark.parametrize("stage", (pins.BUILD, *STAGES))
def test_both_files_of_pins_agree(stage: str) -> None:
    for text in named(stage):
        name, _, version = text.partition("==")
        assert SECTIONS[stage][pins.normal(name)][0] == version, text


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_pins_all_that_it_needs(stage: str) -> None:
    before = STAGES[: STAGES.index(stage)]
    earlier = {name for each in before for name in SECTIONS[each]}
    assert needed(stage) - earlier == set(SECTIONS[stage]) - earlier


@pytest.mark.parametrize(
    "text, complaint",
    [
        ("tiny==1.0\n", "constraints.txt:1: 'tiny==1.0' has no section"),
        ("# run\ntiny>=1.0\n", "constraints.txt:2: 'tiny>=1.0' is no pin like name==1.0"),
    ],
)
def test_a_line_that_cannot_be_read(tmp_path: Path, text: str, complaint: str) -> None:
    (tmp_path / "constraints.txt").write_text(text)
    with pytest.raises(ValueError, match=complaint):
        pins.sections(str(tmp_path))


def test_large_downloads_have_their_size() -> None:
    assert pins.sizes(str(ROOT), "spark")["pyspark"] > 400
    assert pins.sizes(str(ROOT), "run")["chdb-core"] > 100
