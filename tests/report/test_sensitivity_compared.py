"""Mutants since a base: one that was killed and survives now is a regression."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.cli.options.coverage import parser
from helpers.report.load import read_results
from helpers.report.since_base import compare_results
from tests.report.sabotage import name_of, verdict_in

Document = dict[str, Any]


def compared(
    sabotaged: Document, change: Callable[[Document], object]
) -> dict[str, list[tuple[str, str]]]:
    """What changed about mutants since a base that differs in one thing."""
    base = copy.deepcopy(sabotaged)
    base["run"]["id"] = "base"
    change(base)
    since = compare_results([read_results(sabotaged, "new")], [read_results(base, "base")])
    return {
        kind: [
            (difference.name, f"{difference.before} → {difference.after}")
            for difference in changes
            if difference.kind == "mutant"
        ]
        for kind, changes in since.results()
    }


@pytest.mark.parametrize(
    ("before", "kind"),
    [
        ("killed", "regressed"),
        ("tolerated", "regressed"),
        ("broken", None),
        ("not applicable", None),
        ("unsettled", None),
        ("survived", None),
    ],
)
def test_a_mutant_that_survives_now(sabotaged: Document, before: str, kind: str | None) -> None:
    def spoil(base: Document) -> None:
        verdict_in(base, "Lived")["mutants"]["too-many"] = before

    changes = compared(sabotaged, spoil)
    expected = [("too-many", f"{before} → survived for {name_of('Lived')}")]
    assert changes == {name: expected if name == kind else [] for name in changes}


@pytest.mark.parametrize("before", ["not applicable", "unsettled"])
def test_an_end_that_says_nothing_is_not_compared(sabotaged: Document, before: str) -> None:
    def spoil(base: Document) -> None:
        verdict_in(base, "Seen")["mutants"]["does-nothing"] = before

    assert compared(sabotaged, spoil) == {"regressed": [], "fixed": [], "new": []}


def test_mutants_that_are_caught_at_last_are_told_once(sabotaged: Document) -> None:
    def spoil(base: Document) -> None:
        for name in ("Seen", "Partly"):
            verdict_in(base, name)["mutants"]["does-nothing"] = "survived"

    expected = ("does-nothing", "survived → killed for 2 requirements")
    assert compared(sabotaged, spoil) == {"regressed": [], "fixed": [expected], "new": []}
    without = compared(sabotaged, lambda base: base.pop("sensitivity"))
    assert without == {"regressed": [], "fixed": [], "new": []}


def test_the_ratchet_notices_a_survivor(
    sabotaged: Document, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where the state does not tell, as of a requirement that deviates."""
    for requirement in sabotaged["requirements"]:
        requirement["state"] = "deviates"
    new, old = tmp_path / "new.json", tmp_path / "old.json"
    new.write_text(json.dumps(sabotaged))
    verdict_in(sabotaged, "Lived")["mutants"]["too-many"] = "killed"
    sabotaged["run"]["id"] = "old"
    old.write_text(json.dumps(sabotaged))
    given = parser().parse_args([str(new), "--base", str(old)])
    assert given.implementation()(given) == 1
    assert f"regressed: too-many (killed → survived for {name_of('Lived')})" in (
        capsys.readouterr().out
    )
