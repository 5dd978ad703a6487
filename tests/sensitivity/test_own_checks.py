"""The framework's own checks under sabotage: specifications and results damaged by program, everywhere
a damage fits, each of which has to be noticed."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bench.samples import sample_scenario
from helpers.base.errors import UsageError
from helpers.base.paths import ROOT
from helpers.report.load import read_results
from helpers.report.states import requirement_states
from helpers.scenario.result import Link, Result, ScenarioResult
from helpers.scenario.scenario import Scenario
from requirements.checker.engine import check_documents
from requirements.compiler.parse import parse
from requirements.compiler.specification import Specification

SPECIFICATIONS = sorted((ROOT / "requirements").glob("srs*.md"))
# A pattern and what becomes of one of its occurrences.
DAMAGES = {
    "version lost": (r"(?m)^version: .*\n", ""),
    "version malformed": (r"(?m)^version: (\d+)\.\d+$", r"version: v\1"),
    "field unknown": (r"(?m)^version: ", "verison: 1.0\nversion: "),
    "SHALL weakened": (r" SHALL ", " should "),
    "SHALL lost": (r" SHALL ", " will "),
    "name malformed": (r"(?m)^(#+) RQ\.SRS-", r"\1 RQ SRS-"),
    "requirement gone": (r"(?m)^#+ RQ\.[^\n]*\nversion: .*\n", ""),
    "requirement doubled": (r"(?m)^(#+ RQ\.[^\n]*\nversion: .*\n)", r"\1\nIt SHALL be.\n\n\1"),
    "heading too deep": (r"(?m)^## (?=[A-Z])", "##### "),
    "second title": (r"(?m)^## (?=Introduction)", "# Another\n\n## "),
    "title malformed": (r"\A# SRS-", "# SRS "),
    "entry of contents gone": (r"(?m)^ *\* \d[\d.]* \[.*\n", ""),
    "entry of contents renumbered": (r"(?m)^( *\* \d[\d.]*)(?= \[)", r"\g<1>7"),
    "anchor of contents broken": (r"\(#", "(#x"),
    "fence not closed": (r"(?m)^```\n", ""),
    "fence without a language": (r"(?m)^```sql$", "```"),
    "cell of a table gone": (r"(?m)^\| (?!-)[^|\n]+ (?=\|)", ""),
    "blank at the end of a line": (r"(?m)(?<=[a-z.])$", " "),
    "reference misspelt": (r"\[ClickHouse\](?!:)", "[ClikHouse]"),
    "definition of a reference gone": (r"(?m)^\[ClickHouse\]: .*$", ""),
    "word doubled": (r" the (?=[a-z]+ )", " the the "),
    "bracket in SQL gone": (r"(?<=numbers\(\d)\)", ""),
}
SEED = 7


@cache
def findings(text: str, name: str) -> frozenset[tuple[str, str]]:
    """The rules that a document breaks, and what they say; without lines, which any damage moves."""
    return frozenset(
        (diagnostic.rule, diagnostic.message) for diagnostic in check_documents([parse(text, name)])
    )


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_specifications_are_noticed(damage: str) -> None:
    """In each of our own specifications where the damage fits, at a random place."""
    pattern, change = DAMAGES[damage]
    rng, unnoticed, done = random.Random(SEED), [], 0
    for file in SPECIFICATIONS:
        text = file.read_text()
        places = [
            match for match in re.finditer(pattern, text) if _outside_code(text, match, damage)
        ]
        if not places:
            continue
        place = rng.choice(places)
        damaged = text[: place.start()] + place.expand(change) + text[place.end() :]
        assert damaged != text
        done += 1
        if not findings(damaged, file.name) - findings(text, file.name):
            unnoticed.append(f"{file.name}, at {text.count(chr(10), 0, place.start()) + 1}")
    assert done, "the damage fits nowhere, so it proved nothing"
    assert unnoticed == []


def _outside_code(text: str, place: re.Match[str], damage: str) -> bool:
    """Damages of prose are not noticed in SQL, and need not be."""
    before = text[: place.start()]
    inside = before.count("```") % 2 == 1 or before.rpartition("\n")[2].count("`") % 2 == 1
    return not inside or "fence" in damage or "SQL" in damage


NAME = "RQ.SRS-900.A"
DOCUMENT = """\
# SRS-900 Sample

## Basics

