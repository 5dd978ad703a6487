"""What a scenario leaves running is found, reported and ended, and what it prints has a limit."""

from __future__ import annotations

from pathlib import Path

from helpers.runner.supervisor.worker_output import HALF
from tests.processes import is_alive
from tests.runner.suite import Suite

LEAVES = """
import subprocess
from pathlib import Path


def leave(file):
    # In a session of its own, and orphaned: no process group and no parent leads to it.
    subprocess.run(["setsid", "--fork", "sh", "-c", f"echo $$ > {{file}}; sleep 300; true"], check=True)
    this().eventually(lambda: Path(file).exists() and Path(file).read_text().strip())


@TestScenario
def leaves(self):
    with Then("it answers"):
        assert this().node().value("SELECT 1") == 1, error()
    leave({folder!r} + "/leaves")


@TestScenario
def leaves_a_child(self):
    with Then("it answers"):
        assert this().node().value("SELECT 1") == 1, error()
    Path({folder!r} + "/child").write_text(str(subprocess.Popen(["sleep", "300"]).pid))


@TestScenario
def ends_what_it_starts(self):
    with Then("it answers"):
        assert this().node().value("SELECT 1") == 1, error()
    subprocess.run(["setsid", "--fork", "sleep", "0.2"], check=True)


@TestScenario
@time_limit(4)
def leaves_and_hangs(self):
    leave({folder!r} + "/hangs")
    with Then("it hangs"):
        import time
        time.sleep(300)
"""
PRINTS = """
@TestScenario
def prints(self):
    print("the first line", flush=True)
    for number in range(100):
        print("x" * 100_000, flush=True)
    print("the last line", flush=True)
    with Then("it answers"):
        assert this().node().value("SELECT 1") == 1, error()
"""


def test_processes_left_behind(suite: Suite, tmp_path: Path) -> None:
    suite.write(LEAVES.format(folder=str(tmp_path)))
    ended = suite.run("--workers", "1", REGRESSION_TIMEOUT_FACTOR="1")
    assert ended.code == 1
    pids = {name: int((tmp_path / name).read_text()) for name in ("leaves", "child", "hangs")}
    assert not any(map(is_alive, pids.values()))
    left = ended.scenario("leaves")
    assert left["result"] == "Error"
    assert left["reason"].startswith("left running, and ended now: ")
    assert f"{pids['leaves']} sh -c echo" in left["reason"] and "sleep 300" in left["reason"]
    child = ended.scenario("leaves a child")
    assert child["result"] == "Error" and f"{pids['child']} sleep 300" in child["reason"]
    assert ended.scenario("ends what it starts")["result"] == "OK"
    hangs = ended.scenario("leaves and hangs")
    assert "ran out of time" in hangs["reason"]
    assert f"it left running: {pids['hangs']} sh -c" in hangs["reason"]


def test_output_has_a_limit(suite: Suite) -> None:
    suite.write(PRINTS)
    ended = suite.run("--workers", "1")
    assert ended.code == 0, ended.out + ended.err
    text = (ended.results / "latest/worker-1.out").read_text()
    assert 2 * HALF < len(text) < 2 * HALF + 100
    assert text.startswith("the first line\n") and text.endswith("\nthe last line\n")
    assert " bytes left out …\n" in text


DIES = """
@TestScenario
@time_limit(300)
def dies(self):
    import os, signal
    with Then("a server runs, and its worker is killed"):
        assert this().node().value("SELECT 1") == 1, error()
        os.kill(os.getpid(), signal.SIGKILL)

@TestScenario
def looks(self):
    import os
    from pathlib import Path
    from pipelines.system.processes import children
    def defunct():
        states = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
                  for pid in children(os.getppid())]
        return states.count("Z")
    with Then("the processes of the killed worker are collected"):
        this().eventually(lambda: defunct() == 0, timeout=10)
"""


def test_what_a_killed_worker_had_started_does_not_stay_defunct(suite: Suite) -> None:
    suite.write(DIES)
    ended = suite.run("--workers", "1")
    assert ended.scenario("dies")["result"] == "Error"
    assert ended.scenario("looks")["result"] == "OK", ended.out
