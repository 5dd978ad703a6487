"""`reproduce --versions`: a table of the engines that show a deviation, or the script of a finding."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.cli.main import main

SHOWN = """-- One and one are three.
CREATE TABLE t (x UInt8) ENGINE = MergeTree ORDER BY x;
-- expected: 3
-- observed: 2
SELECT 1 + 1;
"""


def test_what_shows_on_a_version_and_what_does_not(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [tmp_path / "shown.sql", tmp_path / "gone.sql", tmp_path / "broken.sql"]
    files[0].write_text(SHOWN)
    files[1].write_text(SHOWN.replace("1 + 1", "1 + 2"))
    files[2].write_text(SHOWN.replace("UInt8", "NoType"))
    assert main(["reproduce", *map(str, files), "--versions", "26.9"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "26.9: 3 to execute ..."
    assert lines[2:] == [
        *(str(files[0]), "  26.9    shows"),
        *(str(files[1]), "  26.9    does not show"),
        *(str(files[2]), "  26.9    cannot run it"),
    ]


def test_a_deviation_by_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    id = "non-existent-partition.partition-that-was-moved-away"
    assert main(["reproduce", id, "--versions", "26.9"]) == 0
    assert capsys.readouterr().out.endswith(f"{id}\n  26.9    shows\n")


@pytest.mark.parametrize(
    ("version", "complaint"),
    [
        ("26.8", "There is no engine '26.8': there are 23.10, "),
        ("26.9,", "There is no engine ''"),
    ],
)
def test_versions_that_are_not_there(
    tmp_path: Path, version: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "shown.sql"
    file.write_text(SHOWN)
    assert main(["reproduce", str(file), "--versions", version]) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--record", "--all"], "--versions and --record do not go together."),
        (["--report", "--all"], "--versions and --report do not go together."),
        (["--all", "--clickhouse-version", "26.7"], "--versions and --clickhouse-version do not"),
        (["--all", "--env", "binary"], "not about --env binary."),
    ],
)
def test_options_that_would_be_ignored(
    options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["reproduce", "--versions", "26.9", *options]) == 2
    assert complaint in capsys.readouterr().err


def test_a_script_that_is_no_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "binary.sql"
    file.write_bytes(b"\xff\xfe\x00")
    assert main(["reproduce", "--versions", "26.9", str(file)]) == 2
    assert "is not readable as a script" in capsys.readouterr().err
