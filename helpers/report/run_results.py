"""The results of a run as reports use them and as results.json holds them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from helpers.base.files import write_whole
from helpers.scenario.result import SCHEMA, RequirementState, ScenarioResult
from helpers.sensitivity.mutant_ends import GENERATED, Sensitivity
from helpers.sensitivity.systematic import Systematic

RESULTS_FILE = "results.json"
# A merged night has one for each environment and version: results-2.json …
EVERY_RESULTS_FILE = "results*.json"


@dataclass(frozen=True)
class Results:
    """One run: its facts, its scenarios and the state of each requirement."""

    source: str
    run: Mapping[str, Any]
    scenarios: tuple[ScenarioResult, ...]
    requirements: tuple[RequirementState, ...]
    sensitivity: Sensitivity | None = None
    systematic: Systematic | None = None

    @property
    def id(self) -> str:
        return str(self.run.get("id") or self.source)

    def as_json(self) -> dict[str, Any]:
        """The document that results.json holds; a run without mutants has no section for them."""
        requirements = [dict(vars(state)) for state in self.requirements]
        document = {
            "schema": SCHEMA,
            "run": self.run,
            "scenarios": [scenario.as_json() for scenario in self.scenarios],
            "requirements": requirements,
        }
        if self.sensitivity:
            verdicts = self.sensitivity.verdicts
            for entry in requirements:
                verdict = verdicts.get(entry["name"])
                entry["sensitivity"] = verdict and f"{verdict.verdict}: {verdict.reason}"
        section = self.sensitivity.as_json() if self.sensitivity else {}
        if self.systematic:
            section[GENERATED] = self.systematic.as_json()
        if section:
            document["sensitivity"] = section
        return document

    def text(self) -> str:
        """The text of results.json."""
        return json.dumps(self.as_json(), indent=1, ensure_ascii=False, default=str) + "\n"

    def write(self, file: Path) -> None:
        write_whole(file, self.text().encode())
