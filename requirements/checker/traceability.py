"""Rules about links: every requirement has its scenarios, every scenario its requirement."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from requirements.blind_checks import CUT_VARIANTS, LATE_BEFORE, SAME_VALUE
from requirements.checker.registry import Finding, Project, project_rule
from requirements.compiler.files import is_current
from requirements.compiler.specification import RequirementText
from requirements.links import SourceLink

ACCEPTED = "requirements/accepted.json"


def _by_python_name(project: Project) -> dict[str, RequirementText]:
    return {
        requirement.python_name: requirement
        for document in project.documents
        for requirement in document.specification.requirements
    }


def _linked(project: Project) -> dict[str, list[SourceLink]]:
    """The links of each known requirement, by its name."""
    known = _by_python_name(project)
    linked: defaultdict[str, list[SourceLink]] = defaultdict(list)
    for link in project.links.links:
        if link.python_name in known:
            linked[known[link.python_name].name].append(link)
    return linked


def _at(link: SourceLink, message: str, hint: str = "") -> Finding:
    return Finding(link.file, link.line, link.column, message, len(link.python_name), hint)


@project_rule("error", "run `requirements compile` and commit the module")
def stale_module(project: Project) -> Iterator[Finding]:
    """A generated module is missing or differs from its specification."""
    for document in project.documents:
        path = project.paths[document.file]
        if not is_current(document, path):
            module = Path(document.file).with_suffix(".py").as_posix()
            yield Finding(document.file, 1, 1, f"{module} is not what this document compiles to")


@project_rule("error", 'write links as @Requirements(RQ_SRS_032_Name("1.0"))')
def unreadable_scenario(project: Project) -> Iterator[Finding]:
    """A scenario file or a link in it cannot be read."""
    for problem in project.links.problems:
        yield Finding(problem.file, problem.line, problem.column, problem.message)


@project_rule("error", "correct the name, or write the requirement first")
def unknown_requirement(project: Project) -> Iterator[Finding]:
    """A scenario names a requirement that no specification states."""
    known = _by_python_name(project)
    for link in project.links.links:
        if link.python_name not in known:
            close = difflib.get_close_matches(link.python_name, known, n=1, cutoff=0.8)
            hint = f"did you mean {close[0]}?" if close else ""
            yield _at(link, f"no requirement becomes {link.python_name}", hint)


@project_rule("error", "read the requirement again, then name the version it has now")
def link_version(project: Project) -> Iterator[Finding]:
    """A scenario names another version of a requirement, or none."""
    known = _by_python_name(project)
    for link in project.links.links:
        requirement = known.get(link.python_name)
        if requirement and link.version is None:
            yield _at(link, f"no version; {requirement.name} is {requirement.version}")
        elif requirement and link.version != requirement.version:
            message = f"version {link.version}; {requirement.name} is {requirement.version}"
            yield _at(link, message)


@project_rule("error", "check that its scenarios still verify it, then `requirements accept NAME`")
def suspect_link(project: Project) -> Iterator[Finding]:
    """A requirement's text or version changed since its links were accepted."""
    linked = _linked(project)
    for requirement in _by_python_name(project).values():
        entry = project.accepted.get(requirement.name)
        if entry is None or requirement.name not in linked:
            continue
        if entry.hash != requirement.content_hash or entry.version != requirement.version:
            what = "text" if entry.hash != requirement.content_hash else "version"
            link = linked[requirement.name][0]
            message = f"the {what} changed since its link in {link.file}:{link.line} was accepted"
            hint = f"read its scenarios again, then `requirements accept {requirement.name} --reason …`"
            width = len(requirement.name)
            yield Finding(
                requirement.file, requirement.line, requirement.level + 2, message, width, hint
            )


@project_rule("error", "run `requirements accept NAME` once its scenarios are reviewed")
def unaccepted_link(project: Project) -> Iterator[Finding]:
    """A requirement is linked and was never accepted, so a change would go unnoticed."""
    for name, links in _linked(project).items():
        if name not in project.accepted:
            hint = f"once its scenarios are reviewed: `requirements accept {name} --reason …`"
            yield _at(links[0], f"the link to {name} was never accepted", hint)


@project_rule("warning", "look whether the scenarios still check what the text says now")
def accepted_alone(project: Project) -> Iterator[Finding]:
    """A text and its acceptance changed together, and none of its scenarios or steps did."""
    earlier = project.earlier
    if earlier is None or any(file.startswith("steps/") for file in earlier.changed):
        return
    linked = _linked(project)
    for requirement in _by_python_name(project).values():
        name, entry = requirement.name, project.accepted.get(requirement.name)
        before = earlier.hashes.get(name)
        if entry is None or before in (None, entry.hash) or entry.hash != requirement.content_hash:
            continue
        if not any(link.file in earlier.changed for link in linked.get(name, [])):
            told = (
                f"{entry.by or 'somebody'}: {entry.reason}" if entry.reason else "no reason given"
            )
            message = f"accepted with a new text and no change of its scenarios ({told})"
            column = requirement.level + 2
            yield Finding(requirement.file, requirement.line, column, message, len(name))


