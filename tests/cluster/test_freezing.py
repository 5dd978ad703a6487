"""What is frozen stands still from that moment on, on a busy machine too."""

from __future__ import annotations

import signal
import sys
from pathlib import Path

from helpers.cluster.processes import process
from tests.cluster.conftest import soon

THREADS = 16
# Threads that are all awake now and then, as those of a server are.
BUSY = f"""
import threading, time
def work():
    while True:
        time.sleep(0.0005)
for _ in range({THREADS - 1}):
    threading.Thread(target=work, daemon=True).start()
work()
"""


def states(pid: int) -> list[str]:
    """What the kernel says of each thread; T is stopped."""
    tasks = Path(f"/proc/{pid}/task").iterdir()
    return [(task / "stat").read_text().rpartition(")")[2].split()[0] for task in tasks]


def test_every_thread_stands_still_as_soon_as_a_process_is_frozen(tmp_path: Path) -> None:
    child = process.start([sys.executable, "-c", BUSY], cwd=tmp_path, output=tmp_path / "output")
    try:
        assert soon(lambda: len(states(child.pid)) == THREADS, 30)
        for _ in range(50):
            child.signal(signal.SIGSTOP)
            assert states(child.pid) == ["T"] * THREADS
            child.signal(signal.SIGCONT)
            assert soon(lambda: "T" not in states(child.pid), 30)
    finally:
        child.kill()


def test_freezing_what_has_ended_is_no_error(tmp_path: Path) -> None:
    child = process.start([sys.executable, "-c", ""], cwd=tmp_path, output=tmp_path / "output")
    assert child.wait(30)
    child.signal(signal.SIGSTOP)
    assert child.ending == "ended with exit code 0"
