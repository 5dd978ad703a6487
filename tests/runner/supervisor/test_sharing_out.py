"""Who gets which scenario: Spark stays with one worker, and nobody leaves while work may still come."""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from tests.runner.suite import Suite
from tests.sensitivity.conftest import Sabotaged

WITH_SPARK = "@needs(Capability.SPARK)"
DIES_ONCE = """
    import signal
    from pathlib import Path
    mark = Path({mark!r})
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
"""
# Whoever ran it before waits for another worker, which a busy machine starts slowly.
WAITS_FOR_ANOTHER = """
    from pathlib import Path
    file, deadline = Path({file!r}), time.monotonic() + 90
    while file.exists() and set(file.read_text().split()) == {{str(os.getpid())}}:
        assert time.monotonic() < deadline, "no other worker has come"
        time.sleep(0.05)
"""


def scenario(
    name: str, folder: Path, *, seconds: float = 0.0, marks: str = "", body: str = ""
) -> str:
    """A scenario that writes down which process ran it."""
    return f"""
@TestScenario
{marks}
@Requirements(Requirement("RQ.One", "1.0"))
def {name}(self):
    import os, time
{textwrap.indent(textwrap.dedent(body), "    ")}
    with open({str(folder / name)!r}, "a") as who:
        who.write(f"{{os.getpid()}}\\n")
    time.sleep({seconds})
    with Then("two and two are four"):
        assert this().node().value("SELECT 2 + 2") == 4, error()
"""


def who(folder: Path, *names: str) -> list[int]:
    """The processes that ran these scenarios."""
    return [int(pid) for name in names for pid in (folder / name).read_text().split()]


def test_what_needs_spark_is_done_by_one_worker(suite: Suite, tmp_path: Path) -> None:
    suite.write(
        scenario("first", tmp_path, seconds=4, marks=WITH_SPARK)
        + scenario("second", tmp_path, marks=WITH_SPARK)
        + scenario("other", tmp_path)
        + scenario("third", tmp_path, marks=WITH_SPARK)
    )
    ended = suite.run("--workers", "2")
    assert ended.code == 0, ended.out + ended.err
    with_spark = who(tmp_path, "first", "second", "third")
    assert len(with_spark) == 3 and len(set(with_spark)) == 1
    assert set(who(tmp_path, "other")).isdisjoint(with_spark)


def test_the_worker_with_spark_takes_what_needs_it_first(suite: Suite, tmp_path: Path) -> None:
    """Else the others idle in the end, while one worker goes through what only it may do."""
    suite.write(
        "".join(scenario(f"other_{number}", tmp_path) for number in range(4))
        + scenario("last", tmp_path, marks=WITH_SPARK + "\n@time_limit(30)")
    )
    ended = suite.run("--workers", "1")
    assert ended.code == 0, ended.out + ended.err
    order = sorted(tmp_path.iterdir(), key=lambda file: file.stat().st_mtime_ns)
    names = [file.name for file in order if file.is_file() and file.name in ("last", "other_0")]
    assert names == ["last", "other_0"]


def test_another_worker_takes_over_when_the_one_with_spark_dies(
    suite: Suite, tmp_path: Path
) -> None:
    dies = DIES_ONCE.format(mark=str(tmp_path / "died"))
    suite.write(
        scenario("first", tmp_path, marks=WITH_SPARK, body=dies)
        + scenario("second", tmp_path, marks=WITH_SPARK)
        + scenario("other", tmp_path)
    )
    ended = suite.run("--workers", "2")
    assert ended.code == 1
    assert "killed by SIGKILL" in ended.scenario("first")["reason"]
    assert ended.scenario("second")["result"] == ended.scenario("other")["result"] == "OK"


@pytest.mark.parametrize("beside", ["", "quick"])
def test_what_comes_late_is_shared_too(tmp_path: Path, beside: str) -> None:
    """While one scenario is at work there is nothing else to do; then come all its mutants."""
    sabotaged = Sabotaged(tmp_path)
    waits = WAITS_FOR_ANOTHER.format(file=str(tmp_path / "slow"))
    slow = scenario("slow", tmp_path, seconds=1, body=waits)
    sabotaged.write(slow + (scenario(beside, tmp_path) if beside else ""))
    lie = """
@mutant(violates=["RQ.One"])
def wrong(statement):
    '''Sums are wrong.'''
    return statement.respond([(5,)]) if "2 + 2" in statement.sql else statement.execute()
"""
    sabotaged.mutants("".join(re.sub("wrong", f"wrong_{number}", lie) for number in range(4)))
    ended = sabotaged.run("--workers", "2", REGRESSION_TIMEOUT_FACTOR="5")
    assert ended.code == 0, ended.out + ended.err
    assert len(set(who(tmp_path, "slow"))) == 2