@project_rule("warning", "`requirements accept --all --reason …` drops it")
def stale_acceptance(project: Project) -> Iterator[Finding]:
    """The record of accepted links names a requirement that is gone or no longer linked."""
    linked = _linked(project)
    for name in sorted(project.accepted):
        if name not in linked:
            yield Finding(ACCEPTED, 1, 1, f"{name} has no link")


@project_rule("error", "write the number behind its first line: `CASES = (  # 12 variants`")
def variants(project: Project) -> Iterator[Finding]:
    """A table that a loop runs through does not say how many variants it has, or says another number."""
    for table in project.tables:
        if table.stated != table.size:
            says = "none" if table.stated is None else str(table.stated)
            message = f"{table.name} has {table.size} variants, its comment says {says}"
            yield Finding(table.file, table.first, 1, message, len(table.name))


@project_rule("error", "compare with a value that comes from somewhere else")
def same_value(project: Project) -> Iterator[Finding]:
    """A value is compared with itself, a function of itself, or a selection of itself."""
    yield from _blind(project, SAME_VALUE)


@project_rule("error", "read it before the action")
def late_before(project: Project) -> Iterator[Finding]:
    """An assertion compares with a state that was read after the last action."""
    yield from _blind(project, LATE_BEFORE)


@project_rule("error", "run through the whole table, or say why not on that line: `# part: reason`")
def cut_variants(project: Project) -> Iterator[Finding]:
    """A loop runs through a part of a table of variants."""
    yield from _blind(project, CUT_VARIANTS)


def _blind(project: Project, kind: str) -> Iterator[Finding]:
    for found in project.blind_checks:
        if found.kind == kind:
            yield Finding(found.file, found.line, found.column, found.message)


@project_rule(
    "error", "write a scenario, or state why there is none: `untested: reason` under its heading"
)
def untested(project: Project) -> Iterator[Finding]:
    """A requirement has no scenario and no stated reason for it."""
    linked = _linked(project)
    for document in project.documents:
        if document.specification.planned:
            continue
        for requirement in document.specification.requirements:
            if requirement.name not in linked and not requirement.untested_reason:
                column = requirement.level + 2
                message = f"no scenario verifies {requirement.name}"
                width = len(requirement.name)
                yield Finding(document.file, requirement.line, column, message, width)


@project_rule("error", "remove the line `untested: …`")
def tested_after_all(project: Project) -> Iterator[Finding]:
    """A requirement states why no scenario verifies it, and one does."""
    linked = _linked(project)
    for document in project.documents:
        for block in document.requirements:
            field = block.field("untested")
            if field and block.heading.text in linked:
                message = f"untested, yet {linked[block.heading.text][0].scenario} verifies it"
                yield Finding(document.file, field.line, 1, message, len("untested"))


@project_rule("error", 'name what it verifies: @Requirements(RQ_…("1.0"))')
def scenario_without_requirement(project: Project) -> Iterator[Finding]:
    """A scenario names no requirement."""
    for scenario in project.links.scenarios:
        if scenario.loaded and not scenario.links:
            message = f"'{scenario.name}' verifies no requirement"
            yield Finding(scenario.file, scenario.line, scenario.column, message, 3)


@project_rule(
    "error", "move it to scenarios/<feature>/<topic>.py; names that begin with `_` are not loaded"
)
def unloaded_scenario(project: Project) -> Iterator[Finding]:
    """A scenario stands in a file that no run loads."""
    for scenario in project.links.scenarios:
        if not scenario.loaded:
            message = f"nothing loads '{scenario.function}' from here"
            yield Finding(scenario.file, scenario.line, scenario.column, message, 3)


@project_rule("warning", "write one, or give a file of helpers a name with a leading `_`")
def empty_topic(project: Project) -> Iterator[Finding]:
    """A topic holds no scenario."""
    filled = {scenario.file for scenario in project.links.scenarios}
    unreadable = {problem.file for problem in project.links.problems}
    for topic in project.links.topics:
        if topic not in filled | unreadable:
            yield Finding(topic, 1, 1, "the file holds no scenario")


@project_rule("error", "use letters, digits, blanks, `-` and `_`, and a name of its own")
def scenario_name(project: Project) -> Iterator[Finding]:
    """Two scenarios have one name, or a name holds characters that a filter cannot match."""
    seen: dict[str, str] = {}
    for scenario in project.links.scenarios:
        if not scenario.loaded:
            continue
        place = f"{scenario.file}:{scenario.line}"
        first = seen.setdefault(scenario.name, place)
        last = scenario.name.split("/", scenario.file.count("/") + 1)[-1]
        if first != place:
            message = f"'{scenario.name}' is already in {first}"
        elif not all(char.isalnum() or char in " -_" for char in last):
            message = f"'{last}' holds other characters than letters, digits, blanks, - and _"
        else:
            continue
        yield Finding(scenario.file, scenario.line, scenario.column, message, 3)
