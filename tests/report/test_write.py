"""Reports are written whatever a run left behind, and the command writes what it was asked for."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from helpers.base.errors import UsageError
from helpers.cli.options.coverage import parser
from helpers.report.load import load_results, read_results
from helpers.report.run_results import Results
from helpers.report.write import write_reports


def test_writes_both_beside_the_results(tmp_path: Path, document: dict[str, Any]) -> None:
    write_reports(read_results(document, "x"), tmp_path)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["coverage.html", "coverage.md"]
    assert "1 of 1 verified" in (tmp_path / "coverage.md").read_text()


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"id": "x", "interrupted": True},
        {"id": "x", "seconds": None, "started": None},
    ],
)
def test_a_run_that_left_next_to_nothing(
    tmp_path: Path, facts: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    write_reports(Results("results.json", facts, (), ()), tmp_path)
    assert capsys.readouterr().err == ""
    assert "names no requirements" in (tmp_path / "coverage.md").read_text()


def test_what_is_written_is_what_is_read(sabotaged: dict[str, Any], tmp_path: Path) -> None:
    """results.json and the results in memory say the same, mutants included."""
    file = tmp_path / "results.json"
    results = read_results(sabotaged, str(file))
    results.write(file)
    assert load_results(file) == results
    assert [path.name for path in tmp_path.iterdir()] == ["results.json"]


def test_a_folder_that_is_gone_is_not_hidden(tmp_path: Path, document: dict[str, Any]) -> None:
    with pytest.raises(FileNotFoundError):
        write_reports(read_results(document, "x"), tmp_path / "gone")


def run(*arguments: object) -> int:
    given = parser().parse_args(list(map(str, arguments)))
    return int(given.implementation()(given))


@pytest.fixture
def results(tmp_path: Path, document: dict[str, Any]) -> Path:
    file = tmp_path / "results.json"
    file.write_text(json.dumps(document))
    return file


def test_output_writes_every_form_or_the_chosen_one(results: Path, tmp_path: Path) -> None:
    assert run(results, "--output", tmp_path / "all") == 0
    names = sorted(file.name for file in (tmp_path / "all").iterdir())
    assert names == ["coverage.csv", "coverage.html", "coverage.json", "coverage.md"]
    assert run(results, "--output", tmp_path / "one", "--csv") == 0
    assert [file.name for file in (tmp_path / "one").iterdir()] == ["coverage.csv"]


def test_forms_on_the_console(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(results, "--json") == 0
    assert json.loads(capsys.readouterr().out)["counts"] == {"verified": 1}
    assert run(results.parent) == 0
    assert capsys.readouterr().out.splitlines()[0].split() == ["total", "verified"]


def test_a_page_to_a_file(
    results: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(results, "--html", tmp_path / "deep" / "page.html") == 0
    assert (tmp_path / "deep" / "page.html").read_text().startswith("<!doctype html>")
    assert "all" in capsys.readouterr().out


def test_a_place_that_cannot_be_written(results: Path) -> None:
    with pytest.raises(UsageError, match="cannot be written"):
        run(results, "--html", results / "page.html")
