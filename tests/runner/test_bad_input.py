"""Bad input: one clear line that says what and what to do, exit code 2 or 3, never a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.base.paths import ROOT
from helpers.cli.main import main
from helpers.cli.options.run import parser
from helpers.runner.options import checked
from tests.runner.suite import Suite, scenario_text

CHECK = 'assert this().node().value("SELECT 1") == 1, error()'
GOOD = scenario_text("rows_are_kept", "it answers", CHECK, requirement="RQ.Example")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--only", "/nothing/*"], "matches no scenario"),
        (["--only", "/feature/topc/*"], "'/feature/topic'"),
        (["--skip", "/nothing"], "matches no scenario"),
        (["--skip", "/feature"], "leaves nothing"),
        (["--requirement", "RQ.Exampel"], "'RQ.Example'"),
        (["--requirement", "RQ.SRS-101*"], "no scenario that could run verifies it"),
        (["--env", "embeded"], "'embedded'"),
        (["--clickhouse-version", "19.1"], "26.9.0"),
        (["--clickhouse-version", "latest"], "is not a version"),
        (["--workers", "0"], "--workers '0'"),
        (["--workers", "many"], "--workers 'many'"),
        (["--seed", "0x7"], "--seed '0x7'"),
        (["--seed", "-1"], "--seed '-1'"),
        (["--timeout", "soon"], "--timeout 'soon'"),
        (["--results", "/proc/nowhere"], "--results"),
        (["--spark-master", "spark:/host"], "--spark-master"),
        (["--spark-master", "local[0]"], "--spark-master: 'local[0]' is no Spark master"),
        (["--spark-master", "local-cluster[2]"], "--spark-master: 'local-cluster[2]'"),
        (["--only", ""], "argument --only: it was given an empty text"),
        (["--only", "/feature", ""], "argument --only: it was given an empty text"),
        (["--repeat", ""], "argument --repeat: it was given an empty text"),
        (["--results="], "argument --results: it was given an empty text"),
        (["--log", "/nowhere/run.log"], "--log /nowhere/run.log: a file cannot be written there"),
        (["--log", "/tmp"], "--log /tmp: a file cannot be written there"),
        (["--log", "x", "--clickhouse-version", "26.9,26.7"], "--log is the log of one run"),
        (["reqirements"], "'requirements'"),
    ],
)
def test_options(
    suite: Suite, options: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.write(GOOD)
    given = suite.command()[3:] if "--" in options[0] else []
    assert main([*given, *options]) == 2
    captured = capsys.readouterr()
    assert expected in captured.err
    assert len(captured.err.strip().splitlines()) == 1
    assert not suite.results.exists()


@pytest.mark.parametrize(
    "master",
    ["local[*]", "local-cluster[2,1,512]", "spark://host:7077", "yarn", "k8s://https://host"],
)
def test_every_master_that_spark_knows_is_accepted(master: str) -> None:
    assert checked(parser().parse_args(["--spark-master", master])).spark_master == master


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("def broken(:\n", "topic.py:6"),
        ("import no_such_module\n", "topic.py:6: this scenario file cannot be loaded"),
        ("x = 1 / 0\n", "ZeroDivisionError"),
        (
            "import sys\nsys.exit(0)\n",
            "topic.py:7: this scenario file cannot be loaded: SystemExit: 0",
        ),
        ("exit()\n", "topic.py:6: this scenario file cannot be loaded: SystemExit"),
        ("class Odd(BaseException): ...\nraise Odd('why')\n", "topic.py:7"),
        ("raise GeneratorExit\n", "topic.py:6"),
        ("raise KeyboardInterrupt\n", "topic.py:6"),
        ("\n@needs('replication')\ndef one(self): ...\n", "not a capability"),
        (
            GOOD + GOOD.replace("def rows_are_kept", '@Name("rows are kept")\ndef other'),
            "two scenarios",
        ),
        (GOOD.replace("def rows", '@Name("rows: kept")\ndef rows'), "'rows: kept'"),
    ],
)
def test_scenario_files(
    suite: Suite, body: str, expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.write(body)
    assert main([*suite.command()[3:], "--list"]) == 2
    errors = capsys.readouterr().err
    assert expected in errors and len(errors.strip().splitlines()) == 1


def test_a_scenario_file_that_ends_the_program_fails_a_run(suite: Suite) -> None:
    suite.write(GOOD)
    suite.write("import sys\nsys.exit(0)\n", topic="ends")
    ended = suite.run()
    assert (ended.code, ended.out) == (2, "")
    assert f"{suite.folder}/feature/ends.py:7: this scenario file cannot be loaded" in ended.err


def test_a_file_of_mutants_that_ends_the_program(
    suite: Suite, capsys: pytest.CaptureFixture[str]
) -> None:
    suite.write(GOOD)
    (suite.folder / "feature" / "mutants").mkdir()
    (suite.folder / "feature" / "mutants" / "rows.py").write_text("import sys\nsys.exit(0)\n")
    assert main([*suite.command()[3:], "--mutant", "wrong-sum"]) == 2
    errors = capsys.readouterr().err
    assert "mutants/rows.py:2: this scenario file cannot be loaded: SystemExit: 0" in errors


def test_no_scenarios_at_all(suite: Suite, capsys: pytest.CaptureFixture[str]) -> None:
    command = [*suite.command()[3:], "--list"]
    assert main(command) == 2
    assert "There is no folder of scenarios" in capsys.readouterr().err
    suite.folder.mkdir()
    assert main(command) == 2
    assert "no scenarios below" in capsys.readouterr().err


def test_a_factor_that_is_none(suite: Suite) -> None:
    suite.write(GOOD)
    ended = suite.run(REGRESSION_TIMEOUT_FACTOR="fast")
    assert (ended.code, ended.out) == (2, ""), "it is refused before a run begins"
    assert "REGRESSION_TIMEOUT_FACTOR='fast'" in ended.err


def test_an_engine_that_will_not_load(suite: Suite, tmp_path: Path) -> None:
    """The servers do not come up: exit code 3, and the report says that nothing ran."""
    suite.write(GOOD)
    fake = tmp_path / "fake" / "chdb"
    fake.mkdir(parents=True)
    (fake / "__init__.py").touch()
    (fake / "_chdb.abi3.so").write_bytes(b"not a library")
    ended = suite.run(PYTHONPATH=str(fake.parent))
    assert ended.code == 3, ended
    assert "did not come up" in ended.err
    assert "Traceback (most" not in ended.err.partition("Its last output")[0]
    assert ended.scenario("rows are kept")["result"] == "NotRun"
    assert ended.document["run"]["exit_code"] == 3


@pytest.mark.parametrize("size", ["40k", "200k"], ids=["no room for a server", "nor for a report"])
def test_a_full_disk(suite: Suite, tmp_path: Path, size: str) -> None:
    suite.write(GOOD)
    small = tmp_path / "small"
    small.mkdir()
    mount = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(small)], capture_output=True
    )
    if mount.returncode != 0:
        pytest.skip("mounting a small disk is not permitted here")
    try:
        ended = suite.run("--results", str(small))
        assert ended.code == 3, ended
        assert "Traceback (most" not in ended.err.partition("Its last output")[0]
        assert "disk" in ended.err or "No space left" in ended.err
    finally:
        # Lazily: a server that was killed may need a moment to be gone.
        subprocess.run(["umount", "--lazy", str(small)], check=True)


def test_results_that_cannot_be_written(suite: Suite, tmp_path: Path) -> None:
    suite.write(GOOD)
    (tmp_path / "file").touch()
    ended = suite.run("--results", str(tmp_path / "file" / "below"))
    assert ended.code == 2
    assert "--results" in ended.err


@pytest.mark.parametrize("command", [["--help"], ["--plan"], ["--list"], ["sensitivity", "--list"]])
def test_a_terminal_that_knows_only_ascii(suite: Suite, command: list[str]) -> None:
    suite.write(GOOD)
    (suite.folder / "feature" / "mutants").mkdir()
    (suite.folder / "feature" / "mutants" / "rows.py").write_text(
        "from helpers.sensitivity.mutant import mutant\n\n\n@mutant(violates=['RQ.Example'])\n"
        "def wrong_answer(statement):\n    '''Says … too much.'''\n    return statement.execute()\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "helpers.cli.main", *command, "--scenarios", str(suite.folder)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.isascii()
    if command != ["--list"]:
        assert "\\u" in done.stdout


def test_help_teaches() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "helpers.cli.main", "--help"],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0
    for expected in ("--only", "--requirement", "exit codes", "coverage", "results/latest"):
        assert expected in done.stdout


def test_a_reader_that_leaves_early(suite: Suite) -> None:
    suite.write("".join(GOOD.replace("rows_are_kept", f"rows_{number}") for number in range(3000)))
    ended = suite.run("--list")
    assert ended.code == 0 and len(ended.out.splitlines()) == 3000
    reading, writing = os.pipe()
    os.close(reading)
    early = subprocess.run(
        suite.command("--list"), cwd=ROOT, stdout=writing, stderr=subprocess.PIPE
    )
    os.close(writing)
    assert b"Traceback" not in early.stderr
