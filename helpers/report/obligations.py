"""For each obligation of a requirement the scenarios and steps that check it, or why none does."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from helpers.scenario.result import ScenarioResult
from requirements.obligations import matching, obligations_of


def obligations(text: str, scenarios: Iterable[ScenarioResult]) -> list[dict[str, Any]]:
    """A line for each obligation: its text, what checks it, and the reasons of what does not.

    A requirement with one obligation is checked by all checks of its scenarios. Of several, each is checked
    by the steps that say so (`covers`).
    """
    texts = obligations_of(text)
    rows: dict[str, dict[str, Any]] = {
        each: {"text": each, "checked": [], "reasons": []} for each in texts
    }
    for scenario in scenarios:
        if len(texts) == 1:
            rows[texts[0]]["checked"] += [
                {"scenario": scenario.name, "step": step, "result": scenario.result}
                for step in scenario.checks
            ]
        for mark in scenario.obligations:
            for each in matching(mark.get("obligation", ""), texts):
                if "reason" in mark:
                    rows[each]["reasons"].append(mark["reason"])
                else:
                    rows[each]["checked"].append(
                        {
                            "scenario": scenario.name,
                            "step": mark.get("step", ""),
                            "result": scenario.result,
                        }
                    )
    return list(rows.values())
