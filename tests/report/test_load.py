"""Results that cannot be used: one line that says what, where and what was lost; never a traceback."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.base.errors import UsageError
from helpers.report.load import load_results

Document = dict[str, Any]


def refusal(path: Path) -> str:
    with pytest.raises(UsageError) as caught:
        load_results(path)
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(str(path))
    return message


def test_reads_a_file_and_a_folder(tmp_path: Path, document: Document) -> None:
    file = tmp_path / "results.json"
    file.write_text(json.dumps(document))
    assert load_results(file).requirements[0].name == "RQ.SRS-900.A"
    assert load_results(tmp_path).scenarios[0].seconds == 0.5


def test_every_way_of_cutting_it_off_is_told_with_the_byte(
    tmp_path: Path, document: Document
) -> None:
    file = tmp_path / "results.json"
    whole = json.dumps(document, ensure_ascii=False, indent=1).encode()
    for length in range(1, len(whole)):
        file.write_bytes(whole[:length])
        message = refusal(file)
        assert f"cut off at byte {length}" in message, whole[:length][-30:]
        assert "nothing can be shown" in message


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "byte 0 is not UTF-8"),
        (b"<html></html>", "1:1: is not JSON"),
        (b'{"schema": 1, "run": }, "scenarios": [], "requirements": []}', "1:22: is not JSON"),
        (b"[1, 2]", "has no schema"),
        (b"{}", "has no schema"),
        (b'{"schema": 2}', "has schema 2, this program reads schema 1"),
        (b'{"schema": "1"}', "has schema '1'"),
        (b'{"schema": 1}', "run is missing"),
        (b'{"schema": 1, "run": {}}', "scenarios is missing"),
        (b'{"schema": 1, "run": {}, "scenarios": []}', "requirements is missing"),
        (b'{"schema": 1, "run": {}, "scenarios": [], "requirements": []}', "no requirements"),
        (b"[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_no_results_json(tmp_path: Path, content: bytes, expected: str) -> None:
    file = tmp_path / "results.json"
    file.write_bytes(content)
    assert expected in refusal(file)


def test_a_missing_file_says_how_to_get_one(tmp_path: Path) -> None:
    assert "run ./regression.py first" in refusal(tmp_path / "none.json")


def test_a_folder_without_results(tmp_path: Path) -> None:
    assert "there are no results here" in refusal(tmp_path)


@pytest.mark.parametrize(
    ("spoil", "expected"),
    [
        (lambda d: d["scenarios"][0].update(result="Fine"), "scenarios[0].result is 'Fine'"),
        (lambda d: d["scenarios"][0].pop("name"), "scenarios[0] has no name"),
        (lambda d: d["scenarios"].append(7), "scenarios[1] is not an object"),
        (lambda d: d["scenarios"][0].update(seconds="long"), "seconds is 'long'"),
        (lambda d: d["scenarios"][0].update(statements="x"), "statements is not a list"),
        (lambda d: d["scenarios"][0].update(requirements=["x"]), "requirements is not a list"),
        (lambda d: d["requirements"][0].update(state="good"), "requirements[0].state is 'good'"),
        (lambda d: d["requirements"].append(d["requirements"][0]), "RQ.SRS-900.A twice"),
    ],
)
def test_an_entry_that_does_not_fit_is_named(
    tmp_path: Path, document: Document, spoil: Callable[[Document], object], expected: str
) -> None:
    spoil(document)
    file = tmp_path / "results.json"
    file.write_text(json.dumps(document))
    assert expected in refusal(file)
