"""results.json: everything else that is shown of a run is rendered from it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from helpers.report.load import read_scenario
from helpers.report.project import Tree
from helpers.runner.discover import Scenario
from helpers.runner.worker import rerun_line

SCHEMA = 1


def scenario_entry(
    scenario: Scenario, record: Mapping[str, Any], seed: int, options: str
) -> dict[str, Any]:
    """One scenario as results.json has it: what was planned and what came of it."""
    return {
        "name": scenario.name,
        "result": record["result"],
        "reason": record.get("reason"),
        "seconds": record["seconds"],
        "file": scenario.file,
        "line": scenario.line,
        "requirements": [asdict(link) for link in scenario.links],
        "step": record.get("step"),
        "message": record.get("message"),
        "deviation": record.get("deviation"),
        "needs": [capability.value for capability in scenario.marks.needs],
        "rerun": rerun_line(scenario.name, seed, options),
        "folder": record.get("folder"),
        "data": record.get("data"),
        "statements": record.get("statements", []),
    }


def requirement_entries(tree: Tree, entries: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """What these scenarios say about every requirement of the specifications."""
    states = tree.states([read_scenario(entry, "this run") for entry in entries])
    return [asdict(state) for state in states]


def write(results: Mapping[str, Any], file: Path) -> None:
    """All of it or nothing."""
    partial = file.with_suffix(".partial")
    partial.write_text(json.dumps(results, indent=1, ensure_ascii=False, default=str) + "\n")
    partial.replace(file)
