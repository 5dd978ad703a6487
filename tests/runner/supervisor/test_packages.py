"""Packages that are installed while a run goes on: what needs them waits, the rest does not."""

from __future__ import annotations

import ast
import subprocess
import sys
import textwrap
from pathlib import Path

from helpers.base.paths import ROOT
from helpers.runner.changes import Sources
from helpers.runner.discovery import load
from helpers.runner.supervisor.packages import NEEDED_BY
from pipelines.system.processes import children
from pipelines.system.waiting import poll
from tests.processes import is_alive
from tests.runner.suite import SECONDS, Ended, Suite, scenario_text
from tests.runner.supervisor.test_sharing_out import scenario, who

# Stands for the set-up: it ends when the file `gate` is there, with the exit code that is in it.
INSTALLER = """
import pathlib, sys, time
gate = pathlib.Path(sys.argv[1])
gate.with_name("installer").write_text(str(__import__("os").getpid()))
while not gate.exists():
    time.sleep(0.05)
code = int(gate.read_text())
print("later.py: set-up failed: no network" if code else "ready")
sys.exit(code)
"""
PROGRAM = """
import sys
from helpers.cli.main import program
from helpers.setup import later
later.are_missing = lambda: True
later.COMMAND = (sys.executable, "-c", {installer!r}, {gate!r})
sys.exit(program())
"""
OF_SPARK = {"pyspark", "py4j", "pyarrow", "pandas", "numpy"}
NEEDS = "@needs(Capability.PYARROW)"


def run(suite: Suite, folder: Path, *options: str) -> Ended:
    """A run in an environment that seems to lack the packages."""
    text = PROGRAM.format(installer=INSTALLER, gate=str(folder / "gate"))
    given = suite.command(*options)[3:]
    command = [sys.executable, "-c", text, *given]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=SECONDS)
    return Ended(done.returncode, done.stdout, done.stderr, suite.results)


def opens(folder: Path, code: int) -> str:
    """The body of a scenario that lets the installation end."""
    return f"from pathlib import Path\nPath({str(folder / 'gate')!r}).write_text('{code}')"


def test_what_needs_them_waits_and_the_rest_does_not(suite: Suite, tmp_path: Path) -> None:
    suite.write(
        scenario("a", tmp_path, marks=NEEDS)
        + scenario("b", tmp_path, body=opens(tmp_path, 0))
        + scenario("c", tmp_path)
    )
    ended = run(suite, tmp_path, "--workers", "1")
    assert ended.code == 0, ended.out + ended.err
    assert "Spark is needed by 1 of them" in ended.out
    order = [line.rpartition("/")[2] for line in ended.out.splitlines() if line.startswith("[")]
    assert order.index("b") < order.index("a"), order
    assert len(who(tmp_path, "a", "b", "c")) == 3


def test_packages_that_do_not_come_fail_the_run_after_the_rest(
    suite: Suite, tmp_path: Path
) -> None:
    suite.write(
        scenario("a", tmp_path, marks=NEEDS) + scenario("b", tmp_path, body=opens(tmp_path, 3))
    )
    ended = run(suite, tmp_path, "--workers", "1")
    assert ended.code == 3
    assert "could not be installed: set-up failed: no network" in ended.err
    assert ended.scenario("b")["result"] == "OK"
    assert ended.scenario("a")["result"] == "NotRun"


def test_a_run_that_is_over_ends_the_installation(suite: Suite, tmp_path: Path) -> None:
    fails = scenario_text("b", "it holds", "assert False, error()")
    suite.write(scenario("a", tmp_path, marks=NEEDS) + textwrap.dedent(fails))
    ended = run(suite, tmp_path, "--workers", "1", "--fail-fast")
    assert ended.code == 1
    installer = int((tmp_path / "installer").read_text())
    assert poll(lambda: not is_alive(installer) and not children(installer), 10)


def test_nothing_is_installed_for_a_run_without_need(suite: Suite, tmp_path: Path) -> None:
    suite.write(scenario("b", tmp_path))
    ended = run(suite, tmp_path)
    assert ended.code == 0, ended.out + ended.err
    assert "Spark" not in ended.out and not (tmp_path / "installer").exists()


def imports_spark(sources: Sources, module: str, name: str) -> bool:
    """Whether a top-level name imports one of Spark's packages when it is used."""
    node = sources.node(module, name)
    inner = ast.walk(node) if node is not None else ()
    words = [
        word
        for each in inner
        if isinstance(each, ast.Import | ast.ImportFrom)
        for word in (
            [each.module] if isinstance(each, ast.ImportFrom) else [a.name for a in each.names]
        )
    ]
    return any((word or "").partition(".")[0] in OF_SPARK for word in words)


def test_what_uses_a_package_of_spark_says_so() -> None:
    """Else it would run before they are installed."""
    sources = Sources(ROOT)
    silent = [
        scenario.name
        for scenario in load(ROOT / "scenarios")
        if NEEDED_BY.isdisjoint(scenario.marks.needs)
        and any(imports_spark(sources, *name) for name in sources.used_by(sources.entry(scenario)))
    ]
    assert silent == []
