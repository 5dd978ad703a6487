"""Set-ups that are disturbed: killed, interrupted, or started twice."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest

from tests.processes import descendants, is_alive
from tests.setup.conftest import Launch, Project, eventually


@pytest.fixture
def slow(project: Project) -> Project:
    """A project whose set-up stops in the middle of pip's work until the gate is opened."""
    project.pin("tiny==1.0", "slow==1.0")
    return project


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_set_up_leaves_no_process_and_is_repaired(
    slow: Project, number: signal.Signals
) -> None:
    process = slow.start()
    slow.wait_for_build()
    children = descendants(process.pid)
    assert children
    process.send_signal(number)
    interrupted = Launch(process)
    assert interrupted.code == 4
    assert interrupted.err.endswith("interrupted; the next start begins it anew\n")
    eventually(lambda: not any(map(is_alive, children)), 10)

    slow.gate.touch()
    assert slow.launch().answer["versions"] == {"tiny": "1.0", "slow": "1.0"}


def test_a_killed_set_up_is_not_taken_for_a_good_one(slow: Project) -> None:
    process = slow.start()
    slow.wait_for_build()
    process.kill()
    Launch(process)
    debris = slow.venv / "debris"
    debris.touch()

    again = slow.start()
    slow.gate.touch()
    repaired = Launch(again)
    assert repaired.answer["versions"] == {"tiny": "1.0", "slow": "1.0"}
    assert "creating the virtual environment" in repaired.err
    assert not debris.exists()


def test_an_environment_made_by_hand_is_repaired_but_never_emptied(slow: Project) -> None:
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", slow.venv], check=True)
    (slow.venv / "mine").touch()
    process = slow.start()
    slow.wait_for_build()
    process.kill()
    Launch(process)
    [packages] = slow.venv.glob("lib/python*/site-packages")
    half = packages / "tiny-1.0.dist-info"
    half.mkdir()
    (half / "METADATA").write_text("Metadata-Version: 2.1\nName: tiny\nVersion: 1.0\n")
    slow.gate.touch()
    assert slow.launch().answer["versions"] == {"tiny": "1.0", "slow": "1.0"}
    assert (packages / "tiny.py").exists()
    assert (slow.venv / "mine").exists()


def test_two_first_starts_at_once_set_up_once(slow: Project) -> None:
    first = slow.start("first")
    slow.wait_for_build()
    second = slow.start("second")
    assert second.stderr is not None
    assert "waiting for another set-up" in second.stderr.readline()
    slow.gate.touch()
    one, other = Launch(first), Launch(second)
    assert one.answer["arguments"] == ["first"]
    assert other.answer["arguments"] == ["second"]
    assert other.answer["versions"] == {"tiny": "1.0", "slow": "1.0"}
    assert "creating" in one.err
    assert "creating" not in other.err
