"""The commands `requirements list` and `requirements show`: what is required, and how it stands."""

import argparse
import sys
from pathlib import Path

from helpers.base.errors import UsageError, nearest
from helpers.base.paths import RESULTS, from_here
from helpers.catalogue import Catalogue, CatalogueEntry
from helpers.deviations.known import known_deviations
from helpers.report.load import load_results
from helpers.report.run_results import Results
from helpers.runner.discovery import load
from helpers.scenario.result import RequirementState, State, Subject
from helpers.sensitivity.generated import EQUIVALENTS, equivalent_everywhere
from requirements.checker.registry import DeviationMark, EquivalentMark, Marks
from requirements.commands import check


def check_requirements(arguments: argparse.Namespace) -> int:
    """Specifications, links, and the marks of scenarios."""
    return check(
        arguments.files,
        as_json_report=arguments.json,
        strict=arguments.strict,
        marks=_marks,
    )


def _marks() -> Marks:
    """What all scenarios say, and equivalents.toml."""
    deviations = [
        DeviationMark(
            id=known.id,
            file=known.scenario.file,
            line=known.scenario.line,
            kind=known.deviation.kind,
            observed=known.deviation.observed,
        )
        for known in known_deviations()
    ]
    marked = {
        EquivalentMark(scenario.file, scenario.line, each.mutant, each.statement)
        for scenario in load()
        for each in scenario.marks.equivalents
    }
    everywhere = [
        EquivalentMark(from_here(EQUIVALENTS), 1, each.mutant, each.statement)
        for each in equivalent_everywhere()
    ]
    return Marks(deviations, [*sorted(marked), *everywhere])


def list_requirements(arguments: argparse.Namespace) -> int:
    """A line for each: state, version, name, reason."""
    catalogue = Catalogue(arguments.results)
    known = {entry.specification for entry in catalogue}
    _all_known("state", arguments.state or [], set(map(str, State)))
    _all_known("specification", arguments.spec or [], known)
    chosen = [
        entry
        for entry in _named(catalogue, arguments.names or ["*"])
        if (not arguments.state or entry.state in arguments.state)
        and (not arguments.spec or entry.specification in arguments.spec)
    ]
    for entry in chosen:
        exporter = f"  exporter: {entry.exporter}" if entry.exporter else ""
        reason = f"  {entry.reason}" if entry.reason else ""
        print(f"{entry.state:<9} {entry.version:<4} {entry.name}{exporter}{reason}")
    print(f"{len(chosen)} of {len(catalogue)} requirements, {_which_run(catalogue)}")
    return 0


def show_requirements(arguments: argparse.Namespace) -> int:
    """Everything known about each."""
    catalogue = Catalogue(arguments.results)
    runs = _runs(RESULTS)
    print("\n\n".join(_shown(entry, runs) for entry in _named(catalogue, arguments.names)))
    return 0


def _named(catalogue: Catalogue, patterns: list[str]) -> list[CatalogueEntry]:
    entries = {entry.name: entry for pattern in patterns for entry in catalogue.find(pattern)}
    return list(entries.values())


def _all_known(what: str, given: list[str], known: set[str]) -> None:
    for name in given:
        if name not in known:
            choices = ", ".join(sorted(known))
            raise UsageError(
                f"There is no {what} {name!r}; there are: {choices}." + nearest(name, known)
            )


def _which_run(catalogue: Catalogue) -> str:
    return f"run {catalogue.results.id}" if catalogue.results else "nothing ran yet"


def _shown(entry: CatalogueEntry, runs: list[Results]) -> str:
    requirement = entry.requirement
    lines = [
        f"{entry.name} {entry.version}",
        f"  {' / '.join((entry.specification, *entry.section))}",
        f"  {requirement.file}:{requirement.line}",
        f"  {entry.state}" + (f": {entry.reason}" if entry.reason else ""),
        *([f"  exporter: {entry.exporter}"] if entry.exporter else ()),
        "",
        *(f"    {line}".rstrip() for line in entry.text.strip().splitlines()),
        "",
        "  scenarios:" if entry.scenarios else "  no scenario verifies it",
    ]
    for scenario in entry.scenarios:
        why = f": {scenario.reason}" if scenario.reason else ""
        place = f"{scenario.file}:{scenario.line}"
        lines.append(f"    {scenario.result or 'not run':<7} {scenario.name} ({place}){why}")
    by_place = _by_place(entry.name, runs)
    lines.append("  by environment and version:" if by_place else "  no run has results for it")
    for place, run, state in by_place:
        why = f": {state.reason}" if state.reason else ""
        lines.append(f"    {state.state:<9} {place}, version {state.version}, run {run.id}{why}")
    return "\n".join(lines)


def _runs(folder: Path) -> list[Results]:
    """Every run that has results, newest first; one that cannot be read is named."""
    runs = []
    for file in folder.glob("*/results.json"):
        if file.parent.is_symlink():
            continue
        try:
            runs.append(load_results(file))
        except UsageError as error:
            print(f"left out: {error}", file=sys.stderr)
    return sorted(runs, key=lambda run: str(run.run.get("started")), reverse=True)


def _by_place(name: str, runs: list[Results]) -> list[tuple[str, Results, RequirementState]]:
    """The newest state in every environment and version; a run of something else says nothing."""
    newest: dict[str, tuple[str, Results, RequirementState]] = {}
    for run in runs:
        where = f"{run.run.get('environment')} {run.run.get('clickhouse')}"
        for state in (state for state in run.requirements if state.name == name):
            of_server = state.subject is Subject.CLICKHOUSE
            place = where if of_server else f"{state.subject} on {where}"
            known = newest.get(place)
            if known is None or (State.NOT_RUN == known[2].state != state.state):
                newest[place] = (place, run, state)
    return [newest[place] for place in sorted(newest)]
