"""The catalogue and the commands list and show, on a small project of their own."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from helpers.base.errors import UsageError
from helpers.base.paths import ROOT
from helpers.catalogue import Catalogue
from helpers.cli import requirements as requirements_
from helpers.cli.options import parser_of
from requirements.commands import compile_

SPECIFICATION = """# SRS-900 Samples

## Basics

### RQ.SRS-900.Samples.Keep
version: 1.0

It SHALL keep rows.

### RQ.SRS-900.Samples.Conditions.Order
version: 1.0

It SHALL refuse another order.
"""
SCENARIO = """
from testflows.core import Requirement, Requirements, TestScenario

@TestScenario
@Requirements(Requirement("RQ.SRS-900.Samples.Keep", "1.0"))
def keeps_rows(self):
    pass
"""


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "srs900_samples.md").write_text(SPECIFICATION)
    compile_(root=tmp_path)
    (scenarios_of(tmp_path) / "sample").mkdir(parents=True)
    (scenarios_of(tmp_path) / "sample" / "basics.py").write_text(SCENARIO)
    return tmp_path


def scenarios_of(root: Path) -> Path:
    """A folder of a name of its own: modules are imported by the name of their folder."""
    return root / f"scenarios_{root.name}"


def catalogue_of(root: Path, results: Path | None = None) -> Catalogue:
    return Catalogue(results, root, scenarios_of(root))


def add_run(root: Path, document: dict[str, Any], id: str, result: str, **facts: str) -> None:
    """A run in which the only scenario ended like this, and `latest` pointing to it."""
    scenario = document["scenarios"][0]
    scenario.update(
        name="/sample/basics/keeps rows",
        result=result,
        reason=None if result == "OK" else "2 rows lost",
        file="scenarios/sample/basics.py",
        requirements=[{"name": "RQ.SRS-900.Samples.Keep", "version": "1.0"}],
    )
    document["run"].update(id=id, **facts)
    document["requirements"][0].update(
        name="RQ.SRS-900.Samples.Keep", state={"OK": "verified", "Fail": "failing"}[result]
    )
    folder = root / "results" / id
    folder.mkdir(parents=True)
    (folder / "results.json").write_text(json.dumps(document))
    latest = root / "results" / "latest"
    latest.unlink(missing_ok=True)
    latest.symlink_to(id)


def test_scenarios_that_let_a_mutant_live_verify_nothing(
    root: Path, document: dict[str, Any]
) -> None:
    name = "RQ.SRS-900.Samples.Keep"
    document["sensitivity"] = {
        "mutants": [{"name": "keeps-none", "about": "It keeps nothing."}],
        "requirements": [
            {
                "name": name,
                "verdict": "survived",
                "reason": "keeps-none was not noticed",
                "mutants": {"keeps-none": "survived"},
            }
        ],
        "scenarios": [],
        "blind": [],
        "idle": [],
    }
    add_run(root, document, "r1", "OK")
    entry = catalogue_of(root)[name]
    assert (entry.state, entry.reason) == (
        "failing",
        "not proven: keeps-none was not noticed",
    )


def test_before_anything_ran(root: Path) -> None:
    catalogue = catalogue_of(root)
    assert len(catalogue) == 2
    keep = catalogue["RQ.SRS-900.Samples.Keep"]
    assert (keep.specification, keep.version, keep.state) == ("SRS-900", "1.0", "not run")
    assert keep.text == "It SHALL keep rows."
    assert keep.heading_path == ("Basics",)
    (scenario,) = keep.scenarios
    assert scenario.name == "/sample/basics/keeps rows"
    assert scenario.file.endswith("/sample/basics.py")
    assert catalogue["RQ.SRS-900.Samples.Conditions.Order"].state == "untested"


def test_with_results(root: Path, document: dict[str, Any]) -> None:
    add_run(root, document, "r1", "Fail")
    keep = catalogue_of(root)["RQ.SRS-900.Samples.Keep"]
    assert keep.state == "failing"
    assert keep.reason == "/sample/basics/keeps rows: 2 rows lost"
    assert [scenario.result for scenario in keep.scenarios] == ["Fail"]


def test_the_tree_as_it_stands_decides(root: Path, document: dict[str, Any]) -> None:
    add_run(root, document, "r1", "OK")
    assert catalogue_of(root)["RQ.SRS-900.Samples.Keep"].state == "verified"
    file = root / "requirements" / "srs900_samples.md"
    file.write_text(file.read_text().replace("version: 1.0", "version: 1.1"))
    compile_(root=root)
    assert catalogue_of(root)["RQ.SRS-900.Samples.Keep"].state == "outdated"


def test_finding(root: Path) -> None:
    catalogue = catalogue_of(root)
    assert [entry.name for entry in catalogue.find("RQ.SRS-900*Conditions*")] == [
        "RQ.SRS-900.Samples.Conditions.Order"
    ]
    with pytest.raises(UsageError, match=r"Did you mean 'RQ\.SRS-900\.Samples\.Keep'"):
        catalogue["RQ.SRS-900.Sample.Keeps"]
    with pytest.raises(UsageError, match="No requirement fits"):
        catalogue.find("*nothing*")


def test_running_calls_the_front_door(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[list[str]] = []

    def called(command: list[str], check: bool) -> subprocess.CompletedProcess[bytes]:
        calls.append(command)
        return subprocess.CompletedProcess(command, 3)

    monkeypatch.setattr(subprocess, "run", called)
    assert catalogue_of(root)["RQ.SRS-900.Samples.Keep"].run("--workers", "1") == 3
    assert calls[0][1:] == [
        str(ROOT / "regression.py"),
        *("--requirement", "RQ.SRS-900.Samples.Keep", "--workers", "1"),
    ]


@pytest.fixture
def command(root: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr(requirements_, "Catalogue", lambda results: catalogue_of(root, results))
    monkeypatch.setattr(requirements_, "RESULTS", root / "results")

    def run(*arguments: str) -> int:
        given = parser_of("requirements").parse_args(arguments)
        return int(given.implementation()(given))

    return run


def test_list(command: Any, capsys: pytest.CaptureFixture[str]) -> None:
    assert command("list") == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split()[:4] == ["not", "run", "1.0", "RQ.SRS-900.Samples.Keep"]
    assert lines[-1] == "2 of 2 requirements, nothing ran yet"
    assert command("list", "--state", "untested", "--spec", "SRS-900") == 0
    assert capsys.readouterr().out.splitlines()[-1].startswith("1 of 2")
    with pytest.raises(UsageError, match="Did you mean 'untested'"):
        command("list", "--state", "untestd")
    with pytest.raises(UsageError, match="no specification 'SRS-901'"):
        command("list", "--spec", "SRS-901")


def test_show_over_all_runs(
    command: Any, root: Path, document: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    add_run(root, document, "r1", "OK", clickhouse="26.8", started="2026-11-14T00:00:00Z")
    add_run(root, document, "r2", "OK", clickhouse="26.9", started="2026-11-15T00:00:00Z")
    add_run(root, document, "r3", "Fail", clickhouse="26.9", started="2026-11-16T00:00:00Z")
    (root / "results" / "r4").mkdir()
    (root / "results" / "r4" / "results.json").write_text('{"schema": 1, "ru')
    assert command("show", "*Keep") == 0
    printed = capsys.readouterr()
    assert "It SHALL keep rows." in printed.out
    assert "Fail    /sample/basics/keeps rows (scenarios/sample/basics.py:3)" in printed.out
    assert "verified  embedded 26.8, version 1.0, run r1" in printed.out
    assert "failing   embedded 26.9, version 1.0, run r3" in printed.out
    assert "r2" not in printed.out
    assert "cut off at byte 17" in printed.err
