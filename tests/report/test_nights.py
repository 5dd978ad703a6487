"""A night is compared with the newest one before it, column by column; one that is incomplete says so."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from helpers.cli.main import main
from helpers.report.earlier_runs import load_base
from helpers.report.load import load_results, read_results
from helpers.report.markdown import render_markdown
from helpers.report.merge import merge_results
from helpers.report.report import build_report
from helpers.report.run_results import Results
from helpers.report.since_base import compare_results

EMBEDDED, DOCKER = ("embedded", "26.9.2.1"), ("docker", "26.9.2.1")


@pytest.fixture
def column(document: dict[str, Any]) -> Any:
    """A column of a night of November, with one scenario that ended so."""

    def make(day: int, target: tuple[str, str], result: str = "OK", **facts: object) -> Results:
        run = json.loads(json.dumps(document))
        run["run"] |= {
            "id": f"{target[0]}-{target[1]}-{day}",
            "started": f"2026-11-{day:02}T02:17:00Z",
            "environment": target[0],
            "clickhouse": target[1],
            "commit": "0123456789abcdef",
            **facts,
        }
        run["scenarios"][0] |= {"result": result, "reason": "rows differ"}
        run["requirements"][0]["state"] = "verified" if result == "OK" else "failing"
        return read_results(run, "x")

    return make


def written(folder: Path, *columns: Results) -> Path:
    folder.mkdir(parents=True)
    for number, column in enumerate(columns, start=1):
        name = "results.json" if number == 1 else f"results-{number}.json"
        (folder / name).write_text(column.text())
    return folder


def test_each_column_is_compared_with_the_same_one(column: Any) -> None:
    """What another environment cannot do has not regressed, and what fails in one of them is not hidden."""
    before = [column(1, EMBEDDED), column(1, DOCKER, "Skip")]
    after = [column(2, EMBEDDED, "Fail"), column(2, DOCKER, "Skip")]
    assert compare_results(before, before).regressed == ()
    (scenario,) = compare_results(after, before).regressed_causes
    assert (scenario.name, scenario.where) == ("/a/b/c", "embedded 26.9.2.1")
    # The order of the columns says nothing, and a fix release is compared with the one before it.
    later = [column(2, DOCKER, "Skip"), column(2, ("embedded", "26.9.3.7"), "Fail")]
    assert [change.what for change in compare_results(later, before).regressed_causes] == [
        "verified → failing on embedded 26.9.3.7"
    ]


def test_what_only_one_night_has_is_named(column: Any) -> None:
    since = compare_results(
        [column(2, EMBEDDED), column(2, ("embedded", "26.11.1.1"))],
        [column(1, EMBEDDED), column(1, DOCKER)],
    )
    assert since.not_compared == ("embedded 26.11.1.1 is new", "docker 26.9.2.1 did not run")
    assert since.gone == ("docker 26.9.2.1 did not run",)
    assert since.regressed == ()


def test_the_newest_night_is_the_base_whatever_the_files_say(column: Any, tmp_path: Path) -> None:
    tonight = [column(20, EMBEDDED), column(20, DOCKER)]
    nights = tmp_path / "nights"
    assert load_base(written(tmp_path / "empty"), tonight) == []
    for day in (9, 18, 17, 20):  # the last is this one, downloaded again
        folder = written(nights / str(day), column(day, EMBEDDED), column(day, DOCKER))
        os.utime(folder / "results.json", (10**9 - day, 10**9 - day))
    base = load_base(nights, tonight)
    assert [run.id for run in base] == ["docker-26.9.2.1-18", "embedded-26.9.2.1-18"]
    assert load_base(nights / "9" / "results.json", tonight) == [
        load_results(nights / "9" / "results.json")
    ]


def test_the_first_night_is_compared_with_nothing(
    column: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    night = written(tmp_path / "night", column(1, EMBEDDED))
    nights = written(tmp_path / "nights")
    assert main(["coverage", str(night), "--base", str(nights)]) == 0
    assert "has no earlier run: nothing is compared" in capsys.readouterr().err
    page = tmp_path / "history.html"
    assert main(["history", str(night), str(nights), "--html", str(page)]) == 0
    assert main(["coverage", str(night), "--base", str(tmp_path / "missing.json")]) == 2


def test_history_has_all_columns_of_a_night(
    column: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    written(tmp_path / "1", column(1, EMBEDDED), column(1, DOCKER))
    assert main(["history", str(tmp_path), "--html", str(tmp_path / "h.html")]) == 0
    said = capsys.readouterr().out
    assert "1 runs on docker 26.9.2.1" in said and "1 runs on embedded 26.9.2.1" in said


def test_a_night_without_all_its_shards_says_so(column: Any) -> None:
    def states(_: object) -> Any:
        return column(1, EMBEDDED).requirements

    whole = [column(1, EMBEDDED, id=f"s{n}", shard=f"{n}/2") for n in (1, 2)]
    assert merge_results(whole, states)[0].run["incomplete"] == []
    (one,) = merge_results(whole[1:], states)
    assert one.run["incomplete"] == ["shard 1/2 is missing"] and one.run["shard"] is None
    broken = [whole[0], column(1, EMBEDDED, id="s2", shard="2/2", exit_code=3)]
    (merged,) = merge_results(broken, states)
    note = "embedded 26.9.2.1 is incomplete: shard 2/2 ended with exit code 3."
    assert note in build_report([merged]).notes


def test_the_first_lines_of_the_summary_are_the_regression(column: Any) -> None:
    runs = [column(2, EMBEDDED, "Fail"), column(2, DOCKER)]
    base = [column(1, EMBEDDED), column(1, DOCKER)]
    report = replace(build_report(runs), comparison=compare_results(runs, base))
    first, _, second, *_ = render_markdown(report).splitlines()
    assert first.startswith("# 1 regressed since 2026-11-01 02:17, 0123456: 0 of 1 verified")
    assert second == "- `/a/b/c` verified → failing on embedded 26.9.2.1 rows differ"
    calm = replace(build_report(base), comparison=compare_results(base, base))
    assert render_markdown(calm).startswith("# nothing regressed since")
