"""docs/other-suites.md names scenarios and tests that exist, and its counts are those of its tables."""

from __future__ import annotations

import re
from collections import Counter

from helpers.base.paths import ROOT
from helpers.runner.discovery import load

DOCUMENT = (ROOT / "docs/other-suites.md").read_text()
DECISIONS = ("covered", "new", "not possible", "exporter")
COUNT = re.compile(r"\| (\w+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|")
CASE = re.compile(rf"\| .+? \| ({'|'.join(DECISIONS)}) \| .+ \|")


def decided() -> dict[str, Counter[str]]:
    """How often each decision was made, by section."""
    sections: dict[str, Counter[str]] = {}
    for text in DOCUMENT.split("\n## ")[1:]:
        rows = [line for line in text.splitlines() if line.startswith("| ")][1:]
        found = [CASE.fullmatch(row) for row in rows]
        assert all(found), f"section {text[0]} has a row without a decision"
        sections[text[0]] = Counter(match[1] for match in found if match)
    return sections


def test_every_named_scenario_exists() -> None:
    named = set(re.findall(r"`(/[^`]+)`", DOCUMENT)) - {"/"}
    known = {scenario.name for scenario in load()}
    assert len(named) > 50
    assert sorted(named - known) == []


def test_every_named_test_exists() -> None:
    named = set(re.findall(r"`(test_\w+)`", DOCUMENT))
    sources = "\n".join(path.read_text() for path in (ROOT / "tests").rglob("test_*.py"))
    assert named and [name for name in sorted(named) if f"def {name}(" not in sources] == []


def test_the_counts_are_those_of_the_tables() -> None:
    sections = decided()
    every = sum(sections.values(), Counter[str]())
    expected = {
        name: (counts.total(), *(counts[decision] for decision in DECISIONS))
        for name, counts in {**sections, "all": every}.items()
    }
    assert {row[0]: tuple(map(int, row[1:])) for row in COUNT.findall(DOCUMENT)} == expected
    assert every.total() == 71
