"""What changed since a base, and the ratchet: what had proof may not lose it."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from helpers.base.errors import UsageError
from helpers.cli.options.coverage import parser
from helpers.report import project
from helpers.report.load import read_results
from helpers.report.since_base import Wording, compare_results, compare_texts
from requirements.commands import compile_

# The kind of a change, and the states of a requirement before and after it.
CHANGES = {
    "regressed": [
        "verified → failing",
        "verified → deviates",
        "verified → blocked",
        "verified → suspect",
        "verified → untested",
        "outdated → failing",
    ],
    "fixed": ["failing → verified", "suspect → verified", "deviates → verified"],
    "new": ["untested → verified", "untested → failing", "planned → deviates"],
    None: [
        "verified → verified",
        "verified → not run",
        "not run → failing",
        "failing → untested",
        "untested → planned",
    ],
}


@pytest.mark.parametrize(
    ("states", "expected"),
    [(states, kind) for kind, changes in CHANGES.items() for states in changes],
)
def test_a_requirement(make_run: Any, states: str, expected: str | None) -> None:
    before, after = states.split(" → ")
    old, new = make_run("old", A=before), make_run("new", A=after)
    since = compare_results([read_results(new, "new")], [read_results(old, "old")])
    changed = {kind: [change.name for change in changes] for kind, changes in since.results()}
    wanted = {kind: ["RQ.SRS-900.A"] if kind == expected else [] for kind in changed}
    assert changed == wanted


def test_scenarios_are_compared_too(document: dict[str, Any]) -> None:
    base = json.loads(json.dumps(document))
    base["run"]["id"] = "base"
    document["scenarios"][0]["result"] = "Error"
    document["scenarios"].append({"name": "/a/b/fresh", "result": "OK"})
    since = compare_results([read_results(document, "x")], [read_results(base, "base")])
    assert [(change.kind, change.name, change.after) for change in since.regressed] == [
        ("scenario", "/a/b/c", "failing")
    ]
    assert [change.name for change in since.new] == ["/a/b/fresh"]


@pytest.mark.parametrize("before", [None, "NotRun", "OK", "Skip"])
def test_a_scenario_that_fails_and_did_not_has_regressed(
    document: dict[str, Any], before: str | None
) -> None:
    """Also one that verifies no requirement, whose failure no requirement tells of."""
    base = json.loads(json.dumps(document))
    base["run"]["id"] = "base"
    if before is not None:
        base["scenarios"].append({"name": "/a/b/alone", "result": before})
    document["scenarios"].append({"name": "/a/b/alone", "result": "Error"})
    since = compare_results([read_results(document, "x")], [read_results(base, "base")])
    assert [change.name for change in since.regressed] == ["/a/b/alone"]
    assert since.new == ()


def test_a_scenario_that_failed_before_has_not_regressed(document: dict[str, Any]) -> None:
    document["scenarios"].append({"name": "/a/b/alone", "result": "Error"})
    base = json.loads(json.dumps(document))
    base["run"]["id"] = "base"
    since = compare_results([read_results(document, "x")], [read_results(base, "base")])
    assert since.regressed == ()


def test_texts() -> None:
    now = {"A": Wording("1.0", "x"), "B": Wording("1.1", "y"), "C": Wording("1.0", "new")}
    before = {"B": Wording("1.0", "y"), "C": Wording("1.0", "old"), "D": Wording("1.0", "")}
    since = compare_texts("main", now, before)
    assert since.added == ("A",)
    assert since.removed == ("D",)
    assert since.changed == ("B: version 1.0 → 1.1", "C: the text, still version 1.0")
    assert compare_texts("x", {"D": Wording("1.0", "z")}, before).changed == (), "unknown text"


def run(*arguments: object) -> int:
    given = parser().parse_args(list(map(str, arguments)))
    return int(given.implementation()(given))


@pytest.fixture
def files(tmp_path: Path, make_run: Any) -> tuple[Path, Path]:
    paths = tmp_path / "good.json", tmp_path / "bad.json"
    for path, state in zip(paths, ("verified", "failing"), strict=True):
        path.write_text(json.dumps(make_run(path.stem, A=state)))
    return paths


def test_the_ratchet(files: tuple[Path, Path], capsys: pytest.CaptureFixture[str]) -> None:
    good, bad = files
    assert run(bad, "--base", good) == 1
    printed = capsys.readouterr()
    assert "regressed: RQ.SRS-900.A (verified → failing)" in printed.out
    assert "1 regressed" in printed.err
    assert run(good, "--base", bad, "--md") == 0
    assert "fixed: `RQ.SRS-900.A` failing → verified" in capsys.readouterr().out
    assert run(bad) == 0, "without a base there is nothing to regress from"


TEXT = """# SRS-900 Samples

## Basics

### RQ.SRS-900.A
version: {version}

It SHALL hold.

### RQ.SRS-900.{other}
version: 1.0

It SHALL hold too.
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "repository" / "requirements"
    folder.mkdir(parents=True)
    (folder / "srs900.md").write_text(TEXT.format(version="1.0", other="Old"))
    (folder / "notes.md").write_text("not a specification")
    git = ["git", "-C", str(folder.parent), "-c", "user.name=t", "-c", "user.email=t@example.com"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "x"], ["tag", "base"]):
        subprocess.run([*git, *command], check=True)
    (folder / "srs900.md").write_text(TEXT.format(version="1.1", other="New"))
    return folder.parent


def test_specifications_of_a_commit(repository: Path) -> None:
    compile_(root=repository)
    now = project.wordings(project.specifications(repository))
    before = project.wordings(project.specifications_at("base", repository))
    since = compare_texts("base", now, before)
    assert since.added == ("RQ.SRS-900.New",)
    assert since.removed == ("RQ.SRS-900.Old",)
    assert since.changed == ("RQ.SRS-900.A: version 1.0 → 1.1",)


@pytest.mark.parametrize("reference", ["nowhere", "--help", ""])
def test_a_base_that_is_nothing(repository: Path, reference: str) -> None:
    with pytest.raises(UsageError, match="nor a commit of this repository"):
        project.specifications_at(reference, repository)


def test_a_base_file_that_is_missing(files: tuple[Path, Path]) -> None:
    with pytest.raises(UsageError, match="there are no results here"):
        run(files[0], "--base", files[0].with_name("none.json"))
