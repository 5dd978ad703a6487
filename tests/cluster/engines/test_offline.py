"""Engines that execute scripts on a data folder, and those that cannot be had."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from helpers.cli.main import main
from helpers.cluster.capabilities import Capability, why_not
from helpers.cluster.client.failures import NodeDied, QueryFailed, Unavailable
from helpers.cluster.client.interception import CALLS
from helpers.cluster.client.recording import Recorder
from helpers.cluster.client.tampering import INTERCEPTOR
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.cluster.engines.offline import OfflineEngine, engine_folder
from helpers.cluster.engines.wheels import BY_CLICKHOUSE, OLDEST

NEWEST = "26.9"
TABLE = "CREATE TABLE d.t (i UInt64, s String) ENGINE = MergeTree ORDER BY i"
MADE = ["CREATE DATABASE d ENGINE = Atomic", TABLE, "INSERT INTO d.t VALUES (1, 'it''s'), (2, 'b')"]
READ = "SELECT * FROM d.t ORDER BY i"
ROWS = [("1", "it\\'s"), ("2", "b")]


@pytest.fixture
def engine(tmp_path: Path) -> OfflineEngine:
    folder = tmp_path / "with blanks"
    folder.mkdir()
    return OfflineEngine(NEWEST, folder, Recorder())


@pytest.fixture
def no_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder of engines with nothing in it, and an index that does not answer."""
    monkeypatch.setattr("helpers.cluster.engines.wheels.ENGINES", tmp_path / "engines")
    monkeypatch.setenv("PIP_INDEX_URL", "http://127.0.0.1:9/simple")
    monkeypatch.setenv("PIP_RETRIES", "0")
    monkeypatch.delenv("PIP_FIND_LINKS", raising=False)
    yield tmp_path / "engines"


def test_a_script_and_the_next_one(engine: OfflineEngine) -> None:
    *nothing, rows, version = engine.execute([*MADE, READ, "SELECT version(), 1"])
    assert nothing == [[], [], []] and rows == ROWS
    assert version[0][0].startswith(NEWEST) and version[0][1] == "1"
    assert engine.query(READ) == ROWS, "the next process finds it"
    assert [statement.sql for statement in engine.recorder.statements][:2] == MADE[:2]


def test_a_refusal_names_its_statement(engine: OfflineEngine) -> None:
    with pytest.raises(QueryFailed) as refused:
        engine.execute([*MADE, "SELECT * FROM d.nothing", "DROP TABLE d.t"])
    assert refused.value.code == 60 and refused.value.sql == "SELECT * FROM d.nothing"
    assert engine.query(READ) == ROWS, "what follows a refusal is not executed"


def test_killed_right_after_an_answer(engine: OfflineEngine) -> None:
    engine.execute(MADE)
    engine.execute_and_die(["INSERT INTO d.t VALUES (3, 'c')"])
    assert engine.query(READ) == [*ROWS, ("3", "c")]
    with pytest.raises(QueryFailed):
        engine.execute_and_die(["INSERT INTO d.nothing VALUES (1)"])


def test_an_engine_that_does_not_load(engine: OfflineEngine, tmp_path: Path) -> None:
    (tmp_path / "_chdb.so").touch()
    engine.engine = tmp_path
    with pytest.raises(NodeDied, match="does not load"):
        engine.execute(["SELECT 1"])


def test_statements_can_be_tampered_with(engine: OfflineEngine) -> None:
    INTERCEPTOR.activate(
        lambda statement: (
            statement.acknowledge() if "INSERT" in statement.sql else statement.execute()
        )
    )
    try:
        with CALLS.hidden():
            assert engine.execute([*MADE, READ])[-1] == []
        assert INTERCEPTOR.changes == 1
    finally:
        INTERCEPTOR.activate(None)


def test_it_listens_to_nobody(engine: OfflineEngine) -> None:
    asking: list[Callable[[], object]] = [
        engine.session,
        lambda: engine.background("SELECT 1"),
        lambda: engine.http(""),
    ]
    for ask in asking:
        with pytest.raises(Unavailable, match="listens to nobody"):
            ask()


def test_engines_that_were_not_fetched(no_engines: Path, tmp_path: Path) -> None:
    with EmbeddedCluster(tmp_path / "cluster") as cluster:
        reason = str(why_not(cluster, Capability.EVERY_ENGINE))
        with pytest.raises(Unavailable, match="engines fetch"):
            cluster.offline("24.8")
        oldest = str(why_not(cluster, Capability.OLDEST_ENGINE))
    assert reason.startswith("ClickHouse 24.8, 25.8") and "26.9" not in reason
    assert oldest.startswith("ClickHouse 23.10 not installed")
    assert not no_engines.exists(), "a question fetches nothing"


def test_an_engine_that_cannot_be_fetched(
    no_engines: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What was tried in vain is told where it is missed; it is no error there."""
    assert main(["engines", "fetch", "24.8"]) == 3
    assert "chdb 3.1.2 could not be installed" in capsys.readouterr().out
    assert main(["engines", "list"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "could not be installed" in printed[1] and printed[0].endswith(
        "(./regression.py engines fetch)"
    )
    with EmbeddedCluster(tmp_path / "cluster") as cluster:
        reason = str(why_not(cluster, Capability.EVERY_ENGINE))
    assert reason.startswith("24.8: chdb 3.1.2 could not be installed"), reason
    assert "ClickHouse 25.8, 26.1" in reason
    wheel = no_engines / "chdb-3.1.2" / "chdb"
    wheel.mkdir(parents=True)
    (wheel / "_chdb.abi3.so").touch()
    assert main(["engines", "fetch", "24.8"]) == 0, "it is there"
    assert not list(no_engines.glob("*.failed"))


def test_no_wheel_of_the_oldest_engine_for_this_python(no_engines: Path, tmp_path: Path) -> None:
    """It blocks its own cells of the matrix and leaves the others alone."""
    for version, wheel in BY_CLICKHOUSE.items():
        if version == OLDEST:
            wheel.failure.parent.mkdir(exist_ok=True)
            wheel.failure.write_text(f"There is no {wheel} to install, for this Python.\n")
        elif engine_folder(version) is None:
            wheel.folder.mkdir(parents=True)
            (wheel.folder / "_chdb.abi3.so").touch()
    with EmbeddedCluster(tmp_path / "cluster") as cluster:
        assert why_not(cluster, Capability.EVERY_ENGINE) is None
        reason = why_not(cluster, Capability.OLDEST_ENGINE)
    assert reason == "23.10: There is no chdb 1.4.1 to install, for this Python."


def test_an_engine_that_nobody_made(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["engines", "fetch", "24.9"]) == 2
    printed = capsys.readouterr().err
    assert "There is no engine 24.9" in printed and "'24.8'" in printed