### RQ.SRS-900.A
version: 1.0

It SHALL hold.
"""


def states(
    specification: Specification,
    links: list[Scenario],
    results: list[ScenarioResult],
    accepted: dict[str, tuple[str, str]],
) -> str:
    (state,) = requirement_states([specification], links, results, accepted)
    return state.state


RESULTS_SPOILT = {
    f"a scenario is {result}": (lambda links, results, result=result: _spoil(results, result))
    for result in ("Fail", "Error", "XPass", "XFail", "Skip", "NotRun")
}
OTHERS_SPOILT: dict[str, Callable[[list[Scenario], list[ScenarioResult]], object]] = {
    "a scenario is missing": lambda links, results: results.pop(),
    "all scenarios are missing": lambda links, results: results.clear(),
    "a result is of another version": lambda links, results: results.append(
        replace(results.pop(), requirements=(Link(NAME, "0.9"),))
    ),
    "a link names another version": lambda links, results: links.append(
        replace(links.pop(), links=(Link(NAME, "0.9"),))
    ),
    "a link names no version": lambda links, results: links.append(
        replace(links.pop(), links=(Link(NAME, "none"),))
    ),
    "a linked scenario has another name": lambda links, results: links.append(
        replace(links.pop(), name="/a/b/other")
    ),
}


def _spoil(results: list[ScenarioResult], result: str) -> None:
    results.append(replace(results.pop(), result=Result(result)))


@pytest.mark.parametrize("damage", [*RESULTS_SPOILT, *OTHERS_SPOILT])
def test_a_spoilt_result_is_not_verified(damage: str) -> None:
    """Two scenarios, both passed: one word changed, and the requirement is not verified any more."""
    specification = parse(DOCUMENT, "srs900.md").specification
    (text,) = specification.requirements
    names = ("/a/b/one", "/a/b/two")
    links = [sample_scenario(name, (NAME, "1.0")) for name in names]
    results = [ScenarioResult(name, Result.OK, requirements=(Link(NAME, "1.0"),)) for name in names]
    accepted = {NAME: ("1.0", text.content_hash)}
    assert states(specification, links, results, accepted) == "verified"
    (RESULTS_SPOILT | OTHERS_SPOILT)[damage](links, results)
    assert states(specification, links, results, accepted) != "verified"


def test_a_changed_text_is_not_verified() -> None:
    """Every word of a requirement's text changed, one at a time: its links are suspect."""
    specification = parse(DOCUMENT, "srs900.md").specification
    (text,) = specification.requirements
    link = sample_scenario("/a/b/one", (NAME, "1.0"))
    result = ScenarioResult("/a/b/one", Result.OK, requirements=(Link(NAME, "1.0"),))
    accepted = {NAME: ("1.0", text.content_hash)}
    for word in ("It", "SHALL", "hold"):
        changed = parse(DOCUMENT.replace(word, "other"), "srs900.md").specification
        assert states(changed, [link], [result], accepted) == "suspect"


RESULTS: dict[str, Any] = {
    "schema": 1,
    "run": {"id": "r"},
    "scenarios": [
        {
            "name": "/a/b/c",
            "result": "OK",
            "seconds": 1.5,
            "line": 3,
            "requirements": [{"name": NAME, "version": "1.0"}],
            "deviation": None,
            "statements": [],
        }
    ],
    "requirements": [
        {"name": NAME, "state": "verified", "line": 9, "scenarios": ["/a/b/c"], "section": []}
    ],
}
FIELDS = [
    *((key,) for key in RESULTS),
    *(("scenarios", 0, key) for key in RESULTS["scenarios"][0]),
    *(("requirements", 0, key) for key in RESULTS["requirements"][0]),
]


@pytest.mark.parametrize("path", FIELDS, ids=lambda path: ".".join(map(str, path)))
def test_a_spoilt_field_of_results_is_refused(path: tuple[Any, ...], tmp_path: Path) -> None:
    """Any field that holds something else than it should: said in one line that names the file."""
    assert read_results(RESULTS, "good")
    spoilt = copy.deepcopy(RESULTS)
    place: Any = spoilt
    for key in path[:-1]:
        place = place[key]
    # Neither a name nor a number, a list or an object.
    place[path[-1]] = True
    with pytest.raises(UsageError, match=r"^spoilt.json"):
        read_results(spoilt, "spoilt.json")
