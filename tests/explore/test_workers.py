"""What a run makes of what its workers tell."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from helpers.cli import explore
from helpers.explore.findings.evidence import Finding
from helpers.explore.model.histories import History, HistoryDifference
from helpers.explore.model.statements import HistoryStatement
from helpers.explore.protocol import decode_history, encode_history
from helpers.explore.search.workers import Totals, histories, keep_unfinished, take

HISTORY = History(
    {"a": "plain"}, (HistoryStatement("insert", rows=((1, 1),)), HistoryStatement("drop"))
)
DIFFERENCE = HistoryDifference(HISTORY.statements[1], "rows too many", "", "", HISTORY)
NOTICED = {
    "event": "noticed",
    "signature": "drop: rows too many",
    "history": encode_history(DIFFERENCE, "sequential"),
}


def test_one_is_not_several() -> None:
    numbers = Counter(histories=1, statements=1)
    totals = Totals(numbers, states={1}, transitions={"insert accepted"})
    assert "1 history, 1 statement (" in totals.line
    assert totals.line.endswith("1 state, 1 transition, 0 findings")
    assert histories(2, "more ") == "2 more histories"


def test_what_was_being_shrunk_when_a_run_ended_is_kept(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    totals = Totals(interrupted="SIGINT")
    take(dict(NOTICED), 1, totals, tmp_path, print)
    keep_unfinished(totals, tmp_path)
    assert explore._summary(totals) == 4
    assert "neither shrunk nor verified yet: drop: rows too many" in capsys.readouterr().out
    kept = totals.unfinished["drop: rows too many"] / "history.json"
    assert decode_history(kept.read_text(), "kept").history == HISTORY
    totals.interrupted = ""
    assert explore._summary(totals) == 1, "a difference that nobody has verified is not nothing"


@pytest.mark.parametrize("reproduced", [True, False])
def test_what_was_verified_is_not_unfinished(tmp_path: Path, reproduced: bool) -> None:
    totals = Totals()
    take(dict(NOTICED), 1, totals, tmp_path, print)
    finding = Finding("drop: rows too many", reproduced, False, 2, {"history.json": "{}"})
    take({"event": "finding", **finding.as_dict()}, 1, totals, tmp_path, print)
    keep_unfinished(totals, tmp_path)
    assert not totals.unfinished
    assert explore._summary(totals) == int(reproduced)
