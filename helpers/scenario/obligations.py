"""Which obligation of a requirement a step checks, said beside the step.

    with Then("the same part is not exported twice"):
        covers("the same part is not exported twice")
        assert …

The text is a part of an item or table row of a requirement that the scenario is linked to;
`requirements check` refuses any other. What no scenario checks says why: `@leaves_out("…", reason="…")`.
"""

from __future__ import annotations

from helpers.scenario.context import this


def covers(*obligations: str) -> None:
    """Record that the step in which this stands checks these obligations."""
    step = this().current_step()
    this().covered += [{"obligation": obligation, "step": step} for obligation in obligations]
