"""Scripts that show deviations on a real server, and what is said where they do not."""

from __future__ import annotations

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from helpers.base.paths import ROOT
from helpers.cluster.client.sql_script import ScriptStatement
from helpers.cluster.embedded.cluster import EmbeddedCluster
from helpers.deviations.known import known_deviations
from helpers.deviations.reproduction import Broken, Check, execute, read_reproduction
from pipelines.system.waiting import poll
from tests.cluster.binary.binaries import needs_binary
from tests.databases import cluster_fixture
from tests.processes import descendants, is_alive

cluster = cluster_fixture("module")
numbers = itertools.count(1)
COMMAND = [sys.executable, "-m", "helpers.cli.main", "reproduce"]
# What only servers of 2018 do.
OF_2018 = (
    "conditions-keys.different-primary-key",
    "non-existent-partition.only-the-destination-has-it",
)
# Only ClickHouse 26.7 has it.
OF_26_7 = ("table-engines.pattern-with-partition-by",)
ABSENT = "not there, as the mark says"


def checks(cluster: EmbeddedCluster, folder: Path, text: str) -> list[Check]:
    file = folder / "script.sql"
    file.write_text(text)
    return list(execute(read_reproduction(file), cluster.node(), f"of_test_{next(numbers)}"))


def test_some_deviations_are_there_as_they_are_recorded() -> None:
    """Every sixth, on each change; the night shows all of them."""
    scripts = {known.id: known.reproduction for known in known_deviations()}
    names = [name for name, script in scripts.items() if script][::6]
    assert len(names) >= 10
    done = subprocess.run([*COMMAND, *names], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith(f"\n{len(names)} of {len(names)} as recorded\n")


@pytest.mark.nightly
def test_every_deviation_is_there_as_it_is_recorded() -> None:
    done = subprocess.run(
        [*COMMAND, "--all"], cwd=ROOT, capture_output=True, text=True, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
    *lines, total = done.stdout.splitlines()
    others = [line.partition(": ") for line in lines if ": reproduced: " not in line]
    assert {(name, what) for name, _, what in others} == {
        (name, ABSENT) for name in (*OF_2018, *OF_26_7)
    }
    assert total == f"{len(lines)} of {len(lines)} as recorded" and len(lines) >= 50


@needs_binary
def test_those_of_an_old_server_are_there() -> None:
    done = subprocess.run(
        [*COMMAND, *OF_2018, "--env", "binary"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("2 of 2 as recorded\n")


def test_one_is_shown_in_full() -> None:
    ids = ["non-existent-partition.partition-that-was-moved-away"]
    done = subprocess.run([*COMMAND, *ids], cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    assert (
        "  RQ.SRS-032.ClickHouse.Alter.Table.ReplacePartition.NonExistentPartition\n" in done.stdout
    )
    assert "    expected: 10\n    actual:   0\n" in done.stdout
    assert "\nreproduced: 2 of 3 answers differ from what is expected\n" in done.stdout


def test_answers_rows_refusals_and_waiting(cluster: EmbeddedCluster, tmp_path: Path) -> None:
    found = checks(
        cluster,
        tmp_path,
        """
        CREATE TABLE t (n UInt8) ENGINE = Memory;
-- background slow
INSERT INTO t SELECT number + sleep(0.5) FROM numbers(2);
-- wait until
SELECT count() FROM system.processes WHERE query LIKE '%sleep(0.5)%' AND query_kind = 'Insert';
-- expected: 0
SELECT count() FROM t;
-- wait for slow
-- expected: 0, a
-- expected: 1, a
-- observed: 1, b
SELECT n, 'a' FROM t ORDER BY n;
-- expected: refused
SELECT * FROM nowhere;
-- expected: refused with code 61
SELECT * FROM nowhere;
-- expected: refused: Unknown table
SELECT * FROM nowhere;
-- expected: refused with code 60: Unknown column
SELECT * FROM nowhere;
-- expected: refused: Unknown column
-- observed: refused with code 60: Unknown table
SELECT * FROM nowhere;
-- expected: accepted
DROP TABLE t;
SELECT * FROM nowhere; -- { serverError 60 }
""",
    )
    codes = [check.actual.partition(": ")[0] for check in found]
    verdicts = [(check.holds, check.as_recorded) for check in found]
    assert [(code, *verdict) for code, verdict in zip(codes, verdicts, strict=True)] == [
        ("0", True, True),
        ("0, a\n1, a", True, False),
        ("refused with code 60", True, True),
        ("refused with code 60", False, False),
        ("refused with code 60", True, True),
        ("refused with code 60", False, False),
        ("refused with code 60", False, True),
        ("accepted", True, True),
    ]


def test_a_pattern_is_no_comment() -> None:
    statement = ScriptStatement("-- said of it\nSELECT 'a/**/b' /* and */ -- more", "")
    assert statement.shown == "SELECT 'a/**/b'"


@pytest.mark.parametrize(
    ("preparation", "complaint"),
    [
        ("SELECT * FROM nowhere;", "refused with code 60: Unknown .*, where accepted was needed"),
        ("SELECT 1; -- { serverError 60 }", "1, where refused with code 60 was needed"),
        (
            "-- background b\nSELECT * FROM nowhere;",
            "refused with code 60: Unknown .*, where accepted",
        ),
    ],
)
def test_a_fixture_that_fails_proves_nothing(
    cluster: EmbeddedCluster, tmp_path: Path, preparation: str, complaint: str
) -> None:
    with pytest.raises(Broken, match=complaint):
        checks(cluster, tmp_path, f"{preparation}\n-- expected: 1\n-- observed: 2\nSELECT 2;")


def test_an_interrupt_ends_it_and_its_servers() -> None:
    process = subprocess.Popen([*COMMAND, "--all"], cwd=ROOT, stderr=subprocess.PIPE, text=True)

    def several() -> list[int]:
        found = list(descendants(process.pid))
        return found if len(found) >= 3 else []

    below = poll(several, 300)
    os.kill(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 4 and len(below) >= 3
    assert err == "regression: interrupted\n"
    assert not any(map(is_alive, below))
