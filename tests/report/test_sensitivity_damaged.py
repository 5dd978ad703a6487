"""A section `sensitivity` that does not fit is an error in one line that names the place."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from helpers.base.errors import UsageError
from helpers.report.load import load_results, read_results
from tests.report.sabotage import KEPT_OPEN, name_of, verdict_in

Document = dict[str, Any]


SPOILT: list[tuple[Callable[[Document], object], str]] = [
    (lambda s: s.update(mutants=None), "sensitivity.mutants is missing or not a list"),
    (lambda s: s.pop("requirements"), "sensitivity.requirements is missing or not a list"),
    (lambda s: s.update(scenarios={}), "sensitivity.scenarios is missing or not a list"),
    (lambda s: s.pop("blind"), "sensitivity.blind is missing or not a list"),
    (lambda s: s.update(idle=True), "sensitivity.idle is not a list"),
    (lambda s: s.update(thorough="no"), "sensitivity.thorough is 'no'"),
    (lambda s: s["mutants"].append(7), "sensitivity.mutants[8] is not an object"),
    (lambda s: s["mutants"][0].pop("name"), "sensitivity.mutants[0] has no name"),
    (lambda s: s["mutants"][0].update(tolerated=[1]), "mutants[0].tolerated is not an object"),
    (lambda s: s["mutants"].pop(0), "names 'does-nothing', which is not among the mutants"),
    (lambda s: s["requirements"][0].update(verdict="fine"), "RQ.SRS-900.Seen.verdict is 'fine'"),
    (lambda s: s["requirements"][0].update(verdict=[]), "RQ.SRS-900.Seen.verdict is []"),
    (lambda s: s["requirements"][0].pop("mutants"), "RQ.SRS-900.Seen.mutants is not an object"),
    (lambda s: s["requirements"][0]["mutants"].update(odd={}), "Seen.mutants.odd is {}"),
    (lambda s: s["requirements"].append(s["requirements"][0]), "has RQ.SRS-900.Seen twice"),
    (lambda s: s["scenarios"][0]["mutants"].update(odd="?"), "/sample/all/seen.mutants.odd is '?'"),
    (lambda s: s["blind"].append("x"), "sensitivity.blind[1] is not an object"),
]


@pytest.mark.parametrize(("spoil", "expected"), SPOILT)
def test_a_damaged_section_is_an_error_that_names_the_place(
    sabotaged: Document, tmp_path: Path, spoil: Callable[[Document], object], expected: str
) -> None:
    spoil(sabotaged["sensitivity"])
    file = tmp_path / "results.json"
    file.write_text(json.dumps(sabotaged))
    with pytest.raises(UsageError) as caught:
        load_results(file)
    assert str(caught.value).startswith(f"{file}: sensitivity")
    assert expected in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("value", [True, 7, "killed", []])
def test_a_section_that_is_something_else(document: Document, value: object) -> None:
    document["sensitivity"] = value
    with pytest.raises(UsageError, match="x: sensitivity is not an object"):
        read_results(document, "x")


def test_an_older_run_has_no_reasons_for_survivors(sabotaged: Document) -> None:
    """What was added later may be absent, and a word may be another."""
    del sabotaged["sensitivity"]["thorough"]
    for mutant in sabotaged["sensitivity"]["mutants"]:
        del mutant["tolerated"]
    verdict_in(sabotaged, "Lived")["mutants"]["waits"] = "endured"
    written = read_results(sabotaged, "x").sensitivity
    assert written and written.verdicts[name_of("Lived")].mutants["waits"] == "timed out"


def test_the_written_reason_for_a_survivor_is_kept(sabotaged: Document) -> None:
    results = read_results(sabotaged, "x")
    assert results.sensitivity
    kept = {
        mutant.name: dict(mutant.tolerated)
        for mutant in results.sensitivity.mutants
        if mutant.tolerated
    }
    assert kept == {"open": {name_of("Seen"): KEPT_OPEN}}
