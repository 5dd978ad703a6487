"""Options that people know from TestFlows and pytest: they work, or what to use instead is said."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from helpers.base.paths import ROOT
from helpers.cli.main import main
from helpers.cli.options.other_tools import INSTEAD
from helpers.cli.options.run import parser
from helpers.runner.folder import LATEST, LOCK, prune
from helpers.runner.options import checked
from tests.runner.suite import Suite

BODY = """
@TestScenario
@Requirements(Requirement("RQ.Example", "1.0"))
def good(self):
    with When("I ask"):
        answer = this().node().value("SELECT 1")
    with Then("it answers"):
        assert answer == 1, error()


@TestScenario
def bad(self):
    with Then("it is two"):
        assert this().node().value("SELECT 1") == 2, error()


@TestScenario
@needs(Capability.REPLICATION)
def blocked(self):
    with Then("never reached"):
        assert False, error()
"""

REFUSED = """
@TestScenario
def in_a_step(self):
    with When("I ask nonsense"):
        this().node().query("SELECT nonsense_column")
    with Then("never reached"):
        assert False, error()


@TestScenario
def beside_steps(self):
    with Then("it answers"):
        assert this().node().value("SELECT 1") == 1, error()
    this().node().query("SELECT nonsense_column")
"""


@pytest.fixture
def two(suite: Suite) -> Suite:
    suite.write(BODY)
    return suite


def _transformed(log: Path, form: str) -> str:
    """A log as TestFlows' own tool shows it."""
    tool = Path(sys.executable).parent / "tfs"
    done = subprocess.run(
        [sys.executable, tool, "--no-colors", "transform", form, log],
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_last_failed_log_and_styles(two: Suite, tmp_path: Path) -> None:
    log = tmp_path / "run.log"
    first = two.run("--workers", "2", "-o", "dots", "--log", str(log))
    assert first.code == 1
    assert sorted(first.out.splitlines()[1]) == [".", "F", "s"], first.out
    assert "Not as expected:" in first.out
    for form, expected in {"nice": "/regression/feature/topic/bad", "short": "2 scenarios"}.items():
        assert expected in _transformed(log, form)
    again = two.run("--last-failed", "-o", "short")
    assert again.code == 1
    assert [entry["name"] for entry in again.document["scenarios"]] == ["/feature/topic/bad"]
    assert "[1/1] Fail" in again.out
    short = two.run("--only", "*/good", "-o", "short")
    assert short.code == 0 and "good" not in short.out, "only failures are shown"
    nothing = two.run("--last-failed")
    assert nothing.code == 2
    assert "nothing that is still here failed in the run" in nothing.err


def test_a_refused_query_is_an_error_in_the_log_of_testflows_too(
    suite: Suite, tmp_path: Path
) -> None:
    suite.write(REFUSED)
    log = tmp_path / "run.log"
    assert suite.run("--log", str(log)).code == 1
    shown = _transformed(log, "nice")
    for scenario in ("in a step", "beside steps"):
        assert re.search(rf"\[ +Error +\] '?/regression/feature/topic/{scenario}", shown), shown
    assert "[   Fail" not in shown and "[  Fail" not in shown, shown
    assert "node1 refused the query with code 47" in shown


def test_debug_shows_steps_and_statements(two: Suite) -> None:
    ended = two.run("--workers", "1", "--debug", "--only", "*/good", "*/blocked")
    assert ended.code == 0
    for expected in ("  1| When I ask\n", "  1| node1: SELECT 1\n", "  1| Then it answers\n"):
        assert expected in ended.out
    assert ended.out.index("When I ask") < ended.out.index("node1: SELECT 1")


def test_pause_on_fail_keeps_the_servers(two: Suite) -> None:
    run = subprocess.Popen(
        two.command("--pause-on-fail", "--only", "*/bad"),
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert run.stdin is not None and run.stdout is not None
    lines = []
    for line in run.stdout:
        lines.append(line)
        if "Press Enter" in line:
            break
    output = "".join(lines)
    address = re.search(r"http://(\w+):(\w+)@(127\.0\.0\.1:\d+)/\?database=(\w+)&query=", output)
    assert address is not None, (output, run.stderr and run.poll())
    user, password, server, database = address.groups()
    query = f"http://{server}/?database={database}&query=SELECT+currentDatabase()"
    request = urllib.request.Request(
        query, headers={"X-ClickHouse-User": user, "X-ClickHouse-Key": password}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        assert answer.read().decode().strip() == database
    assert run.poll() is None
    out, err = run.communicate("\n", timeout=120)
    assert run.returncode == 1, (out, err)
    assert "Fail  /feature/topic/bad" in out


def test_pause_on_fail_without_input_goes_on(two: Suite) -> None:
    with Path("/dev/null").open() as nothing:
        done = subprocess.run(
            two.command("--pause-on-fail", "--only", "*/bad"),
            cwd=ROOT,
            stdin=nothing,
            capture_output=True,
            text=True,
            timeout=300,
        )
    assert done.returncode == 1, done.stderr
    assert "Its servers are running" in done.stdout


def test_commit_version_and_repository_are_in_the_results(two: Suite) -> None:
    ended = two.run("--only", "*/good", "--repository", "https://example.com/project/")
    facts = ended.document["run"]
    head = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    assert facts["commit"].removesuffix("-changed") == head.stdout.strip()
    assert facts["version"] == "0.1.0"
    assert facts["engine"] == "chdb-core 26.9.0"
    assert f"ClickHouse {facts['clickhouse']} (out of chdb-core 26.9.0)." in ended.out
    assert facts["repository"] == "https://example.com/project"


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["-x"], "There is no -x here: use --fail-fast."),
        (["-k", "word"], "use --only '*word*'"),
        (["--first-fail"], "use --fail-fast"),
        (["--parallel=on"], "There is no --parallel here: use --workers N."),
        (["--junitxml=x"], "results/latest/junit.xml"),
        (["--rerun", "fails"], "use --last-failed"),
        (["--clickhouse-binary-path", "x"], "use --clickhouse PATH"),
        (["--onyl", "x"], "Did you mean '--only'"),
        (["--workers"], "expected one argument"),
        (["-o", "slick"], "live, classic, short, dots"),
        (["--repeat", "2", "--retry", "1"], "only one"),
        (["--repeat", "0"], "--repeat '0'"),
        (["--retry", "x"], "--retry 'x'"),
        (["--keep-runs", "0"], "--keep-runs '0'"),
        (["--repository", "git@example.com:x"], "--repository"),
        (["sensitivity", "--bar", "x"], "--bar: 'x' is not a number from 0 to 100"),
        (["-vv"], "There is no -vv here: use --debug"),
        (["--version"], "There is no --version here: results.json names version and commit"),
        (["help"], "./regression.py --help shows what there is"),
        (["export"], "An export needs --source"),
        (["sensitivity", "--repeat", "2"], "without 'sensitivity'"),
    ],
)
def test_bad_options_say_what_to_do(
    options: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(options) == 2
    errors = capsys.readouterr().err
    assert expected in errors and len(errors.splitlines()) == 1


def test_no_option_that_exists_is_answered_with_another() -> None:
    known = parser()._option_string_actions
    assert not set(INSTEAD) & set(known)
    for advice in INSTEAD.values():
        for option in re.findall(r"use (--?[\w-]+)", advice):
            assert option in known, option


def test_patterns_after_one_option() -> None:
    options = checked(parser().parse_args(["--only", "a", "b", "--only", "c", "--skip", "d"]))
    assert (options.only, options.skip) == (["a", "b", "c"], ["d"])


@pytest.mark.parametrize(
    "ci", [{}, {"GITHUB_REPOSITORY": "one/two"}, {"REGRESSION_REPOSITORY": "https://x/y"}]
)
def test_where_the_repository_is(ci: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("GITHUB_REPOSITORY", "GITHUB_SERVER_URL", "REGRESSION_REPOSITORY"):
        monkeypatch.delenv(name, raising=False)
    for name, value in ci.items():
        monkeypatch.setenv(name, value)
    expected = {"one/two": "https://github.com/one/two", "https://x/y": "https://x/y"}
    repository = checked(parser().parse_args([])).repository
    assert repository == (expected[next(iter(ci.values()))] if ci else None)


def run_of(parent: Path, days: float, exit_code: int | None, number: int) -> str:
    """The results of a run that was made so many days ago."""
    started = datetime.now(UTC) - timedelta(days=days)
    folder = parent / f"{started:%Y%m%d-%H%M%S}-{number:04x}"
    folder.mkdir()
    if exit_code is not None:
        document = {"schema": 1, "run": {"exit_code": exit_code}}
        (folder / "results.json").write_text(json.dumps(document))
    return folder.name


def test_old_results_are_removed(tmp_path: Path) -> None:
    newest = [run_of(tmp_path, 0.1 * number, 0, number) for number in range(1, 4)]
    gone = [run_of(tmp_path, 1, 0, 10), run_of(tmp_path, 8, 1, 11), run_of(tmp_path, 9, None, 12)]
    failed = [
        run_of(tmp_path, 2, 1, 13),
        run_of(tmp_path, 6.9, 4, 14),
        run_of(tmp_path, 3, None, 15),
    ]
    running = run_of(tmp_path, 20, 0, 16)
    (tmp_path / running / LOCK).touch()
    latest = run_of(tmp_path, 30, 0, 17)
    (tmp_path / LATEST).symlink_to(latest)
    (tmp_path / "up").mkdir()
    (tmp_path / "mine-and-only-mine").mkdir()
    prune(tmp_path, 3)
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {*newest, *failed, running, latest, LATEST, "up", "mine-and-only-mine"}
    assert not left & set(gone)
