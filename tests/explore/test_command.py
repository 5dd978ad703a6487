"""Bad input of `explore`: one line, exit code 2."""

from __future__ import annotations

from pathlib import Path

import pytest

from helpers.cli.main import main
from helpers.explore.model.histories import History, HistoryDifference
from helpers.explore.model.schema import Schema
from helpers.explore.model.statements import HistoryStatement
from helpers.explore.protocol import Replay, decode_history, encode_history


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--profile", "sequental"], "'sequential'"),
        (["--statements", "insert,repalce"], "'replace'"),
        (["--profile", "crash", "--statements", "freeze"], "sends none of these"),
        (["--tables", "plane"], "'plain'"),
        (["--statements", "insert,s3-fault"], "with --tables s3"),
        (["--known", "nothing"], "There is no deviation 'nothing'"),
        (["--minutes", "soon"], "--minutes 'soon'"),
        (["--seed", "-1"], "--seed '-1'"),
        (["--workers", "0"], "--workers '0'"),
        (["--replay", "/nowhere/history.json"], "cannot be read"),
        (["--env", "embeded"], "'embedded'"),
    ],
)
def test_options(
    options: list[str], expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explore", "--results", str(tmp_path), *options]) == 2
    captured = capsys.readouterr()
    assert expected in captured.err
    assert len(captured.err.strip().splitlines()) == 1


def test_histories_are_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    statement = HistoryStatement("insert", rows=((1, 2),))
    history = History(
        {"a": "plain"},
        (statement,),
        ((statement,), (HistoryStatement("replace"),)),
        Schema(settings=("index_granularity = 1",)),
        7,
    )
    difference = HistoryDifference(statement, "rows are missing", "", "", history)
    encoded = encode_history(difference, "crash")
    assert decode_history(encoded, "file") == Replay(history, "crash", "insert: rows are missing")
    for number, text in enumerate(["", "{}", encoded.replace("insert", "?")]):
        file = tmp_path / f"{number}.json"
        file.write_text(text)
        assert main(["explore", "--replay", str(file)]) == 2
        assert "is no history of the explorer" in capsys.readouterr().err
