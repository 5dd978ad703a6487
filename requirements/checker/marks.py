"""Rules about what scenarios say of the product: `@deviates`."""

from __future__ import annotations

from collections.abc import Iterator

from requirements.checker.registry import Finding, Project, project_rule


@project_rule("warning", "add kind= and severity= to the mark (helpers/scenario/deviation.py)")
def not_judged(project: Project) -> Iterator[Finding]:
    """A deviation does not say whose fault it is and how bad."""
    for mark in project.deviations:
        if mark.kind is None:
            yield Finding(mark.file, mark.line, 1, f"the deviation {mark.id} is not judged")
