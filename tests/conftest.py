"""What all tests have in common: which of them share a worker; what they start can be interrupted."""

from __future__ import annotations

import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from _pytest.nodeid import NodeId

from tests.runner.suite import Suite


@pytest.hookimpl(wrapper=True, tryfirst=True)  # around pytest-xdist, which reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Iterator[None]:
    """Tests that share what is expensive run in one worker, which makes it; not in each of them.

    That is a fixture of their module, or the browser of all tests that look at a page.
    """
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("browser"))
            continue
        definitions = getattr(item, "_fixtureinfo").name2fixturedefs.values()  # noqa: B009
        shares = any(fixture.scope == "module" for group in definitions for fixture in group)
        if shares and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.path.stem))
    yield
    # pytest-xdist 3.8 writes the group behind a name that pytest 9.2 does not read any more, and then spreads
    # the tests of a group over all workers (https://github.com/pytest-dev/pytest-xdist/issues/1386).
    for item in items:
        if named := vars(item).get("_nodeid"):
            item._id = NodeId.parse(named)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """A test is named without its group, as `--last-failed` and whoever runs it again need it."""
    test, at, group = report.nodeid.rpartition("@")
    if hasattr(report, "node") and at and "]" not in group:  # of a worker
        report.nodeid = test


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Processes that a test starts heed signals, also where this one was started with them ignored.

    `nohup ./test &` and many CI runners do so, and a child inherits it.
    """
    usual: dict[signal.Signals, Any] = {
        signal.SIGINT: signal.default_int_handler,
        signal.SIGHUP: signal.SIG_DFL,
    }
    for number, handler in usual.items():
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, handler)


@pytest.fixture(autouse=True)
def same_handlers() -> Iterator[None]:
    """What a test did to the handlers of signals is undone."""
    previous = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGHUP)}
    yield
    for number, handler in previous.items():
        signal.signal(number, handler)


@pytest.fixture
def suite(tmp_path: Path) -> Iterator[Suite]:
    """A folder of scenarios. Its modules are forgotten afterwards, so that no test sees another one's."""
    suite = Suite(tmp_path)
    yield suite
    for name in [name for name in sys.modules if name.partition(".")[0] == suite.folder.name]:
        del sys.modules[name]
    if str(tmp_path) in sys.path:
        sys.path.remove(str(tmp_path))
