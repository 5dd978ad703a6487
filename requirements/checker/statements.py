"""The rule about statements: a scenario that verifies a requirement uses what the requirement is about.

`statements: REPLACE PARTITION | …` under a specification's title, or under a requirement, names texts of
which one has to be in reach of every scenario that is linked (requirements/reachable.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from requirements.checker.registry import Finding, Project, project_rule
from requirements.compiler.specification import python_name
from requirements.reachable import Reachable

SEPARATOR = "|"


@project_rule("error", "link it to what it verifies, or correct `statements: …` of the requirement")
def no_statement(project: Project) -> Iterator[Finding]:
    """A scenario has nothing in reach of what its requirement is about."""
    wanted = _wanted(project)
    reachable = Reachable(project.root)
    for scenario in project.links.scenarios:
        for link in scenario.links if scenario.loaded else ():
            statements = wanted.get(link.python_name, [])
            texts = reachable.texts(scenario.file, scenario.function) if statements else ()
            if statements and not any(each in text for each in statements for text in texts):
                message = f"'{scenario.name}' never mentions {' or '.join(statements)}"
                yield Finding(link.file, link.line, link.column, message, len(link.python_name))


def _wanted(project: Project) -> dict[str, list[str]]:
    """The texts of each requirement that names some, or whose specification does."""
    wanted = {}
    for document in project.documents:
        of_all = [field.value for field in document.title_fields if field.key == "statements"]
        for block in document.requirements:
            own = block.field("statements")
            value = own.value if own else "".join(of_all)
            statements = [each.strip() for each in value.split(SEPARATOR) if each.strip()]
            wanted[python_name(block.heading.text)] = statements
    return wanted
