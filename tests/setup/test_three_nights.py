"""Three nights on GitHub, as its documentation says that it works: the second lacks a shard, the third has a
regression, which is found, and nothing else is."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.setup.nights.expressions import filled, holds
from tests.setup.nights.github import ROOT, GitHub

pytestmark = pytest.mark.nightly
REAL = "/replace partition/statement/keep data"
BROKEN_SHARD = ["docker", "2/3"]
TARGETS = ("embedded-26.9", "embedded-26.7", "docker-26.9", "binary-18.16")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """What a checkout has: the files that git knows, as they are here now."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True
    )
    project = tmp_path / "project"
    for name in filter(None, listed.stdout.decode().split("\0")):
        if (ROOT / name).is_file():
            (project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, project / name)
    return project


@pytest.fixture
def template(tmp_path: Path) -> Path:
    """The results of a real run, of which each shard of each night delivers a part."""
    command = [sys.executable, "-m", "helpers.cli.main", "--results", str(tmp_path / "real")]
    chosen = ["--only", REAL, "/replace partition/statement/system parts", "--workers", "1"]
    done = subprocess.run([*command, *chosen], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return tmp_path / "real" / "latest" / "results.json"


def test_three_nights(project: Path, template: Path, tmp_path: Path) -> None:
    names = [scenario["name"] for scenario in json.loads(template.read_text())["scenarios"]]
    assert len(names) >= 3
    github = GitHub(tmp_path / "github", project)
    for number, branch, status in ((1, "main", "completed"), (2, "a-branch", "completed")):
        github.add_run(number, branch, status)  # cancelled before it had a night; somebody's branch
    (github.folder / "artifacts" / "2" / "night").mkdir(parents=True)

    def night(number: int, **world: object) -> tuple[dict[str, list[str]], str, str]:
        what = {"broken": [], "failing": [], "night": number, "template": str(template), **world}
        jobs = github.execute("nightly.yml", 10 + number, what)
        assert len(jobs) == 3 * len(TARGETS) + 1 + 6 + 3 + 1
        failed = {job.name: job.failed for job in jobs.values() if job.failed}
        report = jobs["report"]
        assert "secret-token" not in report.output
        return failed, report.summary, report.output

    failed, summary, output = night(1)
    assert failed == {}, output
    assert summary.startswith("# Coverage: ") and "nothing is compared" in output
    assert "run 1 has no night" in output and "run 2" not in output

    failed, summary, output = night(2, broken=[BROKEN_SHARD])
    assert failed == {"docker-26.9 2/3": ["Regression"]}, output
    first, _, second, *_ = summary.splitlines()
    assert first.startswith("# nothing regressed since 2026-11-01 02:2")
    assert second == "> docker 26.9.2.1 is incomplete: shard 2/3 is missing."
    assert github.read("issues") == []

    failed, summary, output = night(3, failing=[["embedded", "26.7", names[1]]])
    assert failed == {
        "embedded-26.7 2/3": ["Regression"],
        "report": ["Compare with the night before"],
    }
    first, _, second, third, *_ = summary.splitlines()
    assert first.startswith("# 1 regressed since 2026-11-02 02:2")
    assert second.startswith(
        f"- `{names[1]}` verified → failing on embedded 26.7.2.1 rows differ — *"
    )
    assert "passed on 2026-11-02 02:2" in second
    assert third == "", "nothing else regressed"
    (issue,) = github.read("issues")
    assert second in issue["texts"][0] and "/actions/runs/13" in issue["texts"][0]
    history = github.folder / "artifacts" / "13" / "night" / "history.html"
    assert all(f"2026-11-0{number}" in history.read_text() for number in (1, 2, 3))


def test_nights_without_an_environment_are_told(
    project: Path, template: Path, tmp_path: Path
) -> None:
    """First that of the images has no result, then none has."""
    github = GitHub(tmp_path / "github", project)
    shards = [
        [name, f"{number}/3"] for name in ("docker", "embedded", "binary") for number in (1, 2, 3)
    ]
    summaries = []
    for number, broken in enumerate([[], shards[:3], shards], start=1):
        world = {"night": number, "template": str(template), "broken": broken, "failing": []}
        summaries.append(github.execute("nightly.yml", number, world)["report"].summary)
    assert "docker" in "".join(summaries[1].splitlines()[:4]), summaries[1]
    texts = "".join(text for issue in github.read("issues") for text in issue["texts"])
    assert "There is no result of this night" in texts and "/actions/runs/3" in texts


def test_an_open_issue_gets_a_comment(project: Path, template: Path, tmp_path: Path) -> None:
    names = [scenario["name"] for scenario in json.loads(template.read_text())["scenarios"]]
    github = GitHub(tmp_path / "github", project)
    for number, failing in enumerate([[], names[:1], names[:2]], start=1):
        world = {"night": number, "template": str(template), "broken": []}
        world["failing"] = [["docker", None, name] for name in failing]
        github.execute("nightly.yml", number, world)
    (issue,) = github.read("issues")
    assert len(issue["texts"]) == 2
    assert names[1] in issue["texts"][1] and names[0] not in issue["texts"][1]


@pytest.mark.parametrize(
    ("condition", "failed", "chosen"),
    [
        ("success()", True, False),
        ("matrix.a == 'x'", True, False),
        ("matrix.a == 'x'", False, True),
        ("always()", True, True),
        ("${{ !cancelled() }}", True, True),
        ("${{ failure() && steps.b.outcome == 'failure' }}", True, True),
        ("${{ failure() && steps.c.outcome == 'failure' }}", True, False),
    ],
)
def test_conditions(condition: str, failed: bool, chosen: bool) -> None:
    contexts = {"matrix": {"a": "x"}, "steps": {"b": {"outcome": "failure"}}}
    assert holds(condition, contexts, failed=failed) is chosen
    assert filled("${{ matrix.a }}/3", contexts, failed=False) == "x/3"
