"""The record of what each version of ClickHouse does: docs/deviations.json."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from helpers.base.errors import UsageError
from helpers.cli import main as cli
from helpers.deviations.reproduction import Check
from helpers.deviations.seen_on import record, verdict
from helpers.report import seen_versions as module
from helpers.report.seen_versions import read_seen, seen_on

DIFFERS, HOLDS = Check("SELECT 2", "1", "2", "2"), Check("SELECT 1", "1", None, "1")
OTHER = Check("SELECT 3", "1", "2", "3")


@pytest.mark.parametrize(
    ("checks", "broken", "word"),
    [
        ([DIFFERS, HOLDS], False, "deviates"),
        ([HOLDS], False, "as required"),
        ([DIFFERS, OTHER], False, "different"),
        ([DIFFERS], True, "cannot run"),
        ([], False, "cannot run"),
    ],
)
def test_what_a_version_was_seen_to_do(checks: list[Check], broken: bool, word: str) -> None:
    assert verdict(checks, broken) == word


def test_versions_are_joined_in_their_order() -> None:
    seen = {"a": {"24.8": "as required", "25.8": "deviates", "26.9": "deviates"}}
    assert seen_on("a", seen) == "24.8 as required, 25.8 to 26.9 deviates"
    assert seen_on("b", seen) == ""


def test_the_record_keeps_other_versions_and_drops_what_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FILE", tmp_path / "deviations.json")
    assert read_seen() == {}
    record("26.9.2.1", {"a": "deviates", "gone": "deviates"}, ["a", "gone"])
    record("26.9.2.1", {"b": "deviates"}, iter(["a", "b"]))
    record("9.1", {"a": "as required"}, iter(["a", "b"]))
    assert json.loads(module.FILE.read_text()) == {
        "a": {"9.1": "as required", "26.9": "deviates"},
        "b": {"26.9": "deviates"},
    }
    module.FILE.write_text("{")
    with pytest.raises(UsageError, match="cannot be read"):
        read_seen()


def test_a_record_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["reproduce", "several-commands.all-or-none", "--record"]) == 2
    assert "--record goes with --all" in capsys.readouterr().err
